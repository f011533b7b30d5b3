"""Reads a package that ``compose`` wrote."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from tripleo_ui.planning.hot import layout
from tripleo_ui.planning.plan import Plan, PlanRole
from tripleo_ui.planning.roles import Role, ServiceChoice
from tripleo_ui.planning.yamlio import Document


def read(documents: Mapping[str, Document]) -> Plan | None:
    """The plan, where the files look as ours do; whether they really are, composing it again tells.

    Args:
        documents: the master template, the environment and the roles' templates, by file name.
    """
    try:
        return _plan({name: document.data for name, document in documents.items()})
    except (KeyError, TypeError, IndexError, ValueError, AttributeError):
        return None


def _plan(data: Mapping[str, Any]) -> Plan | None:
    master, environment = data[layout.MASTER], data[layout.ENVIRONMENT]
    values = dict(environment["parameters"])
    name = values.pop(layout.PLAN_NAME)
    labels = {group["parameters"][0]: group["label"] for group in master["parameter_groups"] if group["parameters"]}
    groups = {
        resource["properties"]["resource_def"]["type"].removeprefix(layout.ALIAS): key
        for key, resource in master["resources"].items()
        if resource["type"] == layout.GROUP
    }
    roles = []
    for alias in environment["resource_registry"]:
        space = alias.removeprefix(layout.ALIAS)
        role = of_template(space, data[layout.provider(space)], master["parameters"], labels)
        count, flavor, image = (
            values.pop(layout.full(space, item)) for item in (layout.COUNT, layout.FLAVOR, layout.IMAGE)
        )
        if type(count) is not int or not isinstance(flavor, str) or not isinstance(image, str):
            return None
        roles.append(PlanRole(role, count, flavor, image, groups[space]))
    return plain(Plan(name, master.get("description", ""), tuple(roles), values))


def plain(plan: Plan) -> Plan:
    """The plan without the names of groups that have the usual name whatever happens to other roles.

    Where a plan has several versions of a role they stay said, so that the servers of one stay where they are when
    the other leaves.
    """
    times = Counter(each.name for each in plan.roles)
    usual = (
        replace(each, group="") if times[each.name] == 1 and each.group == each.name else each for each in plan.roles
    )
    return replace(plan, roles=tuple(usual))


def of_template(
    space: str, provider: Mapping[str, Any], declared: Mapping[str, Any], labels: Mapping[str, str]
) -> Role:
    """The role that a provider template of ours and the master template's parameters describe.

    Raises:
        KeyError, TypeError, ValueError: they are not ours.
    """
    name, _dash, version = space.rpartition("-")
    services = provider["resources"]["config"]["properties"]["config"]["services"]
    count = declared[layout.full(space, layout.COUNT)]
    return Role(
        name=name,
        version=int(version),
        description=provider.get("description", ""),
        services=tuple(ServiceChoice(service, element) for service, element in services.items()),
        image=declared[layout.full(space, layout.IMAGE)].get("default", ""),
        flavor=declared[layout.full(space, layout.FLAVOR)].get("default", ""),
        default_count=count["default"],
        max_count=count["constraints"][0]["range"]["max"],
        label=labels.get(layout.full(space, layout.COUNT), ""),
    )
