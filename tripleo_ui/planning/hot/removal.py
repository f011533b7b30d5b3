"""Takes a role out of a package that was written elsewhere, if nothing else needs it."""

from collections.abc import Iterator
from typing import Any

from tripleo_ui.planning.hot.package import section_of
from tripleo_ui.planning.hot.tracing import Group
from tripleo_ui.planning.hot.work import Work, parameters_of

_REFERENCES = ("get_resource", "get_attr")


def remove(work: Work, namespace: str, group: Group, kept: list[Group]) -> None:
    """Remove a role's group, its parameters with their values, its alias, its template, and outputs about it alone.

    Args:
        work: the package.
        namespace: of the role.
        group: what it is in the master template.
        kept: the groups of the roles that stay.

    Raises:
        PlanningError: other resources refer to it; names them.
    """
    package, document = work.package, work.package.document(work.package.master)
    names = parameters_of(package, namespace)
    resources = section_of(document, "resources")
    going = {other for other in resources if other == group.resource}
    users = []
    for section in ("resources", "conditions"):
        for key, value in section_of(document, section).items():
            if key != group.resource and set(references(value)) & (going | names):
                users.append((section, key))
    outputs = []
    for key, value in section_of(document, "outputs").items():
        used = set(references(value))
        if used & (going | names):
            outputs.append(key)
            if used & (set(resources) - going):
                users.append(("outputs", key))
    if users:
        listed = ", ".join(f"{section}.{key}" for section, key in users)
        raise document.error(f"{group.resource} cannot be removed: {listed} refer to it", users[0])
    work.master.remove(("resources", group.resource))
    for key in outputs:
        work.master.remove(("outputs", key))
    for name in sorted(names):
        work.master.remove(("parameters", name))
        work.unset_value(name)
    work.drop_from_parameter_groups(names)
    if all(other.kind != group.kind for other in kept):
        work.environment.remove(("resource_registry", group.kind))
    if group.template and all(other.template != group.template for other in kept):
        work.drop(group.template)


def references(value: Any) -> Iterator[str]:
    """Names of resources and parameters that a part of a template refers to."""
    if isinstance(value, list):
        for item in value:
            yield from references(item)
    elif isinstance(value, dict):
        for key, item in value.items():
            if key in _REFERENCES or key == "get_param":
                target = item[0] if isinstance(item, list) and item else item
                if isinstance(target, str):
                    yield target
            elif key == "depends_on":
                yield from (name for name in (item if isinstance(item, list) else [item]) if isinstance(name, str))
            yield from references(item)
