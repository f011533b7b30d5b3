"""Constraints of HOT parameters, with Heat's meaning."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

#: Constraints that HOT knows. ``custom_constraint`` needs the cloud; Heat checks it.
KINDS = ("length", "range", "modulo", "allowed_values", "allowed_pattern", "custom_constraint")


@dataclass(frozen=True)
class Constraint:
    """One constraint: its kind, its definition as HOT writes it, and what to tell a person who breaks it."""

    kind: str
    definition: Any
    description: str = ""

    def problem(self, value: Any) -> str:
        """What is wrong with a typed value; empty when nothing is."""
        found = _CHECKS[self.kind](value, self.definition) if self.kind in _CHECKS else ""
        return self.description or found if found else ""

    def hot(self) -> dict[str, Any]:
        """The constraint as an item of a HOT parameter's ``constraints``."""
        out: dict[str, Any] = {self.kind: self.definition}
        if self.description:
            out["description"] = self.description
        return out


def read(item: Any) -> Constraint:
    """Read one item of a HOT parameter's ``constraints``.

    Raises:
        ValueError: it is none.
    """
    if not isinstance(item, Mapping):
        raise ValueError("a constraint is a mapping")  # noqa: TRY004
    kinds = [key for key in item if key != "description"]
    if len(kinds) != 1 or kinds[0] not in KINDS:
        raise ValueError(f"a constraint has one of {', '.join(KINDS)}")
    kind, definition = kinds[0], item[kinds[0]]
    if kind in {"length", "range", "modulo"} and not isinstance(definition, Mapping):
        raise ValueError(f"the constraint {kind} is a mapping")
    if kind == "allowed_values" and not isinstance(definition, list):
        raise ValueError("allowed_values is a list")
    if kind == "allowed_pattern":
        _compile(definition)
    return Constraint(kind, definition, str(item.get("description", "")))


def number(value: Any) -> int | float:
    """A limit as a number; packages of Tuskar write ``'0'``.

    Raises:
        ValueError: it is none.
    """
    if isinstance(value, bool):
        raise ValueError("true and false are no numbers")  # noqa: TRY004
    if isinstance(value, (int, float)):
        return value
    text = str(value)
    return int(text) if re.fullmatch(r"[+-]?\d+", text) else float(text)


def limits(definition: Mapping[str, Any]) -> tuple[int | float | None, int | float | None]:
    """The lower and the upper limit of a ``range`` or ``length``; None where there is none."""
    low, high = definition.get("min"), definition.get("max")
    return (None if low is None else number(low), None if high is None else number(high))


def _range(value: Any, definition: Mapping[str, Any]) -> str:
    low, high = limits(definition)
    if (low is not None and value < low) or (high is not None and value > high):
        return f"{value} is out of range: {_between(low, high)}"
    return ""


def _length(value: Any, definition: Mapping[str, Any]) -> str:
    low, high = limits(definition)
    count = len(value)
    if (low is not None and count < low) or (high is not None and count > high):
        unit = "characters" if isinstance(value, str) else "items"
        return f"has {count} {unit}: {_between(low, high)}"
    return ""


def _between(low: float | None, high: float | None) -> str:
    parts = [f"at least {low}"] if low is not None else []
    if high is not None:
        parts.append(f"at most {high}")
    return ", ".join(parts)


def _modulo(value: Any, definition: Mapping[str, Any]) -> str:
    step, offset = number(definition.get("step", 1)), number(definition.get("offset", 0))
    if step and value % step != offset % step:
        return f"{value} is not {offset} plus a multiple of {step}"
    return ""


def _allowed(value: Any, definition: list[Any]) -> str:
    wrong = [item for item in (value if isinstance(value, list) else [value]) if not _is_one(item, definition)]
    if wrong:
        return f"{', '.join(map(str, wrong))} is not one of {', '.join(map(str, definition))}"
    return ""


def _is_one(value: Any, allowed: list[Any]) -> bool:
    """Heat compares numbers with numbers written as text."""
    return value in allowed or (not isinstance(value, (dict, list)) and str(value) in map(str, allowed))


def _pattern(value: Any, definition: Any) -> str:
    """Heat takes the first match and wants it to reach the end, so ``(a|ab)`` does not match ``ab``."""
    text = value if isinstance(value, str) else str(value)
    found = _compile(definition).match(text)
    return "" if found and found.end() == len(text) else f"does not match the pattern {definition}"


def _compile(pattern: Any) -> re.Pattern[str]:
    try:
        return re.compile(str(pattern))
    except re.error as error:
        raise ValueError(f"allowed_pattern is no regular expression: {error}") from None


_CHECKS: dict[str, Callable[[Any, Any], str]] = {
    "range": _range,
    "length": _length,
    "modulo": _modulo,
    "allowed_values": _allowed,
    "allowed_pattern": _pattern,
}
