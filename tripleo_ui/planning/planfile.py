"""A plan as one YAML file, which people write and ``compose`` takes. Hidden values are never in it.

A hidden value stands there as ``{hidden: true}``; ``package`` names the folder with the package that holds it. A plan
whose templates were written elsewhere refers to that package too, or carries its files, masked.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from tripleo_ui.planning import redact, schema, yamlio
from tripleo_ui.planning.hot import parse
from tripleo_ui.planning.names import check_plan_name, check_role_name
from tripleo_ui.planning.parameters import MASK, Parameter
from tripleo_ui.planning.plan import Plan, PlanRole, parameters
from tripleo_ui.planning.roles import Role, ServiceChoice, default_role
from tripleo_ui.planning.services import Registry, registry
from tripleo_ui.planning.yamlio import Document

HIDDEN = {"hidden": True}

ReadPackage = Callable[[str], Mapping[str, str]]


def dump(plan: Plan, package: str = "", services: Registry | None = None) -> str:
    """The plan as such a file.

    Args:
        plan: what to write.
        package: folder that its hidden values, and the files that were written elsewhere, can be read from again.
        services: all cloud services.
    """
    hidden = {each.name for each in parameters(plan, services) if each.hidden}
    data: dict[str, Any] = {"name": plan.name, "description": plan.description}
    if package:
        data["package"] = package
    elif plan.foreign:
        data["files"] = redact.files(plan.files)
    data["roles"] = [_role_data(each) for each in plan.roles]
    data["parameters"] = {name: HIDDEN if name in hidden else value for name, value in sorted(plan.parameters.items())}
    return yamlio.dump(data)


def _role_data(each: PlanRole) -> dict[str, Any]:
    role = each.role
    data: dict[str, Any] = {"name": role.name, "version": role.version}
    if each.group:
        data["group"] = each.group
    data |= {"count": each.count, "flavor": each.flavor, "image": each.image}
    if role.template or role == default_role(role.name, role.version):
        return data
    return data | {
        "label": role.label,
        "description": role.description,
        "defaults": {
            "count": role.default_count,
            "max": role.max_count,
            "flavor": role.flavor,
            "image": role.image,
        },
        "services": {choice.service: choice.element for choice in role.services},
    }


def load(
    text: str,
    file: str,
    *,
    services: Registry | None = None,
    read_package: ReadPackage | None = None,
    keep_missing: bool = False,
) -> Plan:
    """The plan that such a file describes; a role that is only named is the default one of that name.

    Args:
        text: the file's text.
        file: its name, for messages.
        services: all cloud services.
        read_package: reads the package that ``package`` names; None where the file may not name one.
        keep_missing: take hidden values that cannot be found for not given, instead of refusing the file.

    Raises:
        PlanningError: with file and line.
    """
    document = yamlio.load(text, file)
    schema.check(document, "plan")
    data = document.data
    base = _base(document, read_package)
    foreign = base if base is not None and base.foreign else None
    if foreign is None or data["name"]:
        _named(document, ("name",), check_plan_name, data["name"])
    roles = tuple(
        _role(document, index, item, foreign, services or registry())
        for index, item in enumerate(data.get("roles", ()))
    )
    spaces: set[str] = set()
    for index, each in enumerate(roles):
        if each.namespace in spaces:
            raise document.error(f"the role {each.namespace} is in the plan twice", ("roles", index, "name"))
        spaces.add(each.namespace)
    plan = Plan(data["name"], data.get("description", ""), roles, {}, foreign.files if foreign else {})
    return replace(plan, parameters=_values(document, plan, base, services, keep_missing))


def _base(document: Document, read_package: ReadPackage | None) -> Plan | None:
    """The plan of the package that the file names or carries."""
    data = document.data
    if "files" in data and "package" in data:
        raise document.error("a plan has files or names a package, not both", ("package",))
    if "files" in data:
        return parse(data["files"])
    if "package" not in data:
        return None
    if read_package is None:
        raise document.error("a package cannot be named here", ("package",))
    return parse(read_package(data["package"]))


def _role(document: Document, index: int, item: dict[str, Any], foreign: Plan | None, services: Registry) -> PlanRole:
    path = ("roles", index, "name")
    name, version = item["name"], item.get("version", 1)
    old = (
        next((each for each in foreign.roles if (each.name, each.role.version) == (name, version)), None)
        if foreign
        else None
    )
    known = old.role if old else default_role(name, version)
    if known is None:
        _named(document, path, check_role_name, name)
        if "services" not in item:
            reason = f"there is no role {name} of version {version}, and it has no services here"
            raise document.error(reason, path)
    role = _with_own(known or Role(name=name, version=version), item)
    for choice in role.services:
        _check_choice(document, index, choice, services)
    count = item.get("count", old.count if old else role.default_count)
    flavor = item.get("flavor", old.flavor if old else role.flavor)
    image = item.get("image", old.image if old else role.image)
    return PlanRole(role, count, flavor, image, item.get("group", ""))


def _named(document: Document, path: tuple[Any, ...], rule: Callable[[str], str], name: str) -> None:
    try:
        rule(name)
    except ValueError as error:
        raise document.error(str(error), path) from None


def _check_choice(document: Document, index: int, choice: ServiceChoice, services: Registry) -> None:
    path = ("roles", index, "services", choice.service)
    service = services.get(choice.service)
    if service is None:
        known = ", ".join(sorted(services.services))
        raise document.error(f"there is no service {choice.service}; there are {known}", path)
    if service.element(choice.element) is None:
        known = ", ".join(element.key for element in service.elements)
        raise document.error(f"no element {choice.element} fulfils {choice.service}; {known} do", path)


def _with_own(known: Role, item: dict[str, Any]) -> Role:
    defaults = item.get("defaults", {})
    own = item.get("services")
    return replace(
        known,
        label=item.get("label", known.label),
        description=item.get("description", known.description),
        services=tuple(ServiceChoice(*pair) for pair in own.items()) if own is not None else known.services,
        image=defaults.get("image", known.image),
        flavor=defaults.get("flavor", known.flavor),
        default_count=defaults.get("count", known.default_count),
        max_count=defaults.get("max", known.max_count),
    )


def _values(
    document: Document, plan: Plan, base: Plan | None, services: Registry | None, keep_missing: bool
) -> dict[str, Any]:
    """The values that the file gives, hidden ones from the package; a file without a word of them keeps all of it."""
    given = document.data.get("parameters")
    if given is None:
        return dict(base.parameters) if base and plan.foreign else {}
    known = {each.name: each for each in parameters(plan, services)}
    values: dict[str, Any] = {}
    lost = []
    for name, value in given.items():
        parameter = known.get(str(name))
        if parameter is not None and parameter.hidden and value == HIDDEN:
            value = base.parameters.get(name) if base else None  # noqa: PLW2901
            if value is None or value == MASK:
                lost.append(str(name))
                continue
        as_it_was = base is not None and name in base.parameters and base.parameters[name] == value
        values[str(name)] = (
            base.parameters[name] if base and as_it_was else _typed(document, parameter, str(name), value)
        )
    if lost and not keep_missing:
        reason = f"hidden values are not in this file: {', '.join(lost)}; say where they are, or have them generated"
        raise document.error(reason, ("parameters", lost[0]))
    return values


def _typed(document: Document, parameter: Parameter | None, name: str, value: Any) -> Any:
    if parameter is None:
        return value
    if parameter.hidden and value == MASK:
        raise document.error(f"{name} is masked, which is no value", ("parameters", name))
    try:
        return parameter.convert(value)
    except ValueError as error:
        raise document.error(f"{name}: {error}", ("parameters", name)) from None
