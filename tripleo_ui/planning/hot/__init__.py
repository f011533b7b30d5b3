"""Plans to and from Heat's templates.

A package is ``plan.yaml`` (the master template), ``environment.yaml`` (the registry and the values), for each role
``provider-<Role>-<version>.yaml``, and the files that these name.
"""

from collections.abc import Mapping

from tripleo_ui.planning import yamlio
from tripleo_ui.planning.errors import PlanningError
from tripleo_ui.planning.hot import amending, foreign, master, own, provider
from tripleo_ui.planning.hot.layout import ENVIRONMENT, MASTER
from tripleo_ui.planning.hot.layout import provider as provider_file
from tripleo_ui.planning.hot.package import Package
from tripleo_ui.planning.plan import Plan
from tripleo_ui.planning.roles import check_known
from tripleo_ui.planning.services import Registry, registry

__all__ = ["ENVIRONMENT", "MASTER", "compose", "for_heat", "parse"]


def compose(plan: Plan, services: Registry | None = None) -> dict[str, str]:
    """The files of a plan, by name; equal plans give equal bytes.

    Args:
        plan: what to compose; its problems are not looked for here, see ``planning.checks``.
        services: all cloud services; those of this package where none are given.

    Raises:
        PlanningError: a role runs something that no service describes, or a service twice, which could only be
            dropped; or a package that was written elsewhere cannot take a change.
    """
    services = services or registry()
    if plan.foreign:
        return amending.compose(plan, services)
    roles = [each.role for each in plan.roles]
    for role in roles:
        check_known(role, services)
    files = {
        MASTER: yamlio.dump(master.template(plan, services)),
        ENVIRONMENT: yamlio.dump(master.environment(plan, services)),
    }
    for role in roles:
        files[provider_file(role.namespace)] = yamlio.dump(provider.template(role, roles, services))
        files |= provider.nested_files(role, services)
    return files


def parse(files: Mapping[str, str], services: Registry | None = None) -> Plan:
    """The plan that a package holds.

    A package that composing the result would not give again, byte for byte, was written or changed elsewhere; the
    plan then keeps its files.

    Raises:
        PlanningError: a file is no template; says file and line.
    """
    plan = _own(files, services or registry())
    return plan if plan is not None else foreign.parse(files)


def _own(files: Mapping[str, str], services: Registry) -> Plan | None:
    if MASTER not in files or ENVIRONMENT not in files:
        return None
    names = [name for name in files if name in {MASTER, ENVIRONMENT} or name.startswith("provider-")]
    plan = own.read({name: yamlio.load(files[name], name) for name in names})
    if plan is None:
        return None
    try:
        return plan if compose(plan, services) == dict(files) else None
    except (PlanningError, TypeError, ValueError, AttributeError):
        return None


def for_heat(files: Mapping[str, str]) -> dict[str, str]:
    """A package's files under the names that Heat looks for; those of a package of ours are as they are.

    The master template becomes ``plan.yaml``, the environment ``environment.yaml``. Heat finds a file by the very text
    that names it, so a file that templates name relative to their folders is there under each of these names too.

    Raises:
        PlanningError: a file is no template, or one text names two files.
    """
    return Package(files).for_heat()
