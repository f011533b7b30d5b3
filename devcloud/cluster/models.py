"""What the fields of built-in kinds are, read from the sources of the installed Kubernetes client.

Its modules hold each model's fields as two literals and check what is required in setters. They are read, not
imported: an import of the client costs as much memory as a whole cluster here.
"""

import ast
import functools
import importlib.util
import re
from dataclasses import dataclass
from pathlib import Path

_LITERAL = r"^    {} = (\{{.*?^    \}}|\{{\}})"
_TYPES = re.compile(_LITERAL.format("openapi_types"), re.MULTILINE | re.DOTALL)
_NAMES = re.compile(_LITERAL.format("attribute_map"), re.MULTILINE | re.DOTALL)
_REQUIRED = re.compile(r"Invalid value for `(\w+)`, must not be `None`")
_NESTED = re.compile(r"(list|dict)[\[(](?:str, )?(.*)[\])]$")

# Kinds whose models are not called version and kind.
_NAMED = {"Event": "CoreV1Event", "Endpoints": "V1Endpoints"}
# The models say text, the API takes numbers too.
_QUANTITIES = {
    *("allocatable", "capacity", "default", "defaultRequest", "hard", "limits", "max", "min", "overhead", "requests"),
    *("sizeLimit", "used", "divisor"),
}


@dataclass(frozen=True)
class Type:
    """A field's type: ``form`` is ``model``, ``list``, ``map``, ``quantity``, ``any`` or a scalar's name."""

    form: str
    model: str = ""
    of: "Type | None" = None


@dataclass(frozen=True)
class Model:
    """The fields of an object, and which it must have."""

    name: str
    fields: dict[str, Type]
    required: tuple[str, ...]


def name_of(version: str, kind: str) -> str:
    """Return the name that a kind's model would have."""
    return _NAMED.get(kind) or f"{version.capitalize()}{kind}"


@functools.cache
def model(name: str) -> Model | None:
    """Return a model by name, or None when the client has none."""
    file = _folder() / f"{_snake(name)}.py"
    if not file.is_file():
        return None
    source = file.read_text()
    types, names = _TYPES.search(source), _NAMES.search(source)
    if not types or not names:
        return None
    written = ast.literal_eval(names[1])
    fields = {written[key]: _typed(written[key], value) for key, value in ast.literal_eval(types[1]).items()}
    return Model(name, fields, tuple(written[key] for key in dict.fromkeys(_REQUIRED.findall(source))))


@functools.cache
def _folder() -> Path:
    found = importlib.util.find_spec("kubernetes")
    if found is None or not found.origin:
        raise ModuleNotFoundError("kubernetes, the client whose models are read, is not installed")
    return Path(found.origin).parent / "client" / "models"


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()


def _typed(field: str, text: str) -> Type:
    if nested := _NESTED.match(text):
        form = "list" if nested[1] == "list" else "map"
        return Type(form, of=_typed(field, nested[2]))
    if text == "str" and field in _QUANTITIES:
        return Type("quantity")
    if text in {"str", "int", "bool", "float"}:
        return Type(text)
    if text in {"datetime", "date"}:
        return Type("str")
    return Type("any") if text in {"object", "file"} else Type("model", text)
