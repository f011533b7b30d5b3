"""What the files of a package say about each other."""

import posixpath
from collections.abc import Iterator, Mapping
from typing import Any

from tripleo_ui.planning import yamlio
from tripleo_ui.planning.errors import PlanningError
from tripleo_ui.planning.hot import layout

Path = tuple[str | int, ...]

_TEMPLATES = (".yaml", ".yml", ".template")


def missing(files: Mapping[str, str]) -> Iterator[PlanningError]:
    """Every file that a package names and does not have, with the file and line that names it.

    Raises:
        PlanningError: a template is no YAML.
    """
    environment = yamlio.value(files.get(layout.ENVIRONMENT, ""), layout.ENVIRONMENT) or {}
    registry = environment.get("resource_registry") or {}
    for path, target in _registered(registry, ("resource_registry",)):
        yield from _absent(files, layout.ENVIRONMENT, path, target)
    for name, text in files.items():
        if name.endswith(_TEMPLATES):
            value = yamlio.value(text, name)
            if isinstance(value, Mapping) and "heat_template_version" in value:
                for path, target in _named(value, ()):
                    yield from _absent(files, name, path, target)


def uses_of(text: str, namespace: str) -> list[str]:
    """The resources and outputs of a template that refer to a role's group, its type or its parameters."""
    template = yamlio.mapping(text)
    name = namespace.rpartition("-")[0] or namespace
    found = []
    for section in ("resources", "outputs"):
        for key, value in (template.get(section) or {}).items():
            if any(_refers(text_, name, namespace) for text_ in _texts(value)):
                found.append(f"{section}.{key}")
    return found


def _refers(text: str, name: str, namespace: str) -> bool:
    return text in {name, layout.ALIAS + namespace} or text.startswith(f"{namespace}::")


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from _texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)


def _registered(registry: Any, path: Path) -> Iterator[tuple[Path, str]]:
    """Targets of the registry; hooks and nested mappings name no files but in their leaves."""
    for key, target in registry.items():
        if key in {"hooks", "restricted_actions", "base_url"}:
            continue
        if isinstance(target, Mapping):
            yield from _registered(target, (*path, key))
        elif isinstance(target, str) and target.endswith(_TEMPLATES):
            yield (*path, key), target


def _named(value: Any, path: Path) -> Iterator[tuple[Path, str]]:
    """Files that a template names: ``get_file``, and resource types that are templates."""
    items = value.items() if isinstance(value, Mapping) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        if isinstance(item, str) and (key == "get_file" or (key == "type" and item.endswith(_TEMPLATES))):
            yield (*path, key), item
        else:
            yield from _named(item, (*path, key))


def _absent(files: Mapping[str, str], source: str, path: Path, target: str) -> Iterator[PlanningError]:
    """A name is relative to the file that has it; Tuskar's packages also write them from the root."""
    if "://" in target or target.startswith("/"):
        return
    relative = posixpath.normpath(posixpath.join(posixpath.dirname(source), target))
    if relative not in files and target not in files:
        line = yamlio.line_of(files[source], path)
        yield PlanningError(f"the file {target} is missing from the package", source, line)
