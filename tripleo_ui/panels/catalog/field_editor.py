"""Editing one field of a dialog with a form: what it shows, and the edit that it means.

A part that says what the template says is no edit, so that it follows the template when that changes.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from django.utils.translation import gettext as _

from tripleo_ui.catalog.edits import Edits, FieldEdit, merge
from tripleo_ui.catalog.fields import TYPES, Condition, Dialog, Field
from tripleo_ui.web import schema_forms
from tripleo_ui.web.schema_forms import element_id

#: The place before all other fields of the group.
FIRST = "-"
_NAMES = ("label", "help", "type", "default", "choices", "pattern", "group", "when_field", "when_values", "after")
_BOXES = ("hidden", "locked")
#: Part of an edit → the form's field that stands for it, where that has another name.
_SHOWN_AT = {"when": "when_field"}


def typed(post: Mapping[str, str]) -> dict[str, str]:
    """What the form posted; a box without a tick is empty."""
    return {name: post.get(name, "").replace("\r\n", "\n").strip() for name in (*_NAMES, *_BOXES)}


def values(built: Dialog, edits: Edits, name: str) -> dict[str, str]:
    """What the form shows of a field as it is edited now."""
    dialog = merge(built, edits)
    each, edit = dialog.by_name[name], edits.fields.get(name, FieldEdit())
    labels = {group.key: group.label for group in dialog.groups}
    return {
        "label": each.label,
        "help": each.help,
        "type": each.type,
        "default": each.default,
        "choices": _choices_text(each.choices),
        "pattern": edit.pattern or "",
        "group": labels.get(each.group, each.group),
        "when_field": each.when.field if each.when else "",
        "when_values": "\n".join(each.when.values) if each.when else "",
        "after": _before(dialog, name),
        "hidden": "on" if each.hidden else "",
        "locked": "on" if each.locked else "",
    }


def _choices_text(choices: Iterable[tuple[str, str]]) -> str:
    return "\n".join(value if value == label else f"{value} = {label}" for value, label in choices)


def _choices(text: str) -> tuple[tuple[str, str], ...]:
    pairs = (line.partition(" = ") for line in text.splitlines() if line.strip())
    return tuple((value.strip(), label.strip() or value.strip()) for value, _equals, label in pairs)


def apply(built: Dialog, edits: Edits, name: str, form: Mapping[str, str]) -> Edits:
    """The edits with what a form says about one field."""
    each, dialog = built.by_name[name], merge(built, edits)
    keys = {group.label: group.key for group in dialog.groups}
    group = keys.get(form["group"], form["group"])
    choices = _choices(form["choices"])
    when = Condition(form["when_field"], tuple(form["when_values"].split("\n"))) if form["when_field"] else None
    # New choices make a choice of a field by themselves.
    implied = choices and choices != each.choices and form["type"] == "choice"
    edit = FieldEdit(
        label=_changed(form["label"], each.label),
        help=_changed(form["help"], each.help),
        type=None if implied else _changed(form["type"], each.type),
        default=_changed(form["default"], each.default.strip()),
        choices=_changed(choices, each.choices),
        pattern=form["pattern"] or None,
        hidden=form["hidden"] == "on" or None,
        locked=form["locked"] == "on" or None,
        group=_changed(group or each.group, each.group),
        when=when,
        order=edits.fields[name].order if name in edits.fields else None,
    )
    changed = _with(edits, name, edit)
    return changed if form["after"] in {"", _before(dialog, name)} else moved(built, changed, name, form["after"])


def _changed(now: Any, then: Any) -> Any:
    return None if now == then else now


def _with(edits: Edits, name: str, edit: FieldEdit) -> Edits:
    others = {key: each for key, each in edits.fields.items() if key != name}
    return Edits(others | ({name: edit} if edit.data() else {}), edits.groups)


def without(edits: Edits, name: str) -> Edits:
    """The edits without those of one field; its place stays."""
    order = edits.fields[name].order if name in edits.fields else None
    return _with(edits, name, FieldEdit(order=order))


def moved(built: Dialog, edits: Edits, name: str, after: str) -> Edits:
    """The edits with a field in another place.

    Args:
        built: the dialog as the template makes it.
        edits: the edits so far.
        name: of the field that moves.
        after: the field that it follows, or ``FIRST``.
    """
    dialog = merge(built, edits)
    order = [each.name for each in dialog.fields if each.name != name]
    group = [each.name for each in dialog.fields if each.group == dialog.by_name[name].group and each.name != name]
    before = order.index(group[0]) if after == FIRST and group else 0
    order.insert(order.index(after) + 1 if after in order else before, name)
    return _ordered(built, edits, order)


def _ordered(built: Dialog, edits: Edits, order: list[str]) -> Edits:
    """Only the places up to the last one that differs from the template's order are written down."""
    count = len(order)
    while count and _follows(built, order, count - 1):
        count -= 1
    places: dict[str, int | None] = {name: place for place, name in enumerate(order[:count])}
    found = {name: replace(edits.fields.get(name, FieldEdit()), order=places.get(name)) for name in order}
    return Edits({name: edit for name, edit in found.items() if edit.data()}, edits.groups)


