"""Reads loose data field by field and remembers everything that is wrong with it, with the field's path."""

import ipaddress
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


@dataclass(frozen=True)
class Problem:
    """What is wrong with a field; ``field`` is its path ("networks.0.fixed_ip"), ``message`` a sentence."""

    field: str
    message: str


class Shape:
    """A mapping under a path. What cannot be used is answered as the nearest value of the right type."""

    def __init__(self, data: Any, path: str = "", problems: list[Problem] | None = None) -> None:
        self.problems: list[Problem] = [] if problems is None else problems
        self._path = path
        self._data: Mapping[str, Any] = data if isinstance(data, Mapping) else {}
        if not isinstance(data, Mapping):
            self.problems.append(Problem(path.rstrip("."), "It must have named fields."))
            self.problems = []  # Nothing that its fields lack is news.

    def wrong(self, name: str, message: str) -> None:
        """Remember a problem of a field."""
        self.problems.append(Problem(f"{self._path}{name}", message))

    def text(self, name: str, needed: str = "", longest: int = 255) -> str:
        """A line of text; ``needed`` is what is said where it is missing."""
        value = self._data.get(name)
        if value is None or value == "":
            if needed:
                self.wrong(name, needed)
            return ""
        if not isinstance(value, str):
            self.wrong(name, "It must be text.")
        elif len(value) > longest:
            self.wrong(name, f"It has {len(value)} characters, and {longest} are the most.")
        elif _CONTROL.search(value) or not value.strip():
            self.wrong(name, "It must be one line of text.")
        return str(value)

    def texts(self, name: str) -> tuple[str, ...]:
        """A list of texts without repetitions."""
        found = self._list(name)
        if not all(isinstance(item, str) and item for item in found):
            self.wrong(name, "Each must be text.")
        return tuple(dict.fromkeys(str(item) for item in found))

    def number(self, name: str, least: int, most: int, default: int | None) -> int:
        """A whole number within limits; without a ``default`` it is needed."""
        value = self._data.get(name, default)
        if value is None:
            self.wrong(name, "Give a number.")
        elif isinstance(value, bool) or not isinstance(value, int):
            self.wrong(name, "It must be a whole number.")
        elif not least <= value <= most:
            self.wrong(name, f"It must be from {least} to {most}.")
        else:
            return value
        return least

    def flag(self, name: str) -> bool:
        """Yes or no; no where it is missing."""
        value = self._data.get(name, False)
        if not isinstance(value, bool):
            self.wrong(name, "It must be true or false.")
        return value is True

    def address(self, name: str) -> str:
        """An IP address in its usual form, or an empty text."""
        text = self.text(name)
        if not text:
            return ""
        try:
            return str(ipaddress.ip_address(text))
        except ValueError:
            self.wrong(name, f"“{text}” is no IP address.")
            return ""

    def pairs(self, name: str) -> Mapping[str, str]:
        """Names with texts."""
        value = self._data.get(name) or {}
        if not isinstance(value, Mapping):
            self.wrong(name, "It must have named values.")
            return {}
        for key, each in value.items():
            if not isinstance(each, str) or not key:
                self.wrong(f"{name}.{key}", "Name and value must be text.")
        return {str(key): str(each) for key, each in value.items()}

    def inner(self, name: str) -> "Shape":
        """The mapping under a name."""
        return Shape(self._data.get(name), f"{self._path}{name}.", self.problems)

    def each(self, name: str, most: int) -> list["Shape"]:
        """The mappings of a list."""
        found = self._list(name)
        if len(found) > most:
            self.wrong(name, f"There are {len(found)}, and {most} are the most.")
        return [Shape(item, f"{self._path}{name}.{index}.", self.problems) for index, item in enumerate(found[:most])]

    def _list(self, name: str) -> list[Any]:
        value = self._data.get(name)
        if value is None:
            return []
        if not isinstance(value, list | tuple):
            self.wrong(name, "It must be a list.")
            return []
        return list(value)
