"""A plan as one YAML file, which people write and ``compose`` takes; hidden values are never in it."""

from typing import Any

import jsonschema

from tripleo_ui.planning import redact, yamlio
from tripleo_ui.planning.errors import PlanningError
from tripleo_ui.planning.hot import parse
from tripleo_ui.planning.parameters import typed
from tripleo_ui.planning.plan import Plan, PlanRole, parameters
from tripleo_ui.planning.roles import Role, ServiceChoice, default_roles

_ROLE = {
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "name": {"type": "string", "pattern": "^[A-Za-z][A-Za-z0-9]*$"},
        "version": {"type": "integer", "minimum": 1},
        "label": {"type": "string"},
        "description": {"type": "string"},
        "count": {"type": "integer", "minimum": 0},
        "flavor": {"type": "string"},
        "image": {"type": "string"},
        "defaults": {
            "type": "object",
            "additionalProperties": False,
            "properties": {
                "count": {"type": "integer", "minimum": 0},
                "max": {"type": "integer", "minimum": 1},
                "flavor": {"type": "string"},
                "image": {"type": "string"},
            },
        },
        "services": {"type": "object", "additionalProperties": {"type": "string"}},
    },
    "required": ["name"],
}
SCHEMA = {
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "name": {"type": "string"},
        "description": {"type": "string"},
        "roles": {"type": "array", "items": _ROLE},
        "parameters": {"type": "object"},
        "package": {"type": "object", "additionalProperties": {"type": "string"}},
    },
}


def load(text: str, file: str = "") -> Plan:
    """The plan that the file describes; a role that is only named is the default one of that name.

    Raises:
        PlanningError: with file and line.
    """
    data = yamlio.mapping(text, file)
    error = jsonschema.exceptions.best_match(jsonschema.Draft202012Validator(SCHEMA).iter_errors(data))
    if error is not None:
        path = tuple(error.absolute_path)
        where = ".".join(map(str, path))
        line = yamlio.line_of(text, path)
        raise PlanningError(f"{where}: {error.message}" if where else error.message, file, line)
    if "package" in data:
        base = parse(data["package"])
        values = data.get("parameters", {})
        return Plan(data.get("name", ""), base.description, base.roles, {**base.parameters, **values}, base.files)
    roles = tuple(_role(item, text, file, index) for index, item in enumerate(data.get("roles", ())))
    plan = Plan(data.get("name", ""), data.get("description", ""), roles)
    known = {parameter.name: parameter for parameter in parameters(plan)}
    given = data.get("parameters", {})
    values = {name: typed(known[name], value) if name in known else value for name, value in given.items()}
    return Plan(plan.name, plan.description, roles, values)


def dump(plan: Plan) -> str:
    """The plan as such a file. Hidden values are left out; what is foreign is carried along, masked."""
    hidden = {parameter.name for parameter in parameters(plan) if parameter.hidden}
    values = {name: value for name, value in sorted(plan.parameters.items()) if name not in hidden}
    data: dict[str, Any] = {"name": plan.name, "description": plan.description}
    if plan.foreign:
        data |= {"package": redact.files(plan.files)}
    else:
        data |= {"roles": [_described(each) for each in plan.roles], "parameters": values}
    return yamlio.dump(data)


def _role(item: dict[str, Any], text: str, file: str, index: int) -> PlanRole:
    version = item.get("version", 1)
    known = next((role for role in default_roles() if (role.name, role.version) == (item["name"], version)), None)
    if known is None and "services" not in item:
        line = yamlio.line_of(text, ("roles", index, "name"))
        raise PlanningError(f"there is no role {item['name']}-{version}, and it has no services here", file, line)
    role = _merged(known or Role(name=item["name"], version=version), item)
    return PlanRole(
        role,
        item.get("count", role.default_count),
        item.get("flavor", role.flavor),
        item.get("image", role.image),
    )


def _merged(known: Role, item: dict[str, Any]) -> Role:
    defaults = item.get("defaults", {})
    own = item.get("services", {choice.service: choice.element for choice in known.services})
    return Role(
        name=known.name,
        version=known.version,
        description=item.get("description", known.description),
        services=tuple(ServiceChoice(service, element) for service, element in own.items()),
        image=defaults.get("image", known.image),
        flavor=defaults.get("flavor", known.flavor),
        default_count=defaults.get("count", known.default_count),
        max_count=defaults.get("max", known.max_count),
        label=item.get("label", known.label),
    )


def _described(each: PlanRole) -> dict[str, Any]:
    role = each.role
    return {
        "name": role.name,
        "version": role.version,
        "label": role.title,
        "description": role.description,
        "count": each.count,
        "flavor": each.flavor,
        "image": each.image,
        "defaults": {
            "count": role.default_count,
            "max": role.max_count,
            "flavor": role.flavor,
            "image": role.image,
        },
        "services": {choice.service: choice.element for choice in role.services},
    }
