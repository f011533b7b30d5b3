"""What differs between two packages, with secrets masked."""

import difflib
from collections.abc import Mapping

from tripleo_ui.planning import redact


def diff(old: Mapping[str, str], new: Mapping[str, str]) -> dict[str, str]:
    """For each file that differs, a unified diff; a changed secret shows as a line that only says so."""
    before, after = redact.files(old), redact.files(new)
    found = {}
    for name in sorted(old.keys() | new.keys()):
        if old.get(name) == new.get(name):
            continue
        lines = difflib.unified_diff(
            before.get(name, "").splitlines(), after.get(name, "").splitlines(), name, name, lineterm="", n=2
        )
        found[name] = "\n".join(lines) or "(only secrets differ)"
    return found
