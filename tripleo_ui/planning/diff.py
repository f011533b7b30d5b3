"""What differs between two packages, without their secrets."""

import difflib
from collections.abc import Mapping
from dataclasses import dataclass

from tripleo_ui.planning import redact


@dataclass(frozen=True)
class Difference:
    """How one file differs: ``change`` is added, removed or changed; ``text`` a unified diff, masked.

    The text is empty where only values of hidden parameters differ.
    """

    name: str
    change: str
    text: str


def diff(old: Mapping[str, str], new: Mapping[str, str]) -> tuple[Difference, ...]:
    """The files that differ, by name."""
    before, after = redact.files(old), redact.files(new)
    found = []
    for name in sorted({*old, *new}):
        if old.get(name) == new.get(name):
            continue
        change = "added" if name not in old else "removed" if name not in new else "changed"
        lines = difflib.unified_diff(
            before.get(name, "").splitlines(),
            after.get(name, "").splitlines(),
            fromfile="" if change == "added" else name,
            tofile="" if change == "removed" else name,
            lineterm="",
        )
        found.append(Difference(name, change, "\n".join(lines)))
    return tuple(found)
