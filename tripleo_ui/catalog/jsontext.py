"""JSON as the platform reads it: the last of two keys counts, several values may follow each other."""

import json
import math
import re
from collections.abc import Iterator
from typing import Any, NoReturn

from tripleo_ui.catalog.problems import Path
from tripleo_ui.yamlnodes import DEEPEST, Unreadable

_SPACE = re.compile(r"[ \t\n\r]*")
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+')
#: Beyond this the platform writes a whole number with an exponent.
_WHOLE = 1e21


def number(text: str) -> int | float:
    """A number with a point or an exponent as the platform writes it again: ``1.0`` is 1.

    Raises:
        ValueError: too large for a number of 64 bits.
    """
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"the number {text} is too large")
    return int(value) if value.is_integer() and abs(value) < _WHOLE else value


def no_constant(name: str) -> NoReturn:
    """Refuse NaN and infinity, which Python would read.

    Raises:
        ValueError: always.
    """
    raise ValueError(f"{name} is no JSON")


def dump(value: Any) -> str:
    """JSON in one line, for values inside texts."""
    return json.dumps(value, ensure_ascii=False)


def load_all(text: str) -> Iterator[tuple[Any, int, bool]]:
    """(data, where it begins, whether a key came twice) of each value of a text.

    Raises:
        Unreadable: no JSON, or nested too deep.
    """
    repeated: list[str] = []

    def collect(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            repeated.append("")
        return found

    decoder = json.JSONDecoder(object_pairs_hook=collect, parse_float=number, parse_constant=no_constant)
    _refuse_depth(text)
    begin = _space(text, 0)
    while begin < len(text):
        repeated.clear()
        try:
            data, end = decoder.raw_decode(text, begin)
        except json.JSONDecodeError as error:
            raise Unreadable(error.msg[0].lower() + error.msg[1:], error.lineno) from None
        except ValueError as error:
            raise Unreadable(str(error), text.count("\n", 0, begin) + 1) from None
        yield data, begin, bool(repeated)
        begin = _space(text, end)


def _space(text: str, begin: int) -> int:
    found = _SPACE.match(text, begin)
    return found.end() if found else begin


def _refuse_depth(text: str) -> None:
    depth = 0
    for token in _TOKEN.finditer(text):
        if token[0] in "{[":
            depth += 1
            if depth > DEEPEST:
                raise Unreadable(f"nested deeper than {DEEPEST} levels", text.count("\n", 0, token.start()) + 1)
        elif token[0] in "}]":
            depth -= 1


def locate(text: str, begin: int = 0) -> tuple[dict[Path, int], list[tuple[Path, int]]]:
    r"""The line of each path of the JSON value that begins there, and (path, line) of each key that came again.

    >>> locate('{"a": [1,\n 2], "a": 3}')
    ({(): 1, ('a',): 2, ('a', 0): 1, ('a', 1): 2}, [(('a',), 2)])
    """
    lines: dict[Path, int] = {}
    again: list[tuple[Path, int]] = []
    path: list[Any] = []
    line, last, key_next = text.count("\n", 0, begin) + 1, begin, False
    for token in _TOKEN.finditer(text, begin):
        line += text.count("\n", last, token.start())
        last = token.start()
        word = token[0]
        if word in "}]":
            path.pop()
            key_next = False
            if not path:
                break
        elif word == ",":
            if isinstance(path[-1], int):
                path[-1] += 1
            else:
                key_next = True
        elif word == ":":
            continue
        elif key_next:
            path[-1] = json.loads(word)
            key_next = False
            if tuple(path) in lines:
                again.append((tuple(path), line))
            lines[tuple(path)] = line
        else:
            here = tuple(path)
            lines[here] = lines[here] if path and isinstance(path[-1], str) else line
            if word in "{[":
                path.append("" if word == "{" else 0)
                key_next = word == "{"
            elif not path:
                break
    return lines, again
