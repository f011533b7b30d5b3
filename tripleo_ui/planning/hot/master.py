"""The master template, and the environment with the registry and the values."""

from collections.abc import Sequence
from typing import Any

from tripleo_ui.planning import needs
from tripleo_ui.planning.hot import endpoints, layout
from tripleo_ui.planning.hot.provider import FLAVOR, HOST_NAME, IMAGE, VIRTUAL_IP
from tripleo_ui.planning.parameters import Parameter, read
from tripleo_ui.planning.plan import Plan, PlanRole
from tripleo_ui.planning.roles import Role
from tripleo_ui.planning.services import Registry

PLAN_NAME = read(
    layout.PLAN_NAME,
    {"type": "string", "label": "Plan", "description": "Name of the plan, which begins the names of its servers."},
)

#: Outputs for each role's group, by the end of their names: the member's attribute that they list, and what it is.
PROMOTED = {
    "Servers": ("server_id", "Ids of the servers"),
    "Names": ("name", "Names of the servers"),
    "Addresses": ("address", "Addresses on the control plane network"),
    "Nodes": ("node", "Bare metal nodes or hypervisors of the servers"),
}


def template(plan: Plan, services: Registry) -> dict[str, Any]:
    """The master template: a group of servers for each role, and outputs for what a page asks."""
    roles = [each.role for each in plan.roles]
    shared = [PLAN_NAME, *(each for each in needs.parameters(roles, services) if not each.role)]
    own = {each.namespace: role_parameters(each, roles, services) for each in plan.roles}
    groups = [{"label": "All roles", "parameters": [each.name for each in shared]}]
    groups += [parameter_group(each, own[each.namespace]) for each in plan.roles]
    listed = (*shared, *(parameter for found in own.values() for parameter in found))
    found: dict[str, Any] = {"heat_template_version": layout.VERSION}
    if plan.description:
        found["description"] = plan.description
    found |= {"parameter_groups": groups, "parameters": {each.name: each.hot() for each in listed}}
    conditions = endpoints.conditions(plan, services)
    if conditions:
        found["conditions"] = conditions
    found["resources"] = endpoints.resources(plan, services)
    found["resources"] |= {plan.group(each): group(plan, each, services) for each in plan.roles}
    found["outputs"] = {name: value for each in plan.roles for name, value in role_outputs(plan, each).items()}
    found["outputs"] |= endpoints.outputs(plan, services)
    return found


def parameter_group(each: PlanRole, parameters: Sequence[Parameter]) -> dict[str, Any]:
    """A role's item of ``parameter_groups``; its first parameter is the number of servers."""
    return {"label": each.role.title, "parameters": [parameter.name for parameter in parameters]}


def role_parameters(each: PlanRole, roles: Sequence[Role], services: Registry) -> list[Parameter]:
    """The parameters of one role in the master template, by their full names."""
    role, space = each.role, each.namespace
    count = read(
        layout.full(space, layout.COUNT),
        {
            "type": "number",
            "label": "Number of servers",
            "default": role.default_count,
            "constraints": [{"range": {"min": 0, "max": role.max_count}}],
        },
    )
    named = [
        read(
            layout.full(space, item.name),
            {**item.hot(), **({"default": default} if default else {})},
        )
        for item, default in ((FLAVOR, role.flavor), (IMAGE, role.image))
    ]
    rest = [item for item in needs.parameters(roles, services) if item.role == space]
    return [count, *named, *rest]


def group(plan: Plan, each: PlanRole, services: Registry) -> dict[str, Any]:
    """The resource that holds a role's servers."""
    space = each.namespace
    roles = [other.role for other in plan.roles]
    name = ["-", [{"get_param": [PLAN_NAME.name]}, plan.group(each).lower(), "%index%"]]
    properties: dict[str, Any] = {
        HOST_NAME.name: {"list_join": name},
        IMAGE.name: {"get_param": [layout.full(space, layout.IMAGE)]},
        FLAVOR.name: {"get_param": [layout.full(space, layout.FLAVOR)]},
    }
    properties |= {item.name: {"get_param": [item.name]} for item in needs.WIRING}
    if endpoints.has_virtual_ip(plan, services):
        properties[VIRTUAL_IP.name] = endpoints.VIRTUAL_IP
    for item in needs.of_role(each.role, roles, services):
        short = item.parameter.name
        properties[short] = {"get_param": [short if item.shared else layout.full(space, short)]}
    return {
        "type": layout.GROUP,
        "properties": {
            "count": {"get_param": [layout.full(space, layout.COUNT)]},
            "removal_policies": {"get_param": [layout.full(space, needs.REMOVAL_POLICIES.name)]},
            "resource_def": {"type": layout.alias(space), "properties": properties},
        },
    }


def role_outputs(plan: Plan, each: PlanRole) -> dict[str, Any]:
    """The outputs about a role's servers; each is a list with an item for each server."""
    name = plan.group(each)
    return {
        f"{name}{end}": {"description": f"{text} of {each.role.title}.", "value": {"get_attr": [name, attribute]}}
        for end, (attribute, text) in PROMOTED.items()
    }


def environment(plan: Plan, services: Registry) -> dict[str, Any]:
    """The registry of the roles' templates, and every value that was given.

    Values of parameters that no role of the plan has are left out, because Heat refuses them.
    """
    known = {each.name for each in needs.parameters([each.role for each in plan.roles], services)}
    values: dict[str, Any] = {layout.PLAN_NAME: plan.name}
    for each in plan.roles:
        values |= role_values(each)
    values |= {name: plan.parameters[name] for name in sorted(plan.parameters) if name in known}
    registry = {layout.alias(each.namespace): layout.provider(each.namespace) for each in plan.roles}
    return {"resource_registry": registry, "parameters": values}


def role_values(each: PlanRole) -> dict[str, Any]:
    """The values of a role's number, flavor and image, by the parameters' full names."""
    found = {layout.COUNT: each.count, layout.FLAVOR: each.flavor, layout.IMAGE: each.image}
    return {layout.full(each.namespace, name): value for name, value in found.items()}
