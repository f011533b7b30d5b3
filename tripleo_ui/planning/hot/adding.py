"""Puts a generated role into a package that was written elsewhere, or generates one there anew."""

from collections.abc import Mapping
from typing import Any

from tripleo_ui.planning import needs, yamlio
from tripleo_ui.planning.hot import endpoints, layout, master, provider
from tripleo_ui.planning.hot.package import section_of
from tripleo_ui.planning.hot.work import Work, parameters_of
from tripleo_ui.planning.plan import Plan, PlanRole
from tripleo_ui.planning.services import Registry


def add(work: Work, plan: Plan, each: PlanRole, services: Registry) -> None:
    """Write a role's template, its group, its parameters with their values, its alias and its outputs.

    A parameter for all roles that the package has with another type becomes one of this role's own.

    Raises:
        PlanningError: the package has a resource of the group's name, or two elements of the role clash.
    """
    document = work.package.document(work.package.master)
    name = plan.group(each)
    if name in section_of(document, "resources"):
        raise document.error(f"{name} cannot be added: a resource has that name", ("resources", name))
    _write(work, plan, each, services)
    work.environment.set(("resource_registry", layout.alias(each.namespace)), layout.provider(each.namespace))
    for parameter, value in master.role_values(each).items():
        work.set_value(parameter, value)
    for output, value in master.role_outputs(plan, each).items():
        if not work.master.has(("outputs", output)):
            work.master.set(("outputs", output), value)


def renew(work: Work, plan: Plan, each: PlanRole, services: Registry) -> None:
    """Generate a role's template and group again, because it or a role that it calls runs something else."""
    roles = [other.role for other in plan.roles]
    wanted = {parameter.name for parameter in master.role_parameters(each, roles, services)}
    gone = parameters_of(work.package, each.namespace) - wanted
    for name in sorted(gone):
        work.master.remove(("parameters", name))
        work.unset_value(name)
    work.drop_from_parameter_groups(gone)
    _write(work, plan, each, services)


def _write(work: Work, plan: Plan, each: PlanRole, services: Registry) -> None:
    roles = [other.role for other in plan.roles]
    group = master.group(plan, each, services)
    properties = group["properties"]["resource_def"]["properties"]
    _declare(work, plan, each, services, properties)
    work.put(("resources", plan.group(each)), group)
    for key, resource in endpoints.resources(plan, services).items():
        if not work.master.has(("resources", key)):
            work.master.set(("resources", key), resource)
    work.write(layout.provider(each.namespace), yamlio.dump(provider.template(each.role, roles, services)))
    for file, text in provider.nested_files(each.role, services).items():
        work.write(file, text)


def _declare(
    work: Work, plan: Plan, each: PlanRole, services: Registry, properties: dict[str, Mapping[str, Any]]
) -> None:
    """Declare what the role needs and the package lacks."""
    roles = [other.role for other in plan.roles]
    shared = [parameter for parameter in needs.parameters(roles, services) if not parameter.role]
    mine = {item.parameter.name for item in needs.of_role(each.role, roles, services)}
    mine |= {item.name for item in needs.WIRING}
    declared = work.master.get(("parameters",)) or {}
    plan_name = {**master.PLAN_NAME.hot(), "default": plan.name or "overcloud"}
    if layout.PLAN_NAME not in declared:
        work.master.set(("parameters", layout.PLAN_NAME), plan_name)
    for parameter in shared:
        there = declared.get(parameter.name)
        if parameter.name not in mine or (there is not None and there.get("type") == parameter.type):
            continue
        name = parameter.name
        if there is not None:
            name = layout.full(each.namespace, parameter.name)
            properties[parameter.name] = {"get_param": [name]}
        work.put(("parameters", name), parameter.hot())
    own = master.role_parameters(each, roles, services)
    for parameter in own:
        work.put(("parameters", parameter.name), parameter.hot())
    groups = work.master.get(("parameter_groups",))
    if isinstance(groups, list):
        names = {parameter.name for parameter in own}
        others = [group for group in groups if not names & set(group.get("parameters") or ())]
        work.put(("parameter_groups",), [*others, master.parameter_group(each, own)])
