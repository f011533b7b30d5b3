"""What any request must be, whatever its workflow, so that each database can keep it."""

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from tripleo_ui.orchestration.redaction import redact, secrets_in

#: Lengths of the columns.
NAME_LENGTH, KEY_LENGTH = 255, 128
PRIORITIES = (-1, 0, 1)
#: Control characters and halves of surrogates: some databases refuse one or the other.
_UNFIT = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff]")


def problems(params: Mapping[str, Any], key: str, priority: int) -> list[str]:
    """What is wrong with what was asked, in sentences."""
    found = [f"{where} looks like a secret, and requests keep none." for where in secrets_in(params)]
    if type(priority) is not int or priority not in PRIORITIES:
        found.append("priority: It must be -1, 0 or 1.")
    if len(key) > KEY_LENGTH or _UNFIT.search(key):
        found.append(f"The idempotency key must be one line of up to {KEY_LENGTH} characters.")
    try:
        body(params)
    except (TypeError, ValueError, RecursionError) as error:
        found.append(f"The parameters cannot be written as JSON: {error}.")
    return found


def body(content: Any) -> str:
    """The content as JSON, the same for equal contents.

    Raises:
        TypeError, ValueError, RecursionError: JSON has no such thing.
    """
    return json.dumps(content, sort_keys=True, allow_nan=False)


def unfit(names: Iterable[str]) -> list[str]:
    """Which of the names of targets and locks cannot be kept, in sentences."""
    return [
        f"The name “{title(name[:40])}…” has more than {NAME_LENGTH} characters, or is not one line of text."
        for name in sorted(set(names))
        if len(name) > NAME_LENGTH or _UNFIT.search(name)
    ]


def title(text: str) -> str:
    """A title that fits: one line, without secrets."""
    shown: str = redact(_UNFIT.sub(" ", text))
    return shown if len(shown) <= NAME_LENGTH else f"{shown[: NAME_LENGTH - 1]}…"
