"""The files of a package as a whole: which is the master template, what its resource types lead to."""

import posixpath
import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any

from tripleo_ui.planning import yamlio
from tripleo_ui.planning.errors import PlanningError
from tripleo_ui.planning.hot import layout
from tripleo_ui.planning.yamlio import Document

_TEMPLATES = (".yaml", ".yml", ".template", ".json")
_IS_TEMPLATE = re.compile(r"""^\s*[{]?\s*["']?heat_template_version["']?\s*:""", re.MULTILINE)
_IS_ENVIRONMENT = re.compile(r"""^["']?(resource_registry|parameter_defaults|parameters)["']?\s*:""", re.MULTILINE)
_SECTIONS = ("parameters", "resources", "outputs", "conditions")
_MAPPINGS = ("parameters", "parameter_defaults", "resource_registry")


class Package:
    """Files of templates; each is read when it is first asked for.

    Args:
        files: texts by name.
        master: name of the master template; found where it is not said.
    """

    def __init__(self, files: Mapping[str, str], master: str = "") -> None:
        self.files = files
        self._documents: dict[str, Document] = {}
        if master and master not in files:
            raise PlanningError("there is no such file in the package", master)
        self._given = master

    def document(self, name: str) -> Document:
        """A file as YAML.

        Raises:
            PlanningError: it is none.
        """
        if name not in self._documents:
            self._documents[name] = yamlio.load(self.files[name], name)
        return self._documents[name]

    @cached_property
    def master(self) -> str:
        """Name of the master template.

        Raises:
            PlanningError: none can be told.
        """
        if self._given or layout.MASTER in self.files:
            return self._given or layout.MASTER
        found = [name for name, text in self.files.items() if name.endswith(_TEMPLATES) and _IS_TEMPLATE.search(text)]
        named = {target for name in found for target in self._targets(name)}
        tops = [name for name in found if name not in named and name not in self._registered]
        if len(tops) == 1:
            return tops[0]
        if not found:
            raise PlanningError("no file of the package is a HOT template", next(iter(self.files), ""))
        raise PlanningError(
            f"which is the master template: {', '.join(sorted(tops or found))}? Name it {layout.MASTER}"
        )

    @cached_property
    def environment(self) -> str:
        """Name of the environment; the usual one where the package has none.

        Raises:
            PlanningError: there are several.
        """
        if layout.ENVIRONMENT in self.files:
            return layout.ENVIRONMENT
        found = [
            name
            for name, text in self.files.items()
            if name.endswith(_TEMPLATES) and _IS_ENVIRONMENT.search(text) and not _IS_TEMPLATE.search(text)
        ]
        if len(found) > 1:
            names = ", ".join(sorted(found))
            raise PlanningError(f"which is the environment: {names}? Name it {layout.ENVIRONMENT}", found[0])
        return found[0] if found else layout.ENVIRONMENT

    def template(self, name: str) -> Document:
        """A HOT template, its sections being mappings or null.

        Raises:
            PlanningError: it is none.
        """
        document = self.document(name)
        if not isinstance(document.data, dict) or "heat_template_version" not in document.data:
            raise document.error("no HOT template: heat_template_version is missing")
        for section in _SECTIONS:
            if not isinstance(document.data.get(section), dict | None):
                raise document.error(f"{section} is not a mapping", (section,))
        for key, resource in section_of(document, "resources").items():
            if not isinstance(resource, dict) or not isinstance(resource.get("type"), str):
                raise document.error(f"the resource {key} has no type", ("resources", key))
        for key, parameter in section_of(document, "parameters").items():
            if not isinstance(parameter, dict):
                raise document.error(f"the parameter {key} is not a mapping", ("parameters", key))
        return document

    def settings(self) -> Document:
        """The environment, its sections being mappings or null; an empty one where the package has none.

        Raises:
            PlanningError: it is none.
        """
        if self.environment not in self.files:
            return Document(self.environment, "", {}, None)
        document = self.document(self.environment)
        if document.data is None:
            return Document(self.environment, document.text, {}, document.root)
        if not isinstance(document.data, dict):
            raise document.error("the environment is not a mapping")
        for section in _MAPPINGS:
            if not isinstance(document.data.get(section), dict | None):
                raise document.error(f"{section} is not a mapping", (section,))
        return document

    @cached_property
    def registry(self) -> Mapping[str, Any]:
        """The environment's resource_registry."""
        return section_of(self.settings(), "resource_registry")

    def file_of(self, kind: str, source: str) -> str:
        """The template that a resource type leads to; empty for a type of Heat's own.

        Args:
            kind: the resource type, or a template's name.
            source: file that names it.
        """
        seen = set()
        while isinstance(self.registry.get(kind), str) and kind not in seen:
            seen.add(kind)
            kind, source = self.registry[kind], self.environment
        return self.resolve(kind, source) if kind.endswith(_TEMPLATES) else ""

    def final_type(self, kind: str) -> str:
        """The type that the registry gives in place of another."""
        seen = set()
        while isinstance(self.registry.get(kind), str) and kind not in seen:
            seen.add(kind)
            kind = self.registry[kind]
        return kind

    def resolve(self, target: str, source: str) -> str:
        """The file that a name in another means: relative to it or, as in Tuskar's packages, to the top; else empty."""
        near = posixpath.normpath(posixpath.join(posixpath.dirname(source), target))
        return next((name for name in (near, posixpath.normpath(target), target) if name in self.files), "")

    @cached_property
    def _registered(self) -> set[str]:
        targets = (value for value in self.registry.values() if isinstance(value, str))
        return {self.resolve(target, self.environment) for target in targets}

    def _targets(self, name: str) -> set[str]:
        return {self.resolve(target, name) for _path, target in named_files(self.document(name).data)}

    def for_heat(self) -> dict[str, str]:
        """The files under the names that Heat looks for.

        Heat finds a file by the very text that names it, while people write names relative to the file that they are
        in. A file that is named in several ways is there under each.

        Raises:
            PlanningError: two files are named by the same text.
        """
        special = {self.master: layout.MASTER, self.environment: layout.ENVIRONMENT}
        found = {special.get(name, name): text for name, text in self.files.items()}
        for source, path, target in self._named():
            name = self.resolve(target, source)
            if name and found.setdefault(target, self.files[name]) != self.files[name]:
                raise self.document(source).error(f"the name {target} means another file elsewhere", path)
        return found

    def _named(self) -> Iterator[tuple[str, tuple[Any, ...], str]]:
        """Each name of a file in the registry, the master template and all templates that these lead to."""
        queue, seen = [self.master], set[str]()
        for path, target in _leaves(self.registry, ("resource_registry",)):
            if target.endswith(_TEMPLATES):
                yield self.environment, path, target
                queue.append(self.resolve(target, self.environment))
        while queue:
            name = queue.pop(0)
            if not name or name in seen:
                continue
            seen.add(name)
            for path, target in named_files(self.document(name).data):
                yield name, path, target
                if path[-1] == "type":
                    queue.append(self.resolve(target, name))

    def missing(self) -> Iterator[PlanningError]:
        """Files that templates or the registry name and the package does not have."""
        for source, path, target in self._named():
            if "://" not in target and not self.resolve(target, source):
                yield self.document(source).error(f"the file {target} is not in the package", path)


def section_of(document: Document, name: str) -> dict[str, Any]:
    """A section of a template or an environment; null counts as empty."""
    found = document.data.get(name) if isinstance(document.data, dict) else None
    return found if isinstance(found, dict) else {}


def named_files(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], str]]:
    """Each file that a template names, with the path to its name: ``get_file``, and types that are templates."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        here = (*path, key)
        if isinstance(item, str):
            if key == "get_file" or (key == "type" and item.endswith(_TEMPLATES)):
                yield here, item
        else:
            yield from named_files(item, here)


def _leaves(registry: Mapping[str, Any], path: tuple[Any, ...]) -> Iterator[tuple[tuple[Any, ...], str]]:
    """The targets of a registry, those for single resources too; hooks and restrictions are no targets."""
    for key, value in registry.items():
        if isinstance(value, Mapping):
            yield from _leaves(value, (*path, key))
        elif isinstance(value, str) and key not in {"hooks", "restricted_actions", "base_url"}:
            yield (*path, key), value
