"""Parameters of HOT templates: five types, typed both ways."""

import json
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from tripleo_ui.planning import constraints as rules
from tripleo_ui.planning.constraints import Constraint

TYPES = ("string", "number", "boolean", "json", "comma_delimited_list")

#: Stands for the value of a hidden parameter wherever people look.
MASK = "********"

_NUMBER = re.compile(r"[+-]?(\d+|\d+\.\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_TRUE = frozenset({"true", "t", "yes", "y", "on", "1"})
_FALSE = frozenset({"false", "f", "no", "n", "off", "0"})


@dataclass(frozen=True)
class Parameter:
    """A parameter of a plan.

    Attributes:
        name: its name in the master template: ``Compute-1::NovaPassword``; without ``::`` it is for all roles.
        type: one of ``TYPES``.
        default: typed; None where there is none.
        value: typed; None where none was given. ``effective`` is what Heat will use.
        role: namespace of the role that it belongs to, ``Compute-1``; empty for all roles.
        service: key of the cloud service that brings it; empty where none does.
        required: there is no default, so a value must be given.
    """

    name: str
    type: str = "string"
    default: Any = None
    label: str = ""
    description: str = ""
    hidden: bool = False
    constraints: tuple[Constraint, ...] = ()
    value: Any = None
    role: str = ""
    service: str = ""

    @property
    def required(self) -> bool:
        """Whether a value must be given because there is no default."""
        return self.default is None

    @property
    def effective(self) -> Any:
        """The value, else the default, else None."""
        return self.default if self.value is None else self.value

    @property
    def given(self) -> bool:
        """Whether it has a value of its own."""
        return self.value is not None

    @property
    def missing(self) -> bool:
        """Whether a value must be given and is not."""
        return self.effective is None

    @property
    def text(self) -> str:
        """The effective value as text for a form; the mask for a hidden one that has a value."""
        if self.effective is None:
            return ""
        return MASK if self.hidden else self.format(self.effective)

    @property
    def allowed_values(self) -> tuple[Any, ...]:
        """The values to choose from; empty where any will do."""
        found = self._definition("allowed_values")
        return tuple(found) if found else ()

    @property
    def range(self) -> tuple[int | float | None, int | float | None]:
        """Lowest and highest number; None where there is no limit."""
        return rules.limits(self._definition("range") or {})

    @property
    def length(self) -> tuple[int | float | None, int | float | None]:
        """Least and greatest length; None where there is no limit."""
        return rules.limits(self._definition("length") or {})

    def _definition(self, kind: str) -> Any:
        return next((item.definition for item in self.constraints if item.kind == kind), None)

    def parse(self, text: str) -> Any:
        """The typed value that a text means, checked against the constraints.

        Raises:
            ValueError: it means none; the message says why and never repeats a hidden value.
        """
        return self._checked(_PARSERS[self.type](text))

    def convert(self, value: Any) -> Any:
        """A value from YAML or JSON as this type; text is read as ``parse`` does.

        Raises:
            ValueError: it has another type; never repeats a hidden value.
        """
        return _PARSERS[self.type](value) if isinstance(value, str) else _ACCEPTORS[self.type](value)

    def accept(self, value: Any) -> Any:
        """A value from YAML or JSON as this type, checked against the constraints.

        Raises:
            ValueError: it has another type or breaks a constraint; never repeats a hidden value.
        """
        return self._checked(self.convert(value))

    def _checked(self, value: Any) -> Any:
        for constraint in self.constraints:
            problem = constraint.problem(value)
            if problem:
                kept = constraint.description or f"breaks its constraint {constraint.kind}"
                raise ValueError(kept if self.hidden else problem)
        return value

    def format(self, value: Any) -> str:
        """The text that ``parse`` reads as this value."""
        if self.type == "boolean" and isinstance(value, bool):
            return "true" if value else "false"
        if self.type == "comma_delimited_list" and isinstance(value, list):
            plain = [str(item) for item in value]
            joined = ",".join(plain)
            return joined if _split(joined) == plain else json.dumps(plain, ensure_ascii=False)
        if self.type == "json" and not isinstance(value, str):
            return json.dumps(value, ensure_ascii=False)
        return str(value)

    def with_value(self, value: Any) -> "Parameter":
        """The same parameter with another value."""
        return replace(self, value=value)

    def hot(self) -> dict[str, Any]:
        """The parameter's definition in a HOT template."""
        out: dict[str, Any] = {"type": self.type}
        if self.label:
            out["label"] = self.label
        if self.description:
            out["description"] = self.description
        if self.default is not None:
            out["default"] = self.default
        if self.hidden:
            out["hidden"] = True
        if self.constraints:
            out["constraints"] = [constraint.hot() for constraint in self.constraints]
        return out


def read(name: str, definition: Mapping[str, Any], *, role: str = "", value: Any = None) -> Parameter:
    """Read a parameter's definition in a HOT template.

    Raises:
        ValueError: it is none.
    """
    kind = definition.get("type")
    if kind not in TYPES:
        raise ValueError(f"the parameter {name} has the type {kind!r}; HOT has {', '.join(TYPES)}")
    found = definition.get("constraints") or []
    if not isinstance(found, list):
        raise ValueError(f"the constraints of the parameter {name} are a list")  # noqa: TRY004
    try:
        constraints = tuple(rules.read(item) for item in found)
    except ValueError as error:
        raise ValueError(f"the parameter {name}: {error}") from None
    return Parameter(
        name=name,
        type=kind,
        default=definition.get("default"),
        label=str(definition.get("label") or ""),
        description=str(definition.get("description") or "").strip(),
        hidden=str(definition.get("hidden", False)).lower() in _TRUE,
        constraints=constraints,
        value=value,
        role=role,
    )


def _parse_number(text: str) -> int | float:
    text = text.strip()
    if not _NUMBER.fullmatch(text):
        raise ValueError("not a number")
    return _finite(int(text) if re.fullmatch(r"[+-]?\d+", text) else float(text))


def _finite(value: float) -> int | float:
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError("not a finite number")
    return value


def _parse_boolean(text: str) -> bool:
    word = text.strip().lower()
    if word in _TRUE or word in _FALSE:
        return word in _TRUE
    raise ValueError("neither true nor false")


def _parse_json(text: str) -> Any:
    try:
        value = json.loads(text, parse_constant=_no_constant)
    except RecursionError:
        raise ValueError("not JSON: nested too deep") from None
    except json.JSONDecodeError as error:
        raise ValueError(f"not JSON: {error.msg} in line {error.lineno}, column {error.colno}") from None
    return _json(value)


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def _json(value: Any) -> Any:
    if not isinstance(value, (dict, list)):
        raise ValueError("JSON here is an object or a list")  # noqa: TRY004
    return value


def _parse_list(text: str) -> list[str]:
    if text.lstrip().startswith("["):
        try:
            return _list(json.loads(text))
        except json.JSONDecodeError:
            pass
    return _split(text)


def _split(text: str) -> list[str]:
    return [item.strip() for item in text.split(",")] if text.strip() else []


def _list(value: Any) -> list[str]:
    if not isinstance(value, list) or any(isinstance(item, (dict, list)) or item is None for item in value):
        raise ValueError("not a list of texts")
    return [item if isinstance(item, str) else json.dumps(item) for item in value]


def _string(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (str, int, float)):
        return str(value)
    raise ValueError("not a text")


def _number(value: Any) -> int | float:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise ValueError("not a number")  # noqa: TRY004
    return _finite(value)


def _boolean(value: Any) -> bool:
    if isinstance(value, bool):
        return value
    if value in (0, 1):
        return bool(value)
    raise ValueError("neither true nor false")


_PARSERS: dict[str, Callable[[str], Any]] = {
    "string": str,
    "number": _parse_number,
    "boolean": _parse_boolean,
    "json": _parse_json,
    "comma_delimited_list": _parse_list,
}

_ACCEPTORS: dict[str, Callable[[Any], Any]] = {
    "string": _string,
    "number": _number,
    "boolean": _boolean,
    "json": _json,
    "comma_delimited_list": _list,
}


def typed(parameter: Parameter, value: Any) -> Any:
    """A value from a file as the parameter's type; what cannot be read stays as it is, for the checks to name."""
    try:
        return parameter.convert(value)
    except ValueError:
        return value
