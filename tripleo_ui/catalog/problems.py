"""What is wrong with a template, its answers or its objects, and where."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

ERROR = "error"
WARNING = "warning"

#: Keys and indexes from a document's root: ``("objects", 0, "kind")``.
Path = tuple[str | int, ...]


@dataclass(frozen=True)
class Problem:
    """One thing to tell a person.

    Attributes:
        level: ``ERROR`` ends what was asked for; ``WARNING`` does not.
        message: what is wrong, as a clause without a full stop; never a secret value.
        parameter: name of the parameter that it is about; empty where it is about none.
        path: where in the template, ``objects[3].spec.replicas``; empty where that is the whole.
        file: name of the file as the caller named it; empty where the template came from no file.
        line: from 1; 0 where it is not known.
    """

    level: str
    message: str
    parameter: str = ""
    path: str = ""
    file: str = ""
    line: int = 0

    def __str__(self) -> str:
        """``file:line: level: parameter P: message``, as compilers write it."""
        place = f"{self.file}:{self.line}" if self.file and self.line else self.file
        named = re.search(rf"\b{re.escape(self.parameter)}\b", self.message)
        about = f"parameter {self.parameter}" if self.parameter and not named else ""
        return ": ".join(part for part in (place, self.level, about, self.message) if part)


def errors(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """Those that end what was asked for."""
    return tuple(problem for problem in problems if problem.level == ERROR)


def warnings(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """Those that only have to be seen."""
    return tuple(problem for problem in problems if problem.level == WARNING)


def path_text(path: Sequence[Any]) -> str:
    """A path as people write it.

    >>> path_text(("objects", 3, "spec", "replicas"))
    'objects[3].spec.replicas'
    """
    parts = (f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
    return "".join(parts).removeprefix(".")
