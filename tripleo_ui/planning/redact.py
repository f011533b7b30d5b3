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
    documents = _documents(package)
    names = _hidden_names(documents)
    return {name: _masked(text, documents[name], names) for name, text in package.items()}


def hidden_names(package: Mapping[str, str]) -> set[str]:
    """Names of the parameters that a template of the package hides, or that its environment encrypts.

    A role's template hides ``NovaPassword``, which is ``Compute-1::NovaPassword`` in the environment: one name that is
    hidden hides all that end with it.
    """
    return _hidden_names(_documents(package))


def _documents(package: Mapping[str, str]) -> dict[str, Document | PlanningError | None]:
    """The files as YAML; None for one that is none, the error for one that should be."""
    found: dict[str, Document | PlanningError | None] = {}
    for name, text in package.items():
        try:
            found[name] = yamlio.load(text, name) if name.endswith(_YAML) else None
        except PlanningError as error:
            found[name] = error
    return found


def _hidden_names(documents: Mapping[str, Document | PlanningError | None]) -> set[str]:
    names: set[str] = set()
    given: set[str] = set()
    for document in documents.values():
        data = document.data if isinstance(document, Document) else None
        if isinstance(data, dict):
            names.update(parameter for parameter, _definition in _hidden(data))
            encrypted = data.get("encrypted_param_names")
            names.update(map(str, encrypted) if isinstance(encrypted, list) else ())
            given.update(() if _is_template(data) else (path[-1] for path in _values(data)))
    short = {name.rpartition("::")[2] for name in names}
    return names | {name for name in given if name.rpartition("::")[2] in short}


def _hidden(data: Mapping[Any, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """A template's hidden parameters with their definitions."""
    parameters = data.get("parameters")
    for name, definition in parameters.items() if isinstance(parameters, dict) else ():
        if isinstance(definition, dict) and str(definition.get("hidden", "")).lower() in _TRUE:
            yield str(name), definition


def _values(data: Mapping[Any, Any]) -> Iterator[tuple[str, str]]:
    """Paths of the values in an environment."""
    for section in ("parameters", "parameter_defaults"):
        found = data.get(section)
        yield from ((section, str(name)) for name in found) if isinstance(found, dict) else ()


def _is_template(data: Mapping[Any, Any]) -> bool:
    return "heat_template_version" in data


def _masked(text: str, document: Document | PlanningError | None, names: set[str]) -> str:
    if isinstance(document, PlanningError):
        sections = ("parameters", "parameter_defaults", "heat_template_version")
        return (
            f"# Not shown, because it cannot be read: {document}\n" if any(map(text.__contains__, sections)) else text
        )
    if document is None or not isinstance(document.data, dict):
        return text
    editor = Editor(document)
    if _is_template(document.data):
        paths: list[tuple[str, ...]] = [("parameters", name, "default") for name, _definition in _hidden(document.data)]
    else:
        paths = [path for path in _values(document.data) if path[1] in names]
    for path in paths:
        if editor.get(path) not in (None, "", {}, []):
            editor.set(path, MASK)
    return editor.text()
