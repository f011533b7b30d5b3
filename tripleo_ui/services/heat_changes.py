"""What an update would do to a stack, from the answers of Heat's previews, and what is known to be wrong in them."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from tripleo_ui.services.heat_records import Change, Resource

SERVER = "OS::Nova::Server"
_DEPLOYMENTS = frozenset({"OS::Heat::SoftwareDeployment", "OS::Heat::StructuredDeployment"})


def read(body: Mapping[str, Any]) -> tuple[Change, ...]:
    """The changes in a preview of an update.

    In a preview, a reference to another resource is its name, not its id. So Heat finds that the server of each
    software deployment has changed, and calls the deployment replaced; it will update it, unless the server goes too.
    """
    found = [
        Change(action, item["resource_name"], item["resource_type"], item.get("stack_name") or "")
        for action, items in body["resource_changes"].items()
        for item in items
    ]
    gone = {change.stack for change in found if change.action == "replaced" and change.type == SERVER}
    return tuple(
        Change("updated", change.name, change.type, change.stack)
        if change.action == "replaced" and change.type in _DEPLOYMENTS and change.stack not in gone
        else change
        for change in found
    )


def compared(
    outer: Iterable[Change], now: Iterable[Resource], then: Iterable[Resource], name: str, preview: str
) -> tuple[Change, ...]:
    """The changes of a whole stack, where Heat previews only its outermost resources.

    Nested resources are counted by type: those that are too few are added, those too many deleted, and what stays
    shares what happens to the outermost resource around it. Resources that hold others, such as a group's members, are
    not counted, since a preview shows what they hold in their place.

    Args:
        outer: what happens to the outermost resources, all of them.
        now: the stack's resources as they are, with paths.
        then: what creating the stack anew, by the name ``preview``, would make.
        name: the stack's name.
        preview: the name that Heat puts before those of the new stack's nested stacks.
    """
    top = {change.name: change for change in outer}
    known = tuple(now)
    holders = {item.path[:-1] for item in known}
    old = _nested((item.path[0], item) for item in known if len(item.path) > 1 and item.path not in holders)
    inside = ((item.stack.removeprefix(f"{preview}-"), item) for item in then if item.stack != preview)
    new = _nested((_holder(stack, top), item) for stack, item in inside)
    return (*top.values(), *_differences(top, old, new, name))


def _differences(
    top: Mapping[str, Change],
    old: Mapping[tuple[str, str], list[Resource]],
    new: Mapping[tuple[str, str], list[Resource]],
    name: str,
) -> Iterator[Change]:
    for key in dict.fromkeys([*old, *new]):
        holder, kind = key
        before, after = old.get(key, []), new.get(key, [])
        stays = min(len(before), len(after))
        action = top[holder].action if holder in top else "updated"
        counted = [(action, before[:stays]), ("deleted", before[stays:]), ("added", after[stays:])]
        for what, items in counted:
            yield from (Change(what, item.name, kind, f"{name}-{holder}") for item in items)


def _nested(items: Iterable[tuple[str, Resource]]) -> dict[tuple[str, str], list[Resource]]:
    found: dict[tuple[str, str], list[Resource]] = {}
    for holder, item in items:
        found.setdefault((holder, item.type), []).append(item)
    return found


def _holder(inside: str, names: Iterable[str]) -> str:
    """The outermost resource whose nested stack ``Compute-0`` is in; Heat names stacks after what holds them."""
    held = [name for name in names if inside == name or inside.startswith(f"{name}-")]
    return max(held, key=len, default=inside)
