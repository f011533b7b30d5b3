"""From what was typed to a plan, and from a stored plan to the sections of a draft."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _

from tripleo_ui.config import settings
from tripleo_ui.planning import checks
from tripleo_ui.planning.checks import Problem
from tripleo_ui.planning.parameters import Parameter
from tripleo_ui.planning.plan import Plan, PlanRole, parameters
from tripleo_ui.planning.roles import Role, ServiceChoice, default_roles
from tripleo_ui.planning.services import Registry, registry

from .sections import Section, Sections

#: Roles that a new plan begins with.
FIRST_ROLES = frozenset({"Controller", "Compute"})


@dataclass(frozen=True)
class Built:
    """A plan made from sections.

    ``parameters`` are all of the plan, with the values as typed where they could be read; ``changed`` names those
    that differ from their defaults. ``problems`` are in the order of the steps.
    """

    plan: Plan
    parameters: tuple[Parameter, ...]
    problems: tuple[Problem, ...]
    changed: tuple[str, ...]


def services() -> Registry:
    """All cloud services, the operator's own included."""
    paths = [path for path in settings.services_path.split(":") if path]
    return registry(paths)


def service_keys() -> list[str]:
    """The keys of all cloud services."""
    return [service.key for service in services()]
