"""What an administrator changes about a built dialog: a plain value that is stored with a catalog item.

Edits keep what each edited field looked like, so that a changed template can be told from the edited one.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

from tripleo_ui.catalog.fields import TYPES, Condition, Dialog, Field, Group, Limit

VERSION = 1
_TEXTS = ("label", "help", "type", "default", "pattern", "group")


@dataclass(frozen=True)
class FieldEdit:
    """Changes of one field; None leaves what the template says.

    Attributes:
        choices: (value, label) pairs; none of them takes the choice away.
        when: show the field only then.
        order: place among all fields, from 0; those without one follow in the template's order.
    """

    label: str | None = None
    help: str | None = None
    type: str | None = None
    default: str | None = None
    choices: tuple[tuple[str, str], ...] | None = None
    pattern: str | None = None
    hidden: bool | None = None
    locked: bool | None = None
    group: str | None = None
    when: Condition | None = None
    order: int | None = None

    def data(self) -> dict[str, Any]:
        """The edit as JSON has it, without what it leaves."""
        found = {each.name: getattr(self, each.name) for each in fields(self)}
        if self.choices is not None:
            found["choices"] = [list(pair) for pair in self.choices]
        if self.when is not None:
            found["when"] = {"field": self.when.field, "values": list(self.when.values)}
        return {name: value for name, value in found.items() if value is not None}


@dataclass(frozen=True)
class Edits:
    """Changes of a dialog.

    Attributes:
        fields: name → what to change about it.
        groups: key → heading, in order; groups that are not named follow.
    """

    fields: Mapping[str, FieldEdit] = field(default_factory=dict)
    groups: Mapping[str, str] = field(default_factory=dict)

    def data(self) -> dict[str, Any]:
        """The edits as JSON has them."""
        return {
            "version": VERSION,
            "fields": {name: edit.data() for name, edit in self.fields.items()},
            "groups": dict(self.groups),
        }


def load(data: Mapping[str, Any]) -> Edits:
    """Edits from what ``Edits.data`` gave.

    Raises:
        ValueError: it is of a later version, or no such data; says what is wrong.
    """
    if data.get("version") != VERSION:
        raise ValueError(f"edits of version {data.get('version')}; version {VERSION} is known")
    found, groups = data.get("fields") or {}, data.get("groups") or {}
    if not isinstance(found, dict) or not isinstance(groups, dict):
        raise ValueError("fields and groups are maps")  # noqa: TRY004
    return Edits(
        {str(name): _load_field(str(name), edit) for name, edit in found.items()},
        {str(key): str(label) for key, label in groups.items()},
    )


def _load_field(name: str, data: Any) -> FieldEdit:
    known = {each.name for each in fields(FieldEdit)}
    if not isinstance(data, dict) or not data.keys() <= known:
        raise ValueError(f"{name}: an edit has {', '.join(sorted(known))}")
    wrong = [key for key in _TEXTS if not isinstance(data.get(key, ""), str)]
    wrong += [key for key in ("hidden", "locked") if not isinstance(data.get(key, False), bool)]
    wrong += ["order"] if isinstance(data.get("order", 0), bool) or not isinstance(data.get("order", 0), int) else []
    if wrong:
        raise ValueError(f"{name}: {wrong[0]} is of another type")
    values: dict[str, Any] = dict(data)
    try:
        if "choices" in data:
            values["choices"] = tuple((str(value), str(label)) for value, label in data["choices"])
        if "when" in data:
            values["when"] = Condition(str(data["when"]["field"]), tuple(map(str, data["when"]["values"])))
    except (TypeError, ValueError, KeyError):
        raise ValueError(f"{name}: choices are pairs, when has field and values") from None
    return FieldEdit(**values)


def merge(dialog: Dialog, edits: Edits) -> Dialog:
    """The dialog with edits; edits that do not fit it have to be taken out before: see ``revision.fitting``."""
    edited = [_edited(each, edits.fields[each.name]) if each.name in edits.fields else each for each in dialog.fields]
    last = len(edited)
    place = {name: edit.order for name, edit in edits.fields.items() if edit.order is not None}
    edited.sort(key=lambda each: place.get(each.name, last))
    known = {group.key: group for group in dialog.groups}
    named = {key: Group(key, label) for key, label in edits.groups.items()}
    used = {each.group: Group(each.group, each.group) for each in edited}
    order = {**named, **{key: named.get(key, group) for key, group in known.items()}}
    groups = tuple({**order, **{key: group for key, group in used.items() if key not in order}}.values())
    return Dialog(tuple(edited), groups)


def _edited(each: Field, edit: FieldEdit) -> Field:
    changed: dict[str, Any] = {
        name: getattr(edit, name)
        for name in ("label", "help", "type", "choices", "hidden", "locked", "group", "when")
        if getattr(edit, name) is not None
    }
    if edit.type is not None:
        changed["multiline"] = edit.type == "multi-line"
    if edit.type is not None and edit.type != "choice" and edit.choices is None:
        changed["choices"] = ()
    if edit.choices and edit.type is None:
        changed["type"] = "choice"
    if edit.default is not None:
        changed |= {"default": edit.default, "has_default": bool(edit.default), "own_default": True, "generated": ""}
        changed["required"] = each.required and not edit.default
    if edit.pattern:
        changed["limits"] = (*each.limits, Limit(pattern=edit.pattern, reason="Set by an administrator."))
    if changed.get("type") == "secret":
        changed["default"] = ""
    return replace(each, **changed)


def problems(dialog: Dialog, edits: Edits) -> dict[str, dict[str, str]]:
    """Field name → part of its edit → why it does not fit the dialog; empty when all fit."""
    found = {name: _field_problems(dialog, name, edit) for name, edit in edits.fields.items()}
    for name in _in_circles(edits):
        found[name].setdefault("when", "it depends on itself")
    return {name: wrong for name, wrong in found.items() if wrong}


def _in_circles(edits: Edits) -> list[str]:
    """Fields that are shown only when they are shown."""
    next_field = {name: edit.when.field for name, edit in edits.fields.items() if edit.when is not None}
    found = []
    for name in next_field:
        seen, step = set[str](), name
        while step in next_field and step not in seen:
            seen.add(step)
            step = next_field[step]
        found += [name] if step == name else []
    return found


def _field_problems(dialog: Dialog, name: str, edit: FieldEdit) -> dict[str, str]:
    each = dialog.by_name.get(name)
    if each is None:
        return dict.fromkeys(edit.data() or {"field": None}, "the template has no such parameter")
    found: dict[str, str] = {}
    if edit.type is not None and edit.type not in TYPES:
        found["type"] = f"there is no type {edit.type}"
    pattern = _pattern_problem(edit.pattern)
    if pattern:
        found["pattern"] = pattern
    if edit.when is not None and edit.when.field not in dialog.by_name:
        found["when"] = f"there is no field {edit.when.field}"
    if not found:
        found |= _default_problems(each, edit)
    return found


def _pattern_problem(pattern: str | None) -> str:
    try:
        re.compile(pattern or "")
    except re.error as error:
        return f"no regular expression: {error}"
    return ""


def _default_problems(each: Field, edit: FieldEdit) -> dict[str, str]:
    merged = _edited(each, edit)
    found: dict[str, str] = {}
    if merged.type == "choice" and not merged.choices:
        found["choices" if edit.choices is not None else "type"] = "a choice needs values to choose from"
    if merged.type == "secret" and edit.default:
        found["default"] = "a secret is not kept as a default"
    elif edit.default:
        try:
            merged.parse(edit.default)
        except ValueError as error:
            found["default"] = str(error)
    elif edit.choices and merged.default and merged.default not in dict(merged.choices):
        found["choices"] = "the default is not among them"
    for name in ("hidden", "locked"):
        if getattr(edit, name) and merged.required:
            found[name] = "a value must be given, so the field needs a default first"
    return found
