"""Values of parameters as people write them for a command: ``NAME=VALUE``."""

import sys
from collections.abc import Iterable
from pathlib import Path

from tripleo_ui.catalog import references


def assignments(texts: Iterable[str]) -> dict[str, str]:
    """The values in texts of ``NAME=VALUE``; a value may have lines and more of ``=``.

    Raises:
        ValueError: one is none, or a name comes twice.
    """
    found: dict[str, str] = {}
    again: list[str] = []
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not references.NAME.fullmatch(name):
            raise ValueError(f'invalid parameter assignment in "{name[:40]}": it is NAME=VALUE')
        if name in found and name not in again:
            again.append(name)
        found[name] = value
    if again:
        raise ValueError(f"provided more than once: {', '.join(again)}")
    return found


def read_all(files: Iterable[str]) -> dict[str, str]:
    r"""The values in files with lines of ``NAME=VALUE``; empty lines and lines that begin with # say nothing.

    A value in quotes may have ``\n`` in it. A later file wins.

    Raises:
        ValueError: a line is none, or a name comes twice in a file.
        OSError: a file cannot be read.
    """
    found: dict[str, str] = {}
    for file in files:
        text = sys.stdin.read() if file == "-" else Path(file).read_text(encoding="utf-8")
        lines = (line.strip() for line in text.splitlines())
        given = assignments(line for line in lines if line and not line.startswith("#"))
        found |= {name: _unquoted(value) for name, value in given.items()}
    return found


def _unquoted(value: str) -> str:
    if len(value) > 1 and value[0] == value[-1] == '"':
        return value[1:-1].replace("\\n", "\n")
    return value[1:-1] if len(value) > 1 and value[0] == value[-1] == "'" else value