def _follows(built: Dialog, order: list[str], count: int) -> bool:
    first = set(order[:count])
    return order[count:] == [each.name for each in built.fields if each.name not in first]


def _before(dialog: Dialog, name: str) -> str:
    """The field of the same group that stands before this one, or ``FIRST``."""
    group = [each.name for each in dialog.fields if each.group == dialog.by_name[name].group]
    place = group.index(name)
    return group[place - 1] if place else FIRST


def form(
    built: Dialog, edits: Edits, name: str, shown: Mapping[str, str], problems: Mapping[str, str]
) -> dict[str, schema_forms.Field]:
    """The form's fields, by name.

    Args:
        built: the dialog as the template makes it.
        edits: the edits so far.
        name: of the field.
        shown: ``values``, or what was typed.
        problems: part of the edit → why it does not fit.
    """
    dialog = merge(built, edits)
    each = built.by_name[name]
    wrong = {_SHOWN_AT.get(part, part): text for part, text in problems.items()}

    def field(key, label, kind="text", hint="", options=()):
        errors = (wrong[key],) if key in wrong else ()
        return schema_forms.Field(
            key, element_id(key), label, kind, shown[key], "", hint, False, tuple(options), errors
        )

    neighbours = [other for other in dialog.fields if other.group == dialog.by_name[name].group and other.name != name]
    others = [(other.name, other.label or other.name) for other in dialog.fields if other.name != name]
    made = (
        field("label", _("Label"), hint=_said(each.label)),
        field("help", _("Help"), "textarea"),
        field("type", _("Type"), "select", _said(each.type), [(kind, kind) for kind in TYPES]),
        field("default", _("Default"), "textarea" if each.multiline else "text", _said(each.default)),
        field("choices", _("Choices"), "textarea", _("One on each line: the value, or “value = label”.")),
        field("pattern", _("Pattern"), hint=_("A regular expression that the whole value fits.")),
        field("group", _("Group"), "typeahead", options=[(each.label, each.label) for each in dialog.groups]),
        field("when_field", _("Show only when"), "select", options=[("", _("Always")), *others]),
        field("when_values", _("… is one of"), "textarea", _("One value on each line; an empty line is no answer.")),
        field("after", _("Place"), "select", options=_places(neighbours)),
        field("hidden", _("Hidden: not asked, the default counts"), "checkbox"),
        field("locked", _("Locked: shown, and not changed"), "checkbox"),
    )
    return {each.name: each for each in made}


def _said(text: str) -> str:
    return _("The template says: %(value)s") % {"value": text} if text and len(text) < 80 else ""


def _places(neighbours: Iterable[Field]) -> list[tuple[str, str]]:
    after = [(each.name, _("After %(field)s") % {"field": each.label or each.name}) for each in neighbours]
    return [(FIRST, _("First of its group")), *after]


def headings(built: Dialog, edits: Edits, post: Mapping[str, str]) -> Edits:
    """The edits with the groups' headings and places that a form says: ``heading.KEY`` and ``place.KEY``."""
    groups = merge(built, edits).groups
    names = {group.key: post.get(f"heading.{group.key}", "").strip() or group.label for group in groups}
    order = sorted(groups, key=lambda group: _number(post.get(f"place.{group.key}", "")))
    wanted = {group.key: names[group.key] for group in order}
    plain = {group.key: group.label for group in merge(built, Edits(edits.fields)).groups}
    return Edits(edits.fields, {} if list(wanted.items()) == list(plain.items()) else wanted)


def _number(text: str) -> float:
    return int(text) if text.strip().isascii() and text.strip().isdecimal() and len(text) < 9 else float("inf")
