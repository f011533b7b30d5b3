"""A plan: roles with their numbers, and the values of parameters. A value, without any I/O."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tripleo_ui.planning import needs
from tripleo_ui.planning.parameters import Parameter
from tripleo_ui.planning.roles import Role
from tripleo_ui.planning.services import Registry, registry


@dataclass(frozen=True)
class PlanRole:
    """A role in a plan.

    Attributes:
        role: what the servers run.
        count: how many there are.
        flavor: name of the flavor that their nodes match.
        image: name of the image that they start from.
        group: name of the resource that holds them; empty for the usual one. Not compared: it says where the servers
            are, not what they are.
    """

    role: Role
    count: int = 1
    flavor: str = ""
    image: str = ""
    group: str = field(default="", compare=False)

    @property
    def name(self) -> str:
        """The role's name."""
        return self.role.name

    @property
    def namespace(self) -> str:
        """The role's name with its version: ``Compute-1``."""
        return self.role.namespace


@dataclass(frozen=True)
class Plan:
    """A plan.

    Attributes:
        name: of the plan, its Swift container and its stack.
        roles: in the order to show.
        parameters: the values that were given, by full name; defaults are not among them.
        files: the package that the plan was read from, when it was written or changed elsewhere. Composing changes
            in it only what the plan has changed. Empty for a plan whose files are all generated.
    """

    name: str = ""
    description: str = ""
    roles: tuple[PlanRole, ...] = ()
    parameters: Mapping[str, Any] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict, repr=False)

    @property
    def foreign(self) -> bool:
        """Whether its templates were written or changed elsewhere."""
        return bool(self.files)

    def role(self, name: str) -> PlanRole | None:
        """The role of that namespace or, if there is none, of that name."""
        exact = (each for each in self.roles if each.namespace == name)
        return next(exact, next((each for each in self.roles if each.name == name), None))

    def group(self, plan_role: PlanRole) -> str:
        """Name of the resource that holds a role's servers.

        It is the role's name; where a plan has several versions of a role, the lowest keeps the plain name, so that
        adding a version leaves the servers of the other alone.
        """
        if plan_role.group:
            return plan_role.group
        lowest = min(
            (each.role.version for each in self.roles if each.name == plan_role.name), default=plan_role.role.version
        )
        return plan_role.name if plan_role.role.version == lowest else plan_role.namespace


def parameters(plan: Plan, services: Registry | None = None) -> tuple[Parameter, ...]:
    """All parameters that a person may set, with their values: those for all roles first, then each role's.

    Count, flavor and image are parts of the roles and are not among them.
    """
    if plan.foreign:
        from tripleo_ui.planning.hot import foreign  # noqa: PLC0415 - it needs Plan itself

        found = foreign.parameters(plan)
    else:
        found = needs.parameters([each.role for each in plan.roles], services or registry())
    return tuple(
        each.with_value(plan.parameters[each.name]) if each.name in plan.parameters else each for each in found
    )
