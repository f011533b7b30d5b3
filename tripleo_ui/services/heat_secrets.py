"""Heat repeats a value that it refuses, hidden or not; here it is taken out of what people and logs are told."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import yaml

from tripleo_ui.services.errors import ServiceError

MASK = "******"
_YAML = (".yaml", ".yml", ".template", ".json", ".env")
# A shorter value is replaced only where it stands in quotes: it may be part of any word.
_LENGTH = 4


@contextmanager
def kept(files: Mapping[str, str]) -> Iterator[None]:
    """Mask the values of the files' hidden parameters in the cause of an error."""
    try:
        yield
    except ServiceError as error:
        error.cause = masked(error.cause, files)
        raise


def masked(cause: str, files: Mapping[str, str]) -> str:
    """The cause without values of hidden parameters.

    Where a file is no valid YAML, it is not known what is secret, and Heat quotes the file: one line is left then.
    """
    documents = []
    for name, text in files.items():
        if name.endswith(_YAML):
            try:
                documents.append(yaml.load(text, yaml.CSafeLoader))
            except yaml.YAMLError:
                return f"{name} is no valid YAML: {cause.splitlines()[0]}" if cause else f"{name} is no valid YAML"
    for secret in sorted(_secrets([each for each in documents if isinstance(each, dict)]), key=len, reverse=True):
        cause = _without(cause, secret)
    return cause


def shown(parameters: Mapping[str, Mapping[str, Any]]) -> dict[str, Mapping[str, Any]]:
    """Heat's description of parameters without values and defaults of hidden ones."""
    return {
        name: {key: value for key, value in about.items() if key not in {"Value", "Default"}}
        if str(about.get("NoEcho")).lower() == "true"
        else about
        for name, about in parameters.items()
    }


def _secrets(documents: Iterable[Mapping[str, Any]]) -> set[str]:
    """Values and defaults of hidden parameters; ``Compute-1::Password`` is hidden when ``Password`` is."""
    names: set[str] = set()
    given: list[tuple[str, Any]] = []
    for document in documents:
        for name, about in _mapping(document.get("parameters")).items():
            if not isinstance(about, dict) or "type" not in about:
                given.append((_short(name), about))
            elif str(about.get("hidden")).lower() == "true":
                names.add(_short(name))
                given.append((_short(name), about.get("default")))
        given += [(_short(name), value) for name, value in _mapping(document.get("parameter_defaults")).items()]
    return {text for name, value in given if name in names for text in _texts(value)}


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for each in value:
            yield from _texts(each)
    elif value is not None and str(value):
        yield str(value)
        yield repr(str(value))[1:-1]


def _without(cause: str, secret: str) -> str:
    for quote in "\"'":
        cause = cause.replace(f"{quote}{secret}{quote}", f"{quote}{MASK}{quote}")
    if len(secret) < _LENGTH:
        return cause
    cause = cause.replace(secret, MASK)
    # A long cause is cut, perhaps within the secret.
    cut = next((size for size in range(len(secret) - 1, _LENGTH - 1, -1) if cause.endswith(secret[:size])), 0)
    return f"{cause[:-cut]}{MASK}" if cut else cause


def _short(name: object) -> str:
    return str(name).rpartition("::")[2]


def _mapping(value: Any) -> Mapping[Any, Any]:
    return value if isinstance(value, dict) else {}
