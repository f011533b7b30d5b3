"""Heat repeats a value that it refuses, hidden or not; here it is taken out of what people and logs are told."""

import re
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import yaml

from tripleo_ui.services.errors import ServiceError

MASK = "******"
_YAML = (".yaml", ".yml", ".template", ".json", ".env")
# A shorter value is replaced only where it stands in quotes: it may be part of any word.
_LENGTH = 4
# What Heat says of everything that went well: there is no value in it.
_PLAIN = re.compile(r"(state changed|stack \w+ (started|completed successfully))?", re.IGNORECASE)
#: Stands for a reason while it is not known what is secret in it.
WITHHELD = "Heat's reason is withheld: the plan, which says what is secret, cannot be read."


class _UnreadableError(Exception):
    """A file, by its name, is no valid YAML."""


class Secrets:
    """Values of hidden parameters, to take out of what Heat tells about a stack while it works on it.

    Args:
        read: answers the packages that the stack is or was made of, ``{file name: text}`` each; None where they cannot
            be read. It is called once, and not before a text needs it.
    """

    def __init__(self, read: Callable[[], Iterable[Mapping[str, str]] | None]) -> None:
        self._read = read
        self._lock = threading.Lock()
        self._known: list[list[str] | None] = []

    def mask(self, text: str) -> str:
        """The text without secrets; where these cannot be known, a sentence that says so."""
        if _PLAIN.fullmatch(text):
            return text
        with self._lock:
            if not self._known:
                self._known.append(self._values())
        values = self._known[0]
        return WITHHELD if values is None else _without_all(text, values)

    def _values(self) -> list[str] | None:
        packages = self._read()
        try:
            return None if packages is None else _longest_first({each for files in packages for each in _hidden(files)})
        except _UnreadableError:
            return None


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
    try:
        return _without_all(cause, _longest_first(_hidden(files)))
    except _UnreadableError as unreadable:
        return f"{unreadable} is no valid YAML: {cause.splitlines()[0]}" if cause else f"{unreadable} is no valid YAML"


def shown(parameters: Mapping[str, Mapping[str, Any]]) -> dict[str, Mapping[str, Any]]:
    """Heat's description of parameters without values and defaults of hidden ones."""
    return {
        name: {key: value for key, value in about.items() if key not in {"Value", "Default"}}
        if str(about.get("NoEcho")).lower() == "true"
        else about
        for name, about in parameters.items()
    }


def _hidden(files: Mapping[str, str]) -> set[str]:
    documents = []
    for name, text in files.items():
        if name.endswith(_YAML):
            try:
                documents.append(yaml.load(text, yaml.CSafeLoader))
            except yaml.YAMLError:
                raise _UnreadableError(name) from None
    return _secrets([each for each in documents if isinstance(each, dict)])


def _longest_first(secrets: Iterable[str]) -> list[str]:
    return sorted(secrets, key=len, reverse=True)


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


def _without_all(cause: str, secrets: Iterable[str]) -> str:
    for secret in secrets:
        cause = _without(cause, secret)
    return cause


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
