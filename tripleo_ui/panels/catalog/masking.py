"""Objects to look at: without secrets, and of what runs only what the template says something about.

A secret is masked before it is put into an object, so that no text has to be searched for it.
"""

import difflib
from collections.abc import Mapping, Sequence
from typing import Any

from tripleo_ui.catalog import processing, yamltext
from tripleo_ui.catalog.fields import Dialog
from tripleo_ui.catalog.template import Template
from tripleo_ui.planning.parameters import MASK

_HELD = ("data", "stringData")
_ELSE = "…"

Object = dict[str, Any]


def objects(template: Template, dialog: Dialog, answers: Mapping[str, str]) -> tuple[Object, ...]:
    """What a template with answers becomes, with a mask for each secret; nothing where it cannot be processed."""
    known = template.effective
    given = {each.name for each in dialog.fields if each.secret and each.name in known}
    hidden = {name: MASK for name in given if answers.get(name) or known[name].value or known[name].generate}
    processed = processing.process(template, {**answers, **hidden})
    return tuple(_without_held(item) for item in processed.objects)


def _without_held(item: Object) -> Object:
    if item.get("kind") != "Secret":
        return item
    return {key: _masked(value) if key in _HELD else value for key, value in item.items()}


def _masked(held: Any) -> Any:
    return dict.fromkeys(held, MASK) if isinstance(held, Mapping) else MASK


def difference(live: Mapping[str, Any], wanted: Mapping[str, Any]) -> str:
    """What runs against what an order would make, as a unified difference of YAML; empty where nothing differs.

    Args:
        live: the object as the cluster has it, secrets and all.
        wanted: one of ``objects``.
    """
    wanted = _one_secret(wanted)
    lines = difflib.unified_diff(
        yamltext.dump(_like(_one_secret(live), wanted)).splitlines(),
        yamltext.dump(wanted).splitlines(),
        "runs now",
        "this order",
        lineterm="",
    )
    return "\n".join(lines)


def _one_secret(item: Mapping[str, Any]) -> Object:
    """A Secret with all that it holds at one place, as a cluster answers it."""
    found = dict(item)
    if found.get("kind") == "Secret":
        held = [found.pop(key, None) for key in _HELD]
        found["data"] = {name: MASK for each in held if isinstance(each, Mapping) for name in sorted(each)}
    return found


def _like(live: Any, wanted: Any) -> Any:
    """What of the living says the same as the wanted; what is masked there is masked here."""
    if isinstance(wanted, Mapping):
        if not isinstance(live, Mapping):
            return _ELSE
        return {key: _like(live[key], value) for key, value in wanted.items() if key in live}
    if isinstance(wanted, list):
        return _list_like(live, wanted) if isinstance(live, list) else _ELSE
    if isinstance(live, (Mapping, list)):
        return _ELSE
    return wanted if _hides(wanted) else live


def _list_like(live: Sequence[Any], wanted: Sequence[Any]) -> list[Any]:
    """Items of one name are compared, else those at one place; nothing is shown where that may be a secret's."""
    if all(isinstance(item, Mapping) and "name" in item for item in (*live, *wanted)):
        same = {item["name"]: item for item in wanted}
        return [_like(item, same.get(item["name"], {"name": ""})) for item in live]
    if any(map(_hides, wanted)):
        return [_beside_secrets(item, index, wanted) for index, item in enumerate(live)]
    others = [*wanted, *[_ELSE] * max(0, len(live) - len(wanted))]
    return [_like(item, other) for item, other in zip(live, others, strict=False)]


def _beside_secrets(item: Any, index: int, wanted: Sequence[Any]) -> Any:
    if item in wanted:
        return item
    other = wanted[index] if index < len(wanted) else None
    return other if isinstance(item, str) and isinstance(other, str) and _hides(other) else _masked_below(item)


def _masked_below(item: Any) -> Any:
    if isinstance(item, Mapping):
        return {key: _masked_below(value) for key, value in item.items()}
    return [_masked_below(each) for each in item] if isinstance(item, list) else MASK


def _hides(wanted: Any) -> bool:
    """Whether there is a secret in a text, or in anything below."""
    if isinstance(wanted, (Mapping, list)):
        return any(map(_hides, wanted.values() if isinstance(wanted, Mapping) else wanted))
    return isinstance(wanted, str) and MASK in wanted
