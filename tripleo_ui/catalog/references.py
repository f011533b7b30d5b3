"""References to parameters in texts: ``${NAME}`` anywhere, ``${{NAME}}`` as a whole text."""

import re
from collections.abc import Iterator
from typing import Any

from tripleo_ui.catalog.problems import Path

IN_TEXT = re.compile(r"\$\{([a-zA-Z0-9_]+)\}")
#: Its value is put in as JSON.
WHOLE = re.compile(r"\$\{\{([a-zA-Z0-9_]+)\}\}")
NAME = re.compile(r"[a-zA-Z0-9_]+")


def names(text: str) -> list[str]:
    """The names that a text refers to, in order, repeated as it repeats them.

    >>> names("${A}-${B}"), names("${{C}}"), names("a${{C}}"), names("${D:-x}")
    (['A', 'B'], ['C'], [], [])
    """
    whole = WHOLE.fullmatch(text)
    return [whole[1]] if whole else IN_TEXT.findall(text)


def texts(data: Any, path: Path = ()) -> Iterator[tuple[Path, str, bool]]:
    """Every (path, text, whether it is a key) of data as JSON has it; a key's path ends with the key."""
    if isinstance(data, str):
        yield path, data, False
    elif isinstance(data, dict):
        for key, value in data.items():
            yield (*path, key), key, True
            yield from texts(value, (*path, key))
    elif isinstance(data, list):
        for index, item in enumerate(data):
            yield from texts(item, (*path, index))


def at(data: Any, path: Path) -> Any:
    """What is at a path of data as JSON has it; None where there is nothing."""
    for step in path:
        if isinstance(data, dict):
            data = data.get(step)
        elif isinstance(data, list) and isinstance(step, int) and step < len(data):
            data = data[step]
        else:
            return None
    return data
