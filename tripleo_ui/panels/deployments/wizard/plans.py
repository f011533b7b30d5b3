"""From what was typed to a plan, and from a stored plan to the sections of a draft."""

from dataclasses import dataclass, replace

from django.utils.translation import gettext as _

from tripleo_ui.planning import checks
from tripleo_ui.planning.checks import Problem
from tripleo_ui.planning.names import check_plan_name
from tripleo_ui.planning.parameters import Parameter
from tripleo_ui.planning.plan import Plan, PlanRole, parameters
from tripleo_ui.planning.roles import Role, ServiceChoice, default_roles

from .catalogue import services
from .sections import Section, Sections
from .steps import TYPED

#: Roles that a new plan begins with.
FIRST_ROLES = frozenset({"Controller", "Compute"})


@dataclass(frozen=True)
class Built:
    """A plan made from sections.

    ``parameters`` are all of the plan's, with the values as typed where they could be read; ``changed`` names those
    that differ from their defaults. ``problems`` are in the order of the steps.
    """

    plan: Plan
    parameters: tuple[Parameter, ...]
    problems: tuple[Problem, ...]
    changed: tuple[str, ...]


def initial() -> dict:
    """The data of a new draft: the first roles are chosen, everything else is as the roles suggest."""
    return {"roles": {role.name: "on" if role.name in FIRST_ROLES else "off" for role in default_roles()}}


def roles(base: Plan | None) -> dict[str, PlanRole]:
    """Every role to choose from, by name, as the stored plan has it or as it is by default."""
    offered = {
        role.name: PlanRole(role=role, count=role.default_count, flavor=role.flavor, image=role.image)
        for role in default_roles()
    }
    if base is not None:
        offered.update({plan_role.role.name: plan_role for plan_role in base.roles})
    return offered


def role_services(role: Role, section: Section) -> tuple[ServiceChoice, ...]:
    """The services of a role with their elements, as typed; the role's own where nothing was typed."""
    own = {choice.service: choice.element for choice in role.services}
    chosen = []
    for service in services():
        default = "on" if service.key in own else "off"
        if section.get(f"{role.name}.service.{service.key}", default) == "on":
            chosen.append(ServiceChoice(service.key, element(role, service, section)))
    return tuple(chosen)


def element(role: Role, service, section: Section) -> str:
    """The element that fulfils a service on a role: as typed, else the role's own, else the service's first."""
    own = {choice.service: choice.element for choice in role.services}
    default = own.get(service.key, service.elements[0].key)
    return section.get(f"{role.name}.element.{service.key}", default)


def build(sections: Sections, base: Plan | None) -> Built:
    """Make the plan that the sections describe, as far as it can be made, and say what is wrong.

    Args:
        sections: what was typed.
        base: the stored plan that the draft changes; parts that no step shows are kept from it.
    """
    problems: list[Problem] = []
    chosen = []
    for name, offered in roles(base).items():
        if sections["roles"].get(name, _chosen(name, base)) == "on":
            chosen.append(_plan_role(offered, sections, problems))
    name = sections["name"].get("name", base.name if base else "").strip()
    problems += _name_problems(name, base)
    description = sections["name"].get("description", base.description if base else "")
    if base is None:
        plan = Plan(name=name, description=description, roles=tuple(chosen))
    else:
        plan = replace(base, description=description, roles=tuple(chosen))
    plan, known, changed = _with_values(plan, sections["parameters"], problems)
    return Built(plan, known, _sorted(problems, checks.check(plan)), changed)


def _chosen(name, base):
    return "on" if base is not None and any(role.role.name == name for role in base.roles) else "off"


def _plan_role(offered: PlanRole, sections: Sections, problems: list[Problem]) -> PlanRole:
    name, typed = offered.role.name, sections["counts"]
    count = offered.count
    text = typed.get(f"{name}.count", str(count))
    if text.strip().isdecimal():
        count = int(text)
    else:
        field = f"{name}.count"
        problems.append(Problem("error", "counts", field, _("“%(text)s” is no count.") % {"text": text}))
    own = role_services(offered.role, sections["roles"])
    return replace(
        offered,
        role=replace(offered.role, services=own),
        count=count,
        flavor=typed.get(f"{name}.flavor", offered.flavor).strip(),
        image=typed.get(f"{name}.image", offered.image).strip(),
    )


def _name_problems(name, base):
    if base is not None:
        return []
    if not name:
        return [Problem("error", "name", "name", _("Give the overcloud a name."))]
    try:
        check_plan_name(name)
    except ValueError as error:
        return [Problem("error", "name", "name", str(error))]
    return []


def _with_values(plan: Plan, typed: Section, problems: list[Problem]):
    """Read the typed values; one that cannot be read is a problem and leaves the plan's value as it is."""
    values, changed = {}, []
    for parameter in parameters(plan):
        text = typed.get(parameter.name)
        if text is None or parameter.hidden or text == parameter.text:
            continue
        changed.append(parameter.name)
        try:
            values[parameter.name] = parameter.parse(text)
        except ValueError as error:
            problems.append(Problem("error", "parameters", parameter.name, str(error)))
    plan = replace(plan, parameters={**plan.parameters, **values})
    return plan, parameters(plan), tuple(changed)


def _sorted(own: list[Problem], found: tuple[Problem, ...]) -> tuple[Problem, ...]:
    """All problems by step; where a field has one of ours already, the checks' own says nothing new."""
    said = {(problem.step, problem.field) for problem in own}
    rest = [problem for problem in found if (problem.step, problem.field) not in said]
    order = [*TYPED, "review"]
    return tuple(sorted([*own, *rest], key=lambda problem: order.index(problem.step)))


def from_plan(plan: Plan) -> dict[str, dict[str, str]]:
    """The sections that describe a stored plan; values of hidden parameters are left out."""
    chosen = {plan_role.role.name for plan_role in plan.roles}
    role_section: dict[str, str] = {name: "on" if name in chosen else "off" for name in roles(plan)}
    counts: dict[str, str] = {}
    for plan_role in plan.roles:
        name = plan_role.role.name
        own = {choice.service: choice.element for choice in plan_role.role.services}
        for service in services():
            role_section[f"{name}.service.{service.key}"] = "on" if service.key in own else "off"
            if service.key in own:
                role_section[f"{name}.element.{service.key}"] = own[service.key]
        counts[f"{name}.count"] = str(plan_role.count)
        counts[f"{name}.flavor"] = plan_role.flavor
        counts[f"{name}.image"] = plan_role.image
    return {
        "name": {"name": plan.name, "description": plan.description},
        "roles": role_section,
        "counts": counts,
        "parameters": {item.name: item.text for item in parameters(plan) if not item.hidden},
    }
