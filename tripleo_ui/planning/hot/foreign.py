"""Packages that were written elsewhere: read as far as roles and parameters go, and kept whole.

Nothing that was in a file is dropped: composing gives the files back, byte for byte, but for an environment in which
a value has changed.
"""

from collections.abc import Mapping
from typing import Any

from tripleo_ui.planning import yamlio
from tripleo_ui.planning.errors import PlanningError
from tripleo_ui.planning.hot import layout, references
from tripleo_ui.planning.parameters import Parameter, read, typed
from tripleo_ui.planning.plan import Plan, PlanRole
from tripleo_ui.planning.roles import Role
from tripleo_ui.planning.services import Registry

_SECTIONS = ("parameters", "resources", "outputs", "conditions")
_GROUPS = {"OS::Heat::ResourceGroup": ("resource_def", "count"), "OS::Heat::AutoScalingGroup": ("resource", "min_size")}


def parse(files: Mapping[str, str]) -> Plan:
    """The plan of a package that is not ours.

    Raises:
        PlanningError: with file and line, where something is no template or names a file that is missing.
    """
    master = _template(files, layout.MASTER)
    environment = _environment(files)
    for name in files:
        if name.endswith((".yaml", ".yml", ".template")):
            yamlio.load(files[name], name)
    declared = _declared(files[layout.MASTER], master)
    values = _values(environment, declared)
    roles = tuple(_roles(master, declared, values))
    taken = {name for role in roles for name in role.taken}
    return Plan(
        name=str(values.get("PlanName", "")) if "PlanName" in declared else "",
        description=str(master.get("description") or ""),
        roles=tuple(role.plan_role for role in roles),
        parameters={name: value for name, value in values.items() if name not in taken},
        files=dict(files),
    )


def parameters(plan: Plan) -> tuple[Parameter, ...]:
    """The master template's parameters with the plan's values, but for those that roles show themselves."""
    master = _template(plan.files, layout.MASTER)
    declared = _declared(plan.files[layout.MASTER], master)
    taken = {name for role in _roles(master, declared, {}) for name in role.taken}
    return tuple(
        parameter.with_value(plan.parameters.get(name)) for name, parameter in declared.items() if name not in taken
    )


def compose(plan: Plan, services: Registry) -> dict[str, str]:
    """The package with what the plan changed in its environment.

    Raises:
        PlanningError: a role is gone or new, which templates of others do not provide for.
    """
    original = parse(plan.files)
    _same_roles(plan, original)
    master = _template(plan.files, layout.MASTER)
    names = {role.plan_role.name: role for role in _roles(master, _declared(plan.files[layout.MASTER], master), {})}
    changed = {name: value for name, value in plan.parameters.items() if original.parameters.get(name) != value}
    removed = set(original.parameters) - set(plan.parameters)
    for new, old in zip(plan.roles, original.roles, strict=True):
        source = names[new.name]
        for target, before, after in (
            (source.count, old.count, new.count),
            (source.flavor, old.flavor, new.flavor),
            (source.image, old.image, new.image),
        ):
            if before != after and not target:
                raise PlanningError(
                    f"the number, flavor or image of {new.name} is fixed in the template", layout.MASTER
                )
            if before != after:
                changed[target] = after
    files = dict(plan.files)
    if changed or removed:
        environment = _environment(files)
        for section in ("parameters", "parameter_defaults"):
            found = environment.get(section) or {}
            environment |= {section: {k: v for k, v in found.items() if k not in removed}} if found else {}
        environment["parameters"] = {**(environment.get("parameters") or {}), **changed}
        files[layout.ENVIRONMENT] = yamlio.dump(environment)
    return files


class _RoleSource:
    """A role with the names of the parameters that hold its number, flavor and image; empty where fixed."""

    def __init__(self, plan_role: PlanRole, count: str, flavor: str, image: str) -> None:
        self.plan_role = plan_role
        self.count, self.flavor, self.image = count, flavor, image

    @property
    def taken(self) -> set[str]:
        return {name for name in (self.count, self.flavor, self.image) if name}


