"""Texts of templates as JSON data: JSON or YAML, one document or several, with a line for every path.

What the platform drops silently is kept in sight: a key that is given twice is reported, and the last one counts.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

from tripleo_ui import yamlnodes
from tripleo_ui.catalog import jsontext, yamltext
from tripleo_ui.catalog.problems import Path
from tripleo_ui.yamlnodes import Unreadable

_HALF_CHARACTER = re.compile(r"\\u[dD][89a-fA-F]")


@dataclass(frozen=True)
class Document:
    """One document of a text.

    Attributes:
        data: as JSON has it: keys are text, numbers keep all their digits.
        line: path → line from 1, of the deepest part of the path that exists.
        source: path → the text that stands there for a plain value, ``007``; None where there is none.
        duplicates: (path, line) of each key that came again.
    """

    data: Any
    line: Callable[[Path], int]
    source: Callable[[Path], str | None]
    duplicates: tuple[tuple[Path, int], ...] = ()


def parse(text: str) -> tuple[list[Document], str]:
    """The documents of a text, and what was odd about the whole of it, else an empty text.

    Raises:
        Unreadable: neither JSON nor YAML, or made to hurt whoever reads it.
    """
    text = text.removeprefix("\ufeff")
    if not text.lstrip().startswith(("{", "[")):
        return _yaml(text), ""
    try:
        return _json(text), ""
    except Unreadable as error:
        try:
            found = _yaml(text)
        except Unreadable:
            raise error from None
        return found, f"no valid JSON (line {error.line}: {error.reason}), so it is read as YAML"


def _json(text: str) -> list[Document]:
    found = []
    for data, begin, repeated in jsontext.load_all(text):
        if _HALF_CHARACTER.search(text):
            _refuse_half_characters(data)
        located = cache(partial(jsontext.locate, text, begin))
        duplicates = tuple(located()[1]) if repeated else ()
        found.append(Document(data, partial(_json_line, located), _no_source, duplicates))
    return found


def _json_line(located: Callable[[], tuple[dict[Path, int], Any]], path: Path) -> int:
    lines = located()[0]
    while path not in lines:
        path = path[:-1]
    return lines[path]


def _no_source(_path: Path) -> None:
    return None


def _refuse_half_characters(data: Any) -> None:
    try:
        jsontext.dump(data).encode()
    except UnicodeEncodeError:
        raise Unreadable("half of a character, which no text can hold") from None


def _yaml(text: str) -> list[Document]:
    yamlnodes.refuse_depth(text)
    return [
        Document(data, partial(yamltext.line, root), partial(yamltext.source, root), tuple(duplicates))
        for data, root, duplicates in yamltext.load_all(text)
    ]
