"""A template that changed under its edited dialog: what is new, and which edits still fit."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from tripleo_ui.catalog.edits import Edits, FieldEdit, problems
from tripleo_ui.catalog.fields import Dialog, Field

ADDED, REMOVED, CHANGED = "added", "removed", "changed"
_COMPARED = ("label", "help", "type", "default", "required", "generated", "choices", "limits")


@dataclass(frozen=True)
class Change:
    """One difference between two states of a template's dialog.

    Attributes:
        kind: ``ADDED``, ``REMOVED`` or ``CHANGED``.
        field: name of the field.
        part: what about it changed; empty for fields that came or went.
        before, after: as JSON has them.
    """

    kind: str
    field: str
    part: str = ""
    before: Any = None
    after: Any = None


@dataclass(frozen=True)
class Fitting:
    """Edits that fit a dialog, and those that do not: field name → part → why."""

    edits: Edits
    dropped: Mapping[str, Mapping[str, str]]


def snapshot(dialog: Dialog) -> dict[str, dict[str, Any]]:
    """What a built dialog looks like, as JSON has it, to store beside its edits. It has no secrets."""
    return {each.name: _looks(each) for each in dialog.fields}


def _looks(each: Field) -> dict[str, Any]:
    return {
        "label": each.label,
        "help": each.help,
        "type": each.type,
        "default": each.default,
        "required": each.required,
        "generated": each.generated,
        "choices": [value for value, _label in each.choices],
        "limits": [limit.reason for limit in each.limits],
    }


def changes(before: Mapping[str, Mapping[str, Any]], dialog: Dialog) -> tuple[Change, ...]:
    """What changed since a snapshot was made."""
    after = snapshot(dialog)
    found = [Change(ADDED, name) for name in after if name not in before]
    found += [Change(REMOVED, name) for name in before if name not in after]
    for name, looks in after.items():
        if name in before:
            old = before[name]
            found += [
                Change(CHANGED, name, part, old.get(part), looks[part])
                for part in _COMPARED
                if old.get(part) != looks[part]
            ]
    return tuple(found)


def fitting(dialog: Dialog, edits: Edits) -> Fitting:
    """The edits without what does not fit the dialog any more; each part of an edit stands on its own."""
    kept: dict[str, FieldEdit] = dict(edits.fields)
    dropped: dict[str, dict[str, str]] = {}
    wrong = problems(dialog, edits)
    while wrong:
        for name, parts in wrong.items():
            dropped.setdefault(name, {}).update(parts)
            kept[name] = replace(kept[name], **dict.fromkeys(parts.keys() & kept[name].data().keys()))
            if not kept[name].data():
                del kept[name]
        wrong = problems(dialog, Edits(kept, edits.groups))
    return Fitting(Edits(kept, edits.groups), dropped)
