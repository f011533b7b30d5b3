"""What is wrong with a plan, each problem with the step of the wizard that mends it."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from tripleo_ui.planning.hot import references
from tripleo_ui.planning.names import check_plan_name
from tripleo_ui.planning.plan import Plan, PlanRole, parameters
from tripleo_ui.planning.services import Registry, registry

ERROR = "error"
WARNING = "warning"


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong; ``step`` is name, roles, counts, parameters or review."""

    level: str
    step: str
    field: str
    message: str


def check(plan: Plan, known: Registry | None = None) -> tuple[Problem, ...]:
    """All problems of a plan, in the order of the steps; an empty tuple for one that can be deployed."""
    found = known or registry()
    problems = [*_name(plan), *_counts(plan), *_parameters(plan, found)]
    problems += _package(plan) if plan.foreign else _roles(plan, found)
    order = ("name", "roles", "counts", "parameters", "review")
    return tuple(sorted(problems, key=lambda problem: order.index(problem.step)))


def has_errors(problems: tuple[Problem, ...]) -> bool:
    """Whether any of them stands in the way of a deployment."""
    return any(problem.level == ERROR for problem in problems)


def _package(plan: Plan) -> Iterator[Problem]:
    for fault in references.missing(plan.files):
        yield Problem(ERROR, "review", fault.file, str(fault))


def _name(plan: Plan) -> Iterator[Problem]:
    if plan.foreign and not plan.name:
        return  # It has the name that it is stored under.
    try:
        check_plan_name(plan.name)
    except ValueError as error:
        yield Problem(ERROR, "name", "name", f"{str(error)[0].upper()}{str(error)[1:]}.")


def _roles(plan: Plan, known: Registry) -> Iterator[Problem]:
    if not plan.roles:
        yield Problem(ERROR, "roles", "roles", "Choose at least one role.")
    for space, times in Counter(each.role.namespace for each in plan.roles).items():
        if times > 1:
            yield Problem(ERROR, "roles", space, f"The role {space} is in the plan {times} times.")
    for plan_role in plan.roles:
        yield from _elements(plan_role, known)
    yield from _needs(plan, known)
    yield from _one_role(plan, known)


def _elements(plan_role: PlanRole, known: Registry) -> Iterator[Problem]:
    name, title = plan_role.name, plan_role.role.title
    chosen = []
    for choice in plan_role.role.services:
        service = known.services.get(choice.service)
        element = known.element(choice.service, choice.element)
        if service is None:
            yield Problem(ERROR, "roles", name, f"{title} has the unknown service {choice.service}.")
        elif element is None:
            yield Problem(ERROR, "roles", name, f"No element {choice.element} fulfils {service.label} on {title}.")
        else:
            chosen.append(element)
    if not plan_role.role.services:
        yield Problem(WARNING, "roles", name, f"{title} has no services: its nodes will only be installed.")
    for index, element in enumerate(chosen):
        for other in chosen[index + 1 :]:
            if other.key in element.conflicts or element.key in other.conflicts:
                message = f"{element.label} and {other.label} cannot both be on {title}."
                yield Problem(ERROR, "roles", name, message)


def _needs(plan: Plan, known: Registry) -> Iterator[Problem]:
    """A needed service must be on a role that has at least one node."""
    placed = {choice.service for each in plan.roles if each.count for choice in each.role.services}
    reported = set()
    for plan_role in plan.roles:
        for choice in plan_role.role.services:
            service = known.services.get(choice.service)
            for need in service.requires if service else ():
                if need in placed or (choice.service, need) in reported or not plan_role.count:
                    continue
                reported.add((choice.service, need))
                needed = known.services[need].label if need in known.services else need
                message = f"{service.label if service else choice.service} needs {needed}, which no role has."
                yield Problem(ERROR, "roles", plan_role.name, message)


def _one_role(plan: Plan, known: Registry) -> Iterator[Problem]:
    for service in known.services.values():
        holders = [each for each in plan.roles if any(c.service == service.key for c in each.role.services)]
        if not service.multiple and len(holders) > 1:
            names = " and ".join(each.role.title for each in holders)
            message = f"{service.label} may be on one role only, not on {names}."
            yield Problem(ERROR, "roles", holders[-1].name, message)


def _counts(plan: Plan) -> Iterator[Problem]:
    for each in plan.roles:
        title, field = each.role.title, f"{each.name}.count"
        if isinstance(each.count, bool) or not isinstance(each.count, int):
            yield Problem(ERROR, "counts", field, f"The number of {title} nodes must be a whole number.")
        elif each.count < 0:
            yield Problem(ERROR, "counts", field, f"The number of {title} nodes cannot be negative.")
        elif each.count > each.role.max_count:
            yield Problem(ERROR, "counts", field, f"There can be at most {each.role.max_count} {title} nodes.")
        if plan.foreign:
            continue
        if not each.flavor:
            yield Problem(ERROR, "counts", f"{each.name}.flavor", f"Choose a flavor for {title}.")
        if not each.image:
            yield Problem(ERROR, "counts", f"{each.name}.image", f"Choose an image for {title}.")
    if plan.roles and not plan.foreign and not any(each.count for each in plan.roles):
        yield Problem(ERROR, "counts", f"{plan.roles[0].name}.count", "Give at least one role a node.")


def _parameters(plan: Plan, known: Registry) -> Iterator[Problem]:
    declared = parameters(plan, known)
    for parameter in declared:
        if parameter.missing:
            what = "a value (a secret that can be generated)" if parameter.hidden else "a value"
            yield Problem(ERROR, "parameters", parameter.name, f"{parameter.name} needs {what}.")
        elif parameter.given:
            try:
                parameter.accept(parameter.value)
            except ValueError as error:
                yield Problem(ERROR, "parameters", parameter.name, f"{parameter.name}: {error}")
    unknown = set(plan.parameters) - {parameter.name for parameter in declared}
    for name in sorted(unknown):
        yield Problem(WARNING, "parameters", name, f"No role of the plan has the parameter {name}.")
