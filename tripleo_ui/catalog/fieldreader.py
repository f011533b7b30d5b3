"""Fields of a template with the types that the API has; other types are understood where that is safe."""

import difflib
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from tripleo_ui.catalog import jsontext
from tripleo_ui.catalog.problems import ERROR, WARNING, Path, Problem, path_text
from tripleo_ui.catalog.template import Place


class FieldReader:
    """Reads fields and collects what is odd about them in ``problems``."""

    def __init__(self, place: Place, source: Callable[[Path], str | None] = lambda _path: None) -> None:
        self.place = place
        self.problems: list[Problem] = []
        self._source = source

    def warn(self, message: str, path: Path = (), parameter: str = "") -> None:
        """Add a warning about a part of the template."""
        self._add(WARNING, message, path, parameter)

    def fail(self, message: str, path: Path = (), parameter: str = "") -> None:
        """Add an error about a part of the template."""
        self._add(ERROR, message, path, parameter)

    def _add(self, level: str, message: str, path: Path, parameter: str) -> None:
        place = self.place
        self.problems.append(Problem(level, message, parameter, path_text(path), place.file, place.line(path)))

    def text(self, data: Mapping[str, Any], key: str, path: Path = (), parameter: str = "") -> str:
        """A text; empty where there is none. A number or a truth value is taken as it is written."""
        value = data.get(key)
        if value is None or isinstance(value, str):
            return value or ""
        here = (*path, key)
        if isinstance(value, (dict, list)):
            self.fail(f"{key} is {kind_of(value)} and must be a text", here, parameter)
            return ""
        written = self._source((*self.place.path, *here)) or jsontext.dump(value)
        self.warn(f"{key} is {kind_of(value)}, which the platform refuses: write it in quotes", here, parameter)
        return written

    def flag(self, data: Mapping[str, Any], key: str, path: Path = (), parameter: str = "") -> bool:
        """A truth value; false where there is none."""
        value = data.get(key)
        if value is None or isinstance(value, bool):
            return bool(value)
        here = (*path, key)
        if str(value).lower() in {"true", "false"}:
            self.warn(
                f"{key} is {kind_of(value)}, which the platform refuses: write it without quotes", here, parameter
            )
            return str(value).lower() == "true"
        self.fail(f"{key} is {kind_of(value)} and must be true or false", here, parameter)
        return False

    def mapping(self, data: Mapping[str, Any], key: str, path: Path = ()) -> dict[str, Any]:
        """A map; empty where there is none."""
        value = data.get(key)
        if value is not None and not isinstance(value, dict):
            self.fail(f"{key} is {kind_of(value)} and must be a map", (*path, key))
        return dict(value) if isinstance(value, dict) else {}

    def items(self, data: Mapping[str, Any], key: str) -> list[Any]:
        """A list; empty where there is none."""
        value = data.get(key)
        if value is not None and not isinstance(value, list):
            self.fail(f"{key} is {kind_of(value)} and must be a list", (key,))
        return list(value) if isinstance(value, list) else []

    def texts(self, data: Mapping[str, Any], key: str) -> dict[str, str]:
        """A map of texts."""
        found = self.mapping(data, key)
        return {name: self.text(found, name, (key,)) for name in found}

    def known_fields(self, data: Mapping[str, Any], known: Sequence[str], path: Path = (), parameter: str = "") -> None:
        """Warn about fields that the platform drops."""
        for key in data:
            if key not in known:
                hint = _meant(key, known)
                meant = f"; {hint} may be meant" if hint and hint not in data else ""
                self.warn(f"the platform knows no field {key} and ignores it{meant}", (*path, key), parameter)


def _meant(key: str, known: Iterable[str]) -> str:
    lower = {name.lower(): name for name in known}
    close = difflib.get_close_matches(key.lower(), lower, 1, 0.7)
    return lower[close[0]] if close else ""


def kind_of(value: Any) -> str:
    """What a value is, in words.

    >>> [kind_of(value) for value in ("", 1, True, [], {}, None)]
    ['a text', 'a number', 'a truth value', 'a list', 'a map', 'null']
    """
    kinds = ((bool, "a truth value"), ((int, float), "a number"), (str, "a text"), (list, "a list"), (dict, "a map"))
    return next((words for kind, words in kinds if isinstance(value, kind)), "null")
