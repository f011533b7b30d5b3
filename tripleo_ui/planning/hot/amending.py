"""Composes a package that was written elsewhere: its files, with what the plan changed."""

from collections.abc import Mapping
from typing import Any

from tripleo_ui.planning.errors import PlanningError
from tripleo_ui.planning.hot import adding, foreign, layout, provider, removal, tracing
from tripleo_ui.planning.hot.package import Package
from tripleo_ui.planning.hot.tracing import Group, Source
from tripleo_ui.planning.hot.work import Work
from tripleo_ui.planning.plan import Plan, PlanRole
from tripleo_ui.planning.roles import check_known
from tripleo_ui.planning.services import Registry


def compose(plan: Plan, services: Registry) -> dict[str, str]:
    """The package's files; untouched ones are byte-identical.

    Raises:
        PlanningError: the package cannot take a change: the templates compute a value, a role that goes is needed, a
            template of others has no services to choose.
    """
    base = foreign.parse(plan.files)
    if _same(plan, base):
        return dict(plan.files)
    package = Package(plan.files)
    work = Work(package)
    found = foreign.roles(package, tracing.groups(package), foreign.declared(package))
    groups = {before.namespace: group for before, group in found}
    _describe(work, plan, base)
    _remove(work, plan, groups)
    _change(work, plan, base, groups)
    _values(work, plan, base)
    _generate(work, plan, base, groups, services)
    return work.files()


def _same(plan: Plan, base: Plan) -> bool:
    return (plan.name, plan.description, plan.roles, dict(plan.parameters)) == (
        base.name,
        base.description,
        base.roles,
        dict(base.parameters),
    )


def _describe(work: Work, plan: Plan, base: Plan) -> None:
    if plan.description != base.description:
        if plan.description:
            work.master.set(("description",), plan.description)
        else:
            work.master.remove(("description",))
    if plan.name != base.name and work.master.has(("parameters", layout.PLAN_NAME)):
        work.set_value(layout.PLAN_NAME, plan.name)


def _remove(work: Work, plan: Plan, groups: Mapping[str, Group]) -> None:
    staying = {each.namespace for each in plan.roles}
    kept = [group for space, group in groups.items() if space in staying]
    for space, group in groups.items():
        if space not in staying:
            removal.remove(work, space, group, kept)


def _change(work: Work, plan: Plan, base: Plan, groups: Mapping[str, Group]) -> None:
    """Put new numbers, flavors and images where the old ones came from."""
    before = {each.namespace: each for each in base.roles}
    wanted: dict[tuple[str, str, tuple[Any, ...]], tuple[Any, str]] = {}
    for each in plan.roles:
        if each.namespace not in groups:
            continue
        old, group = before[each.namespace], groups[each.namespace]
        for what, source, was, now in (
            ("number", group.count, old.count, each.count),
            ("flavor", group.flavor, old.flavor, each.flavor),
            ("image", group.image, old.image, each.image),
        ):
            _put(work, source, was, now, f"the {what} of {each.name}")
            if not source.fixed:
                key = (source.parameter, source.file, source.path)
                other, holder = wanted.setdefault(key, (now, each.name))
                if other != now:
                    place = source.parameter or f"{source.file}: {'.'.join(map(str, source.path))}"
                    raise PlanningError(f"the {what} of {holder} and {each.name} is the same, from {place}")


def _put(work: Work, source: Source, was: Any, now: Any, what: str) -> None:
    if was == now:
        return
    if source.fixed:
        raise PlanningError(f"{what} cannot be changed: the templates compute it", work.package.master)
    if source.parameter:
        work.set_value(source.parameter, now)
    else:
        work.editor(source.file).set(source.path, now)


def _values(work: Work, plan: Plan, base: Plan) -> None:
    for name, value in plan.parameters.items():
        if (
            name not in base.parameters
            or base.parameters[name] != value
            or type(base.parameters[name]) is not type(value)
        ):
            work.set_value(name, value)
    for name in base.parameters:
        if name not in plan.parameters:
            work.unset_value(name)


def _generate(work: Work, plan: Plan, base: Plan, groups: Mapping[str, Group], services: Registry) -> None:
    """Generate the roles that are new, and those of ours whose templates become different."""
    before = {each.namespace: each for each in base.roles}
    old_roles = [each.role for each in base.roles]
    new_roles = [each.role for each in plan.roles]
    for each in plan.roles:
        if each.namespace not in groups:
            adding.add(work, plan, _checked(each, services), services)
            continue
        old = before[each.namespace]
        if old.role.template:
            if each.role.services != old.role.services:
                reason = f"the services of {each.name} are said in its template, which was written elsewhere"
                raise PlanningError(reason, old.role.template)
        elif provider.template(old.role, old_roles, services) != provider.template(each.role, new_roles, services):
            adding.renew(work, plan, _checked(each, services), services)


def _checked(each: PlanRole, services: Registry) -> PlanRole:
    if each.role.template:
        raise PlanningError(f"{each.name} cannot be added: its template belongs to another package")
    check_known(each.role, services)
    return each
