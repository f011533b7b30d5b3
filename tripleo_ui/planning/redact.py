"""A package without its secrets, for eyes and logs."""

from collections.abc import Iterator, Mapping
from typing import Any

from tripleo_ui.planning import yamlio
from tripleo_ui.planning.edits import Editor
from tripleo_ui.planning.errors import PlanningError
from tripleo_ui.planning.parameters import MASK
from tripleo_ui.planning.yamlio import Document

_YAML = (".yaml", ".yml", ".template", ".json", ".env")
_TRUE = frozenset({"true", "yes", "on", "t", "y", "1"})


def files(package: Mapping[str, str]) -> dict[str, str]:
    """The package with the values and defaults of hidden parameters masked; every other byte is as it was.

    A file that says it is a template or an environment, and cannot be read, is not shown at all.
    """
    names = hidden_names(package)
    return {name: _masked(name, text, names) for name, text in package.items()}


def hidden_names(package: Mapping[str, str]) -> set[str]:
    """Names of the parameters that a template of the package hides, or that its environment encrypts.

    A role's template hides ``NovaPassword``, which is ``Compute-1::NovaPassword`` in the environment: one name that is
    hidden hides all that end with it.
    """
    names: set[str] = set()
    for name, text in package.items():
        document = _document(name, text)
        data = document.data if document else None
        if isinstance(data, dict):
            names.update(parameter for parameter, _definition in _hidden(data))
            encrypted = data.get("encrypted_param_names")
            names.update(map(str, encrypted) if isinstance(encrypted, list) else ())
    every = {parameter for text in package.items() for parameter in _given(*text)}
    short = {name.rpartition("::")[2] for name in names}
    return names | {name for name in every if name.rpartition("::")[2] in short}


def _hidden(data: Mapping[Any, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """A template's hidden parameters with their definitions."""
    parameters = data.get("parameters")
    for name, definition in parameters.items() if isinstance(parameters, dict) else ():
        if isinstance(definition, dict) and str(definition.get("hidden", "")).lower() in _TRUE:
            yield str(name), definition


def _given(name: str, text: str) -> set[str]:
    document = _document(name, text)
    return {path[-1] for path in _values(document.data)} if document and not _is_template(document) else set()


def _values(data: Any) -> Iterator[tuple[str, str]]:
    """Paths of the values in an environment."""
    for section in ("parameters", "parameter_defaults"):
        found = data.get(section) if isinstance(data, dict) else None
        yield from ((section, str(name)) for name in found) if isinstance(found, dict) else ()


def _is_template(document: Document) -> bool:
    return isinstance(document.data, dict) and "heat_template_version" in document.data


def _masked(name: str, text: str, names: set[str]) -> str:
    try:
        document = _document(name, text, strict=True)
    except PlanningError as error:
        sections = ("parameters", "parameter_defaults", "heat_template_version")
        return f"# Not shown, because it cannot be read: {error}\n" if any(map(text.__contains__, sections)) else text
    if document is None:
        return text
    editor = Editor(document)
    if _is_template(document):
        paths: list[tuple[str, ...]] = [("parameters", name, "default") for name, _definition in _hidden(document.data)]
    else:
        paths = [path for path in _values(document.data) if path[1] in names]
    for path in paths:
        if editor.get(path) not in (None, ""):
            editor.set(path, MASK)
    return editor.text()


def _document(name: str, text: str, *, strict: bool = False) -> Document | None:
    if not name.endswith(_YAML):
        return None
    try:
        return yamlio.load(text, name)
    except PlanningError:
        if strict:
            raise
        return None
