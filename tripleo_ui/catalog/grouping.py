"""Groups of a dialog: by the names' first part, else by the one object that uses a parameter."""

from collections import Counter
from collections.abc import Mapping, Sequence

from tripleo_ui.catalog.fields import Group
from tripleo_ui.catalog.words import readable, tokens

GENERAL = Group("general", "General")
#: So few parameters need no groups.
FEW = 6
_LEAST_WITH_PREFIX = 3
_LEAST_OF_OBJECT = 2


def groups(names: Sequence[str], used_by: Mapping[str, Sequence[str]]) -> tuple[dict[str, str], tuple[Group, ...]]:
    """Name → key of its group, and the groups in the order of their first members.

    Args:
        names: of the parameters, in the template's order.
        used_by: name → titles of the objects that use it.
    """
    if len(names) <= FEW:
        return dict.fromkeys(names, GENERAL.key), (GENERAL,)
    prefixes = _prefixes(names)
    times = Counter(prefixes.values())
    objects = Counter(titles[0] for name, titles in used_by.items() if _only(titles))
    found: dict[str, Group] = {}
    for name in names:
        prefix, titles = prefixes[name], used_by.get(name, ())
        if prefix and times[prefix] >= _LEAST_WITH_PREFIX:
            found[name] = Group(f"prefix:{prefix}", readable(prefix))
        elif _only(titles) and objects[titles[0]] >= _LEAST_OF_OBJECT:
            found[name] = Group(f"object:{titles[0]}", titles[0])
        else:
            found[name] = GENERAL
    return {name: group.key for name, group in found.items()}, tuple(dict.fromkeys(found.values()))


def _only(titles: Sequence[str]) -> bool:
    return len(titles) == 1


def _prefixes(names: Sequence[str]) -> dict[str, str]:
    """Name → the first of its parts that not all names share; empty for a name that has one part only."""
    parts = {name: tokens(name) for name in names}
    shared = 0
    while (
        all(len(part) > shared + 1 for part in parts.values()) and len({part[shared] for part in parts.values()}) == 1
    ):
        shared += 1
    return {name: part[shared] if len(part) > shared + 1 else "" for name, part in parts.items()}