def _roles(
    master: Mapping[str, Any], declared: Mapping[str, Parameter], values: Mapping[str, Any]
) -> list[_RoleSource]:
    """A role is a group of equal members; Tuskar's aliases give it name and version."""
    found = []
    for name, resource in (master.get("resources") or {}).items():
        if not isinstance(resource, Mapping) or resource.get("type") not in _GROUPS:
            continue
        inner_key, count_key = _GROUPS[resource["type"]]
        properties = resource.get("properties") or {}
        inner = properties.get(inner_key) or {}
        if not isinstance(inner, Mapping):
            continue
        role = _named(name, str(inner.get("type") or ""))
        given = inner.get("properties") or {}
        count, count_name = _resolved(properties.get(count_key, 1), declared, values)
        flavor, flavor_name = _resolved(_either(given, "Flavor", "flavor"), declared, values)
        image, image_name = _resolved(_either(given, "Image", "image"), declared, values)
        number = count if isinstance(count, int) else _whole(count)
        found.append(
            _RoleSource(
                PlanRole(role, number, str(flavor or ""), str(image or "")), count_name, flavor_name, image_name
            )
        )
    return found


def _named(resource: str, kind: str) -> Role:
    if kind.startswith(layout.ALIAS):
        name, _, version = kind.removeprefix(layout.ALIAS).rpartition("-")
        if name and version.isdecimal():
            return Role(name=name, version=int(version))
    return Role(name=resource)


def _whole(count: Any) -> Any:
    """A number that is written as text; anything else stays, for the checks to name."""
    try:
        return int(count)
    except (TypeError, ValueError):
        return count


def _either(properties: Any, *names: str) -> Any:
    found = properties if isinstance(properties, Mapping) else {}
    return next((found[name] for name in names if name in found), None)


def _resolved(value: Any, declared: Mapping[str, Parameter], values: Mapping[str, Any]) -> tuple[Any, str]:
    """A property's value with the parameter it comes from, if it is a plain reference to one."""
    if isinstance(value, Mapping) and isinstance(value.get("get_param"), str | list):
        target = value["get_param"]
        name = target[0] if isinstance(target, list) and len(target) == 1 else target
        if isinstance(name, str) and name in declared:
            return values.get(name, declared[name].default), name
    return (None if isinstance(value, Mapping) else value), ""


def _template(files: Mapping[str, str], name: str) -> dict[str, Any]:
    text = files[name]
    template = yamlio.mapping(text, name)
    if "heat_template_version" not in template:
        raise PlanningError("it is no HOT template: heat_template_version is missing", name, 1)
    for section in _SECTIONS:
        if not isinstance(template.get(section) or {}, Mapping):
            raise PlanningError(f"{section} must be a mapping", name, yamlio.line_of(text, (section,)))
    return template


def _environment(files: Mapping[str, str]) -> dict[str, Any]:
    text = files.get(layout.ENVIRONMENT, "")
    environment = yamlio.value(text, layout.ENVIRONMENT) or {}
    if not isinstance(environment, dict):
        raise PlanningError("the environment must be a mapping", layout.ENVIRONMENT, 1)
    for section in ("parameters", "parameter_defaults", "resource_registry"):
        if not isinstance(environment.get(section) or {}, Mapping):
            line = yamlio.line_of(text, (section,))
            raise PlanningError(f"{section} must be a mapping", layout.ENVIRONMENT, line)
    return environment


def _declared(text: str, master: Mapping[str, Any]) -> dict[str, Parameter]:
    found = {}
    for name, schema in (master.get("parameters") or {}).items():
        line = yamlio.line_of(text, ("parameters", name)) if not isinstance(schema, Mapping) else 0
        if line:
            raise PlanningError(f"the parameter {name} must be a mapping", layout.MASTER, line)
        space = name.rpartition("::")[0]
        try:
            found[name] = read(name, schema, role=space)
        except ValueError as error:
            where = yamlio.line_of(text, ("parameters", name))
            raise PlanningError(str(error), layout.MASTER, where) from error
    return found


def _values(environment: Mapping[str, Any], declared: Mapping[str, Parameter]) -> dict[str, Any]:
    """The values that the environment gives; its ``parameters`` win over its ``parameter_defaults``, as in Heat."""
    given = {**(environment.get("parameter_defaults") or {}), **(environment.get("parameters") or {})}
    return {name: typed(declared[name], value) for name, value in given.items() if name in declared}


def _same_roles(plan: Plan, original: Plan) -> None:
    new, old = ({each.role.namespace for each in one.roles} for one in (plan, original))
    for gone in sorted(old - new):
        uses = references.uses_of(plan.files[layout.MASTER], gone)
        raise PlanningError(f"the role {gone} cannot be removed: {', '.join(uses)} refer to it", layout.MASTER)
    for added in sorted(new - old):
        raise PlanningError(f"the role {added} cannot be added to templates that were written elsewhere", layout.MASTER)
