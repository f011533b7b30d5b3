"""Roles: lists of cloud services with their chosen elements, an image and a flavor."""

import functools
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from tripleo_ui.planning import schema, yamlio
from tripleo_ui.planning.errors import PlanningError
from tripleo_ui.planning.services import Registry

DATA = Path(__file__).parent / "data" / "roles"

#: More servers of one role than this in one plan are taken for a slip of the keyboard.
MAX_COUNT = 1000


@dataclass(frozen=True)
class ServiceChoice:
    """A service that a role runs, and the element that fulfils it."""

    service: str
    element: str


@dataclass(frozen=True)
class Role:
    """What servers of one kind run.

    Attributes:
        services: the services with their elements; for a foreign role, whose template was written elsewhere, empty.
        image: name of the Glance image that it starts from.
        flavor: name of the Nova flavor that its nodes match.
        template: file name of a foreign role's template; empty where the template is generated.
    """

    name: str
    version: int = 1
    description: str = ""
    services: tuple[ServiceChoice, ...] = ()
    image: str = ""
    flavor: str = ""
    default_count: int = 1
    max_count: int = MAX_COUNT
    label: str = ""
    template: str = ""

    def __post_init__(self) -> None:
        """A label that only repeats the name is none."""
        if self.label == self.name:
            object.__setattr__(self, "label", "")

    @property
    def namespace(self) -> str:
        """``<Role>-<version>``: begins the names of its parameters, ends those of its file and resource type."""
        return f"{self.name}-{self.version}"

    @property
    def title(self) -> str:
        """What people read: the label, else the name."""
        return self.label or self.name

    def element(self, service: str) -> str:
        """Key of the element that fulfils a service here; empty where the role does not have it."""
        return next((choice.element for choice in self.services if choice.service == service), "")


@functools.cache
def default_roles() -> tuple[Role, ...]:
    """Controller, Compute, Block Storage, Object Storage, Network, All-in-One."""
    return tuple(read_folder(DATA))


def default_role(name: str, version: int = 1) -> Role | None:
    """The default role of that name and version, or None."""
    return next((role for role in default_roles() if (role.name, role.version) == (name, version)), None)


def read_folder(folder: Path) -> Iterable[Role]:
    """The roles that a folder's YAML files describe, in their order.

    Raises:
        PlanningError: a file describes no role.
    """
    found = [_read(path) for path in sorted(folder.glob("*.yaml"))]
    return [role for _order, role in sorted(found, key=lambda pair: pair[0])]


def _read(path: Path) -> tuple[int, Role]:
    document = yamlio.load(path.read_text(encoding="utf-8"), str(path))
    schema.check(document, "role")
    data = dict(document.data)
    order = data.pop("order", 0)
    data["services"] = tuple(ServiceChoice(service, element) for service, element in data["services"].items())
    return order, Role(**data)


def check_known(role: Role, services: Registry) -> None:
    """Check that all of a role's services and elements are known, and that no service comes twice.

    Raises:
        PlanningError: one is not.
    """
    seen: set[str] = set()
    for choice in role.services:
        if services.element(choice.service, choice.element) is None:
            raise PlanningError(f"the role {role.name} runs {choice.element} for {choice.service}, which is unknown")
        if choice.service in seen:
            raise PlanningError(f"the role {role.name} has the service {choice.service} twice")
        seen.add(choice.service)


def running(role: Role, services: Registry) -> tuple[ServiceChoice, ...]:
    """What a role's servers run: its own choices, then the elements that every role has."""
    own = {choice.service for choice in role.services}
    everywhere = (ServiceChoice(service.key, service.everywhere) for service in services if service.everywhere)
    return (*role.services, *(choice for choice in everywhere if choice.service not in own))
