"""From what was typed to a plan, and from a stored plan to the sections of a draft."""

from dataclasses import dataclass, replace

from django.utils.translation import gettext as _

from tripleo_ui.planning import checks
from tripleo_ui.planning.checks import Problem
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

    ``parameters`` are all of the plan's, with the values as typed where they could be read. ``problems`` are in the
    order of the steps.
    """

    plan: Plan
    parameters: tuple[Parameter, ...]
    problems: tuple[Problem, ...]

    @property
    def changed(self) -> tuple[Parameter, ...]:
        """Parameters whose values differ from their defaults, but for the hidden ones."""
        return tuple(each for each in self.parameters if not each.hidden and each.effective != each.default)


def initial() -> dict:
    """The data of a new draft: the first roles are chosen, everything else is as the roles suggest."""
    return {"roles": {role.namespace: _switch(role.name in FIRST_ROLES) for role in default_roles()}}


def _switch(on):
    return "on" if on else "off"


def roles(base: Plan | None) -> dict[str, PlanRole]:
    """Every role to choose from by its namespace (``Compute-1``), as the stored plan has it or as it is by default.

    A plan whose templates were written elsewhere keeps the roles that it has.
    """
    offered = {
        role.namespace: PlanRole(role=role, count=role.default_count, flavor=role.flavor, image=role.image)
        for role in default_roles()
    }
    if base is None:
        return offered
    own = {plan_role.role.namespace: plan_role for plan_role in base.roles}
    return own if base.foreign else {**offered, **own}


def role_services(role: Role, section: Section) -> tuple[ServiceChoice, ...]:
    """The services of a role with their elements, as typed; the role's own where nothing was typed."""
    own = {choice.service: choice.element for choice in role.services}
    order = {key: at for at, key in enumerate(own)}
    chosen = []
    for service in services():
        default = _switch(service.key in own)
        if section.get(f"{role.namespace}.service.{service.key}", default) == "on":
            chosen.append(ServiceChoice(service.key, element(role, service, section)))
    return tuple(sorted(chosen, key=lambda choice: order.get(choice.service, len(order))))


def element(role: Role, service, section: Section) -> str:
    """The element that fulfils a service on a role: as typed, else the role's own, else the service's first."""
    own = {choice.service: choice.element for choice in role.services}
    default = own.get(service.key, service.elements[0].key)
    return section.get(f"{role.namespace}.element.{service.key}", default)


def build(sections: Sections, base: Plan | None) -> Built:
    """Make the plan that the sections describe, as far as it can be made, and say what is wrong.

    Args:
        sections: what was typed.
        base: the stored plan that the draft changes; parts that no step shows are kept from it.
    """
    problems: list[Problem] = []
    chosen = [
        _plan_role(offered, sections, base, problems)
        for space, offered in roles(base).items()
        if sections["roles"].get(space, _chosen(space, base)) == "on"
    ]
    start = base or Plan()
    plan = replace(
        start,
        name=base.name if base else sections["name"].get("name", "").strip(),
        description=sections["name"].get("description", start.description),
        roles=tuple(chosen),
    )
    plan, found = _with_values(plan, sections["parameters"], problems)
    return Built(plan, found, _together(problems, plan, found))


def _chosen(space, base):
    return _switch(base is not None and any(each.role.namespace == space for each in base.roles))


def _plan_role(offered: PlanRole, sections: Sections, base, problems: list[Problem]) -> PlanRole:
    space, typed = offered.role.namespace, sections["counts"]
    count = offered.count
    text = typed.get(f"{space}.count", str(count))
    if text.strip().isdecimal():
        count = int(text)
    else:
        message = _("“%(text)s” is not a number of nodes.") % {"text": text} if text else _("Enter a number of nodes.")
        problems.append(Problem("error", "counts", f"{space}.count", message))
    own = offered.role.services if base and base.foreign else role_services(offered.role, sections["roles"])
    return replace(
        offered,
        role=replace(offered.role, services=own),
        count=count,
        flavor=typed.get(f"{space}.flavor", offered.flavor).strip(),
        image=typed.get(f"{space}.image", offered.image).strip(),
    )


def _with_values(plan: Plan, typed: Section, problems: list[Problem]):
    """Read the typed values; one that cannot be read is a problem and leaves the plan's value as it is."""
    values = {}
    for parameter in parameters(plan):
        text = typed.get(parameter.name)
        if text is None or parameter.hidden or text == parameter.text:
            continue
        try:
            values[parameter.name] = parameter.parse(text)
        except ValueError as error:
            message = _("%(name)s: %(reason)s.") % {"name": short(parameter.name), "reason": error}
            problems.append(Problem("error", "parameters", parameter.name, message))
    plan = replace(plan, parameters={**plan.parameters, **values})
    return plan, parameters(plan)


def short(name: str) -> str:
    """A parameter's name without its role: ``Compute-1::NovaPassword`` is NovaPassword."""
    return name.rpartition("::")[2]


def _together(own: list[Problem], plan: Plan, found: tuple[Parameter, ...]) -> tuple[Problem, ...]:
    """All problems by step.

    A field that has one of ours gets no second one from the checks; hidden values that are missing are generated,
    so they are no problem; values of roles that were unchosen are kept for the case that they come back.
    """
    spaces = {each.name: each.role.namespace for each in plan.roles}
    hidden = {parameter.name for parameter in found if parameter.hidden}
    declared = {parameter.name for parameter in found}
    said = {(problem.step, problem.field) for problem in own}
    for problem in checks.check(plan):
        role, dot, part = problem.field.partition(".")
        field = spaces.get(role, role) + dot + part
        generated = problem.step == "parameters" and (problem.field in hidden or problem.field not in declared)
        if not generated and (problem.step, field) not in said:
            own.append(replace(problem, field=field))
    order = [*TYPED, "review"]
    return tuple(sorted(own, key=lambda problem: order.index(problem.step)))


def from_plan(plan: Plan) -> dict[str, dict[str, str]]:
    """The sections that describe a stored plan; values of hidden parameters are left out."""
    chosen = {each.role.namespace for each in plan.roles}
    role_section: dict[str, str] = {space: _switch(space in chosen) for space in roles(plan)}
    counts: dict[str, str] = {}
    for each in plan.roles:
        space = each.role.namespace
        own = {choice.service: choice.element for choice in each.role.services}
        for service in services():
            role_section[f"{space}.service.{service.key}"] = _switch(service.key in own)
            if service.key in own:
                role_section[f"{space}.element.{service.key}"] = own[service.key]
        counts[f"{space}.count"] = str(each.count)
        counts[f"{space}.flavor"] = each.flavor
        counts[f"{space}.image"] = each.image
    return {
        "name": {"name": plan.name, "description": plan.description},
        "roles": role_section,
        "counts": counts,
        "parameters": {item.name: item.text for item in parameters(plan) if not item.hidden},
    }
