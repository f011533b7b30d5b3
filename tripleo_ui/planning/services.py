"""Cloud services and the elements that fulfil them, read from data files.

A cloud service is a function of a cloud, such as the message broker; an element, such as ``rabbitmq-server``, is what
runs for it. The files of this package describe the usual ones. An operator adds more, or replaces one by its key, with
YAML files in a folder of their own, or with a package that has entry points in the group ``tripleo_ui.cloud_services``;
each names a function that returns such a folder's path. A process that knows the operator's folders says so once, with
``use``; they are in each ``registry`` from then on.
"""

import functools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from tripleo_ui.planning import parameters, schema, yamlio
from tripleo_ui.planning.errors import PlanningError
from tripleo_ui.planning.parameters import Parameter

ENTRY_POINTS = "tripleo_ui.cloud_services"
DATA = Path(__file__).parent / "data" / "services"
_OPERATORS: list[str] = []


@dataclass(frozen=True)
class ServiceParameter:
    """A parameter that elements read at run time.

    Attributes:
        parameter: its definition, with its short name.
        key: dotted path of its value in the configuration of a server: ``rabbit.username``.
        shared: all roles have the same value, so it is a parameter of the whole plan.
        client: roles whose services require this one need it too.
    """

    parameter: Parameter
    key: str
    shared: bool = False
    client: bool = False


@dataclass(frozen=True)
class Endpoint:
    """Where a service is reached; the path begins with a slash or is empty."""

    name: str
    port: int
    path: str = ""
    protocol: str = "http"


@dataclass(frozen=True)
class NestedFile:
    """A file of the package whose text is a value of a server's configuration."""

    name: str
    key: str
    content: str


@dataclass(frozen=True)
class Element:
    """What may fulfil a service.

    Attributes:
        conflicts: keys of elements that cannot be on the same role.
        excludes: keys of elements that cannot be in the same plan.
        files: files that go with its configuration.
        serves: names of the endpoints that it serves; all of the service unless said otherwise.
    """

    key: str
    label: str
    description: str = ""
    conflicts: tuple[str, ...] = ()
    excludes: tuple[str, ...] = ()
    parameters: tuple[ServiceParameter, ...] = ()
    files: tuple[NestedFile, ...] = ()
    serves: tuple[str, ...] = ()


@dataclass(frozen=True)
class CloudService:
    """A function of a cloud.

    Attributes:
        elements: alternatives; the first is the usual one.
        multiple: whether more than one role of a plan may have it.
        everywhere: key of the element that each role has which chose none itself; empty for no such.
        requires: keys of services that some role of the plan must have.
        endpoints: where it is reached.
    """

    key: str
    label: str
    description: str
    elements: tuple[Element, ...]
    multiple: bool = False
    everywhere: str = ""
    requires: tuple[str, ...] = ()
    endpoints: tuple[Endpoint, ...] = ()
    source: str = field(default="", compare=False)

    def element(self, key: str) -> Element | None:
        """The element of that key, or None."""
        return next((element for element in self.elements if element.key == key), None)


class Registry:
    """All cloud services, by key; the order is the one to show."""

    def __init__(self, services: Iterable[CloudService]) -> None:
        self.services: Mapping[str, CloudService] = {service.key: service for service in services}

    def __iter__(self) -> Iterator[CloudService]:
        return iter(self.services.values())

    def get(self, key: str) -> CloudService | None:
        """The service of that key, or None."""
        return self.services.get(key)

    def element(self, service: str, element: str) -> Element | None:
        """The element of a service, or None where either is unknown."""
        found = self.get(service)
        return found.element(element) if found else None


def use(folders: Iterable[str | Path]) -> None:
    """Make these the operator's folders in this process, in place of those before; none of them is read yet."""
    _OPERATORS[:] = map(str, folders)


def registry(paths: Iterable[str | Path] = ()) -> Registry:
    """All cloud services: this package's, those of entry points, of the operator's folders, then of ``paths``.

    They are read once per process.

    Args:
        paths: more folders with YAML files; a service there replaces one of the same key.

    Raises:
        PlanningError: a file is no description of a service, or two do not go together; says file and line.
    """
    return _read_all((*_OPERATORS, *map(str, paths)))


