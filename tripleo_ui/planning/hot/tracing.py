"""Where a role of a package gets its number, flavor and image from: a parameter, a default, a literal."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tripleo_ui.planning.hot import layout
from tripleo_ui.planning.hot.package import Package, section_of
from tripleo_ui.planning.yamlio import Document

_GROUPS = {
    layout.GROUP: ("resource_def", "count"),
    "OS::Heat::AutoScalingGroup": ("resource", "desired_capacity"),
    "OS::Heat::InstanceGroup": ("resource", "size"),
}
_DEEPEST = 8


@dataclass(frozen=True)
class Source:
    """Where a value comes from.

    Attributes:
        value: what it is now; None where it cannot be told.
        parameter: the master template's parameter that gives it; empty where none does.
        file: file with the literal or the default; empty where the value cannot be changed.
        path: where in that file.
    """

    value: Any = None
    parameter: str = ""
    file: str = ""
    path: tuple[Any, ...] = ()

    @property
    def fixed(self) -> bool:
        """Whether the template computes it, so that nothing can be put in its place."""
        return not self.parameter and not self.file


@dataclass(frozen=True)
class Group:
    """A role as the master template has it: a resource whose members are servers."""

    resource: str
    kind: str
    template: str
    count: Source
    flavor: Source
    image: Source

    @property
    def parameters(self) -> set[str]:
        """The master template's parameters that the role itself shows."""
        return {source.parameter for source in (self.count, self.flavor, self.image)} - {""}


@dataclass(frozen=True)
class _Frame:
    """A template that is being looked into, with the properties that its user gives it."""

    document: Document
    properties: Mapping[str, Any]
    path: tuple[Any, ...]
    outer: "_Frame | None" = None


def groups(package: Package) -> tuple[Group, ...]:
    """All roles of a package, in the order of its master template.

    A role is a group of resources, or one resource, with a server inside; groups of Tuskar's types always are.

    Raises:
        PlanningError: a template that one of them leads to is none.
    """
    return tuple(_groups(package))


def _groups(package: Package) -> Iterator[Group]:
    document = package.template(package.master)
    top = _Frame(document, {}, ())
    for name, resource in section_of(document, "resources").items():
        path: tuple[Any, ...] = ("resources", name)
        properties = _mapping(resource.get("properties"))
        count = Source(1)
        member, member_path = resource, path
        if resource["type"] in _GROUPS:
            member_key, count_key = _GROUPS[resource["type"]]
            member = _mapping(properties.get(member_key))
            member_path = (*path, "properties", member_key)
            count = _traced(package, top, properties.get(count_key, 1), (*path, "properties", count_key))
        kind = str(member.get("type") or "")
        inner = (*member_path, "properties")
        server = _server(package, _Frame(document, {}, ()), kind, _mapping(member.get("properties")), inner)
        template = package.file_of(kind, package.master)
        if server is not None:
            flavor, image = server
        elif kind.startswith(layout.ALIAS):
            flavor, image = (
                _traced(package, top, _mapping(member.get("properties")).get(key), (*inner, key))
                for key in (layout.FLAVOR, layout.IMAGE)
            )
        else:
            continue
        yield Group(name, kind, template, count, flavor, image)


def _server(
    package: Package, frame: _Frame, kind: str, properties: Mapping[str, Any], path: tuple[Any, ...], depth: int = 0
) -> tuple[Source, Source] | None:
    """Flavor and image of the first server in a resource or in the templates below; None where there is none."""
    if package.final_type(kind) == layout.SERVER:
        flavor = _traced(package, frame, properties.get("flavor"), (*path, "flavor"))
        return flavor, _traced(package, frame, properties.get("image"), (*path, "image"))
    file = package.file_of(kind, frame.document.file)
    if not file or depth > _DEEPEST:
        return None
    inner = _Frame(package.template(file), properties, path, frame)
    for name, resource in section_of(inner.document, "resources").items():
        below: Mapping[str, Any] = resource
        below_path: tuple[Any, ...] = ("resources", name)
        if resource["type"] in _GROUPS:
            key = _GROUPS[resource["type"]][0]
            below = _mapping(_mapping(resource.get("properties")).get(key))
            below_path = (*below_path, "properties", key)
        found = _server(
            package,
            inner,
            str(below.get("type") or ""),
            _mapping(below.get("properties")),
            (*below_path, "properties"),
            depth + 1,
        )
        if found is not None:
            return found
    return None


def _traced(package: Package, frame: _Frame, value: Any, path: tuple[Any, ...]) -> Source:
    """Follow a property's value through the templates up to where it is said."""
    file = frame.document.file
    name = _parameter(value)
    if not name:
        return (
            Source()
            if isinstance(value, dict | list)
            else Source(value, file=file if value is not None else "", path=path)
        )
    schema = section_of(frame.document, "parameters").get(name)
    if not isinstance(schema, dict):
        return Source()
    if frame.outer is not None and name in frame.properties:
        return _traced(package, frame.outer, frame.properties[name], (*frame.path, name))
    settings = package.settings()
    defaults = section_of(settings, "parameter_defaults")
    if frame.outer is None:
        given = {**defaults, **section_of(settings, "parameters")}
        return Source(given.get(name, schema.get("default")), parameter=name)
    if name in defaults:
        return Source(defaults[name], file=package.environment, path=("parameter_defaults", name))
    return Source(schema.get("default"), file=file, path=("parameters", name, "default"))


def _parameter(value: Any) -> str:
    """The parameter that a plain ``get_param`` names; empty for anything else."""
    if not isinstance(value, dict) or set(value) != {"get_param"}:
        return ""
    target = value["get_param"]
    if isinstance(target, Sequence) and not isinstance(target, str) and len(target) == 1:
        target = target[0]
    return target if isinstance(target, str) else ""


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
