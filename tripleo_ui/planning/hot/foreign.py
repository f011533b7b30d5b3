"""Packages that were written or changed elsewhere: read as far as roles and parameters go, and kept whole."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from tripleo_ui.planning import constraints
from tripleo_ui.planning import parameters as hot_parameters
from tripleo_ui.planning.hot import layout, own, tracing
from tripleo_ui.planning.hot.package import Package, section_of
from tripleo_ui.planning.hot.tracing import Group, Source
from tripleo_ui.planning.parameters import Parameter
from tripleo_ui.planning.plan import Plan, PlanRole
from tripleo_ui.planning.roles import MAX_COUNT, Role


def parse(files: Mapping[str, str]) -> Plan:
    """The plan of a package, with its files.

    Raises:
        PlanningError: a file is no template or no environment; says file and line.
    """
    package = Package(files)
    known = declared(package)
    found = tracing.groups(package)
    taken = {name for group in found for name in group.parameters} | {layout.PLAN_NAME}
    settings = package.settings()
    given = {str(name): value for name, value in section_of(settings, "parameters").items() if value is not None}
    values = {
        name: hot_parameters.typed(known[name], value) if name in known else value
        for name, value in given.items()
        if name not in taken
    }
    name = given.get(layout.PLAN_NAME, known[layout.PLAN_NAME].default) if layout.PLAN_NAME in known else ""
    description = package.document(package.master).data.get("description")
    plan = Plan(
        name=str(name or ""),
        description=str(description or ""),
        roles=tuple(plan_role for plan_role, _group in roles(package, found, known)),
        parameters=values,
        files=dict(files),
    )
    return own.plain(plan)


def parameters(plan: Plan) -> tuple[Parameter, ...]:
    """The master template's parameters without values, but for those that roles show themselves."""
    package = Package(plan.files)
    taken = {name for group in tracing.groups(package) for name in group.parameters} | {layout.PLAN_NAME}
    return tuple(parameter for name, parameter in declared(package).items() if name not in taken)


def declared(package: Package) -> dict[str, Parameter]:
    """The master template's parameters; what parameter_defaults say is their default.

    Raises:
        PlanningError: a parameter's definition is none.
    """
    document = package.template(package.master)
    defaults = section_of(package.settings(), "parameter_defaults")
    found = {}
    for name, definition in section_of(document, "parameters").items():
        try:
            parameter = hot_parameters.read(str(name), definition, role=str(name).rpartition("::")[0])
        except ValueError as error:
            raise document.error(str(error), ("parameters", name)) from None
        default = defaults.get(name, parameter.default)
        if default is not None:
            default = hot_parameters.typed(parameter, default)
        found[str(name)] = replace(parameter, default=default)
    return found


def roles(package: Package, found: tuple[Group, ...], known: Mapping[str, Parameter]) -> list[tuple[PlanRole, Group]]:
    """Each role with the part of the master template that it stands for."""
    result = []
    spaces: set[str] = set()
    for group in found:
        role = _role(package, group, known)
        while role.namespace in spaces:
            role = replace(role, name=group.resource, version=role.version + (role.name == group.resource))
        spaces.add(role.namespace)
        count = _count(package, group)
        flavor, image = (str(source.value or "") for source in (group.flavor, group.image))
        result.append((PlanRole(role, count, flavor, image, group.resource), group))
    return result


def _role(package: Package, group: Group, known: Mapping[str, Parameter]) -> Role:
    space = group.kind.removeprefix(layout.ALIAS) if group.kind.startswith(layout.ALIAS) else ""
    name, _dash, version = space.rpartition("-")
    if not name or not version.isdecimal():
        name, version = space or group.resource, "1"
    template = package.template(group.template).data if group.template else {}
    if space:
        try:
            return own.of_template(
                space, template, section_of(package.document(package.master), "parameters"), _labels(package)
            )
        except (KeyError, TypeError, IndexError, ValueError, AttributeError):
            pass
    count = known.get(group.count.parameter)
    highest = count.range[1] if count else None
    return Role(
        name=name,
        version=int(version),
        description=str(template.get("description") or ""),
        image=_default(group.image, known),
        flavor=_default(group.flavor, known),
        max_count=MAX_COUNT if highest is None else int(highest),
        template=group.template or package.master,
    )


def _labels(package: Package) -> dict[str, str]:
    groups = package.document(package.master).data.get("parameter_groups") or ()
    return {group["parameters"][0]: group["label"] for group in groups if group["parameters"]}


def _default(source: Source, known: Mapping[str, Parameter]) -> str:
    """What a role starts with: the default of its parameter; nothing where the value is said elsewhere."""
    parameter = known.get(source.parameter)
    return str((parameter.default if parameter else None) or "")


def _count(package: Package, group: Group) -> int:
    """The number of members; 1, as Heat takes it, where the template computes it."""
    value: Any = group.count.value
    if value is None:
        return 1
    try:
        number = constraints.number(value)
        if number == int(number):
            return int(number)
    except (ValueError, OverflowError):
        pass
    reason = f"the number of {group.resource} is {value!r}, which is no whole number"
    settings = package.settings()
    for section in ("parameters", "parameter_defaults"):
        if group.count.parameter in section_of(settings, section):
            raise settings.error(reason, (section, group.count.parameter))
    path = ("parameters", group.count.parameter) if group.count.parameter else group.count.path
    raise package.document(package.master).error(reason, path)