@functools.lru_cache(maxsize=8)
def _read_all(paths: tuple[str, ...]) -> Registry:
    services: dict[str, CloudService] = {}
    for folder in (DATA, *_installed(), *map(Path, paths)):
        if not folder.is_dir():
            raise PlanningError("no folder with cloud services", str(folder))
        for path in sorted([*folder.glob("*.yaml"), *folder.glob("*.yml")]):
            service = read(_text(path), str(path))
            services[service.key] = service
    _check_together(services)
    return Registry(services.values())


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise PlanningError(f"cannot be read: {error}", str(path)) from error


def _check_together(services: Mapping[str, CloudService]) -> None:
    """What one service names must exist, and a name or a key means the same in all of them."""
    names: dict[str, ServiceParameter] = {}
    keys: dict[str, str] = {}
    for service in services.values():
        for key in service.requires:
            if key not in services:
                raise PlanningError(f"{service.key} requires the service {key}, which does not exist", service.source)
        for item in (item for element in service.elements for item in element.parameters):
            name = item.parameter.name
            if names.setdefault(name, item) != item:
                raise PlanningError(f"another service has a different parameter {name}", service.source)
            if keys.setdefault(item.key, name) != name:
                raise PlanningError(f"{name} and {keys[item.key]} have the same key {item.key}", service.source)
    for key, name in keys.items():
        parts = key.split(".")
        for end in range(1, len(parts)):
            outer = ".".join(parts[:end])
            if outer in keys:
                raise PlanningError(f"the key of {name}, {key}, lies inside that of {keys[outer]}, {outer}")


def _installed() -> list[Path]:
    folders = []
    for point in sorted(entry_points(group=ENTRY_POINTS), key=lambda point: point.name):
        found = point.load()
        folders.append(Path(found() if callable(found) else found))
    return folders


def read(text: str, file: str) -> CloudService:
    """Read the description of one cloud service.

    Raises:
        PlanningError: it breaks the schema ``data/schemas/service.json``; says file and line.
    """
    document = yamlio.load(text, file)
    schema.check(document, "service")
    data = document.data
    known = {name: _parameter(document, data["key"], name, item) for name, item in data.get("parameters", {}).items()}
    endpoints = tuple(Endpoint(**item) for item in data.get("endpoints", ()))
    elements = tuple(_element(document, key, known, endpoints) for key in data["elements"])
    everywhere = data.get("everywhere", "")
    if everywhere and everywhere not in data["elements"]:
        raise document.error(f"everywhere names {everywhere}, which is no element of this service", ("everywhere",))
    return CloudService(
        key=data["key"],
        label=data["label"],
        description=data["description"],
        elements=elements,
        multiple=data.get("multiple", False),
        everywhere=everywhere,
        requires=tuple(data.get("requires", ())),
        endpoints=endpoints,
        source=file,
    )


def _parameter(document: yamlio.Document, service: str, name: str, item: Mapping[str, Any]) -> ServiceParameter:
    path = ("parameters", name)
    try:
        found = parameters.read(name, item)
        if found.default is not None:
            found.accept(found.default)
    except ValueError as error:
        raise document.error(f"{name}: {error}", path) from None
    return ServiceParameter(
        parameter=Parameter(**{**vars(found), "service": service}),
        key=item["key"],
        shared=item.get("shared", False),
        client=item.get("client", False),
    )


def _element(
    document: yamlio.Document, key: str, known: Mapping[str, ServiceParameter], endpoints: tuple[Endpoint, ...]
) -> Element:
    item = document.data["elements"][key]
    for name in item.get("parameters", ()):
        if name not in known:
            raise document.error(f"{key} reads {name}, which this file does not describe", ("elements", key))
    names = [endpoint.name for endpoint in endpoints]
    for name in item.get("serves", ()):
        if name not in names:
            raise document.error(f"{key} serves {name}, which is no endpoint of this file", ("elements", key))
    return Element(
        key=key,
        label=item["label"],
        description=item.get("description", ""),
        conflicts=tuple(item.get("conflicts", ())),
        excludes=tuple(item.get("excludes", ())),
        parameters=tuple(known[name] for name in item.get("parameters", ())),
        files=tuple(NestedFile(**nested) for nested in item.get("files", ())),
        serves=tuple(item.get("serves", names)),
    )
