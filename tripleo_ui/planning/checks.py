"""What is wrong with a plan, each problem with the step of the wizard that mends it."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tripleo_ui.planning import needs
from tripleo_ui.planning.errors import PlanningError
from tripleo_ui.planning.hot.package import Package
from tripleo_ui.planning.names import check_plan_name
from tripleo_ui.planning.parameters import Parameter
from tripleo_ui.planning.plan import Plan, PlanRole, parameters
from tripleo_ui.planning.services import Registry, registry

ERROR = "error"
WARNING = "warning"
STEPS = ("name", "roles", "counts", "parameters", "review")


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong.

    Attributes:
        level: error, which stands in the way of a deployment, or warning.
        step: name, roles, counts, parameters or review.
        field: what to change there: ``Compute-1``, ``Compute-1.service.telemetry``, ``Compute-1.count``, a parameter.
        message: a sentence.
    """

    level: str
    step: str
    field: str
    message: str


def check(plan: Plan, services: Registry | None = None) -> tuple[Problem, ...]:
    """All problems of a plan, in the order of the steps; none for one that can be deployed."""
    services = services or registry()
    problems = [*_name(plan), *_counts(plan), *_parameters(parameters(plan, services)), *_unknown(plan, services)]
    problems += _roles(plan, services)
    if plan.foreign:
        problems += _package(plan)
    return tuple(sorted(problems, key=lambda problem: STEPS.index(problem.step)))


def has_errors(problems: Iterable[Problem]) -> bool:
    """Whether any of them stands in the way of a deployment."""
    return any(problem.level == ERROR for problem in problems)


def _name(plan: Plan) -> Iterator[Problem]:
    if plan.foreign and not plan.name:
        return  # Its templates do not say a name; it has the one that it is stored under.
    try:
        check_plan_name(plan.name)
    except ValueError as error:
        yield Problem(ERROR, "name", "name", _sentence(str(error)))


def _package(plan: Plan) -> Iterator[Problem]:
    try:
        for fault in Package(plan.files).missing():
            yield Problem(ERROR, "review", fault.file, f"{fault}.")
    except PlanningError as error:
        yield Problem(ERROR, "review", error.file, f"{error}.")


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."


def _roles(plan: Plan, services: Registry) -> Iterator[Problem]:
    if not plan.roles and not plan.foreign:
        yield Problem(ERROR, "roles", "roles", "Choose at least one role.")
    for space, times in Counter(each.namespace for each in plan.roles).items():
        if times > 1:
            yield Problem(ERROR, "roles", space, f"The role {space} is in the plan {times} times.")
    if any(each.role.template for each in plan.roles):
        return  # Nobody knows what runs there, so nothing can be said about the others either.
    for each in plan.roles:
        yield from _choices(each, services)
        yield from _conflicts(each, services)
    yield from _exclusions(plan, services)
    yield from _needs(plan, services)
    yield from _one_role(plan, services)


def _choices(each: PlanRole, services: Registry) -> Iterator[Problem]:
    if not each.role.services:
        yield Problem(WARNING, "roles", each.namespace, f"{each.role.title} has no services: nothing runs there.")
    times = Counter(choice.service for choice in each.role.services)
    for choice in each.role.services:
        field = f"{each.namespace}.service.{choice.service}"
        service = services.get(choice.service)
        if service is None:
            yield Problem(ERROR, "roles", field, f"{each.role.title} has the unknown service {choice.service}.")
        elif service.element(choice.element) is None:
            message = f"No element {choice.element} fulfils {service.label} on {each.role.title}."
            yield Problem(ERROR, "roles", field, message)
        elif times.pop(choice.service, 1) > 1:
            message = f"{service.label} has more than one element on {each.role.title}."
            yield Problem(ERROR, "roles", field, message)


def _conflicts(each: PlanRole, services: Registry) -> Iterator[Problem]:
    chosen = needs.chosen_elements(each.role, services)
    for index, (_choice, element) in enumerate(chosen):
        for choice, other in chosen[index + 1 :]:
            if other.key in element.conflicts or element.key in other.conflicts:
                message = f"{element.label} and {other.label} cannot both be on {each.role.title}."
                yield Problem(ERROR, "roles", f"{each.namespace}.service.{choice.service}", message)


def _exclusions(plan: Plan, services: Registry) -> Iterator[Problem]:
    """Elements that cannot be in one cloud, wherever they are."""
    chosen = [(each, *pair) for each in plan.roles for pair in needs.chosen_elements(each.role, services)]
    told: set[frozenset[str]] = set()
    for index, (first, _choice, element) in enumerate(chosen):
        for second, choice, other in chosen[index + 1 :]:
            pair = frozenset({element.key, other.key})
            if pair in told or not (other.key in element.excludes or element.key in other.excludes):
                continue
            told.add(pair)
            message = (
                f"{element.label} on {first.role.title} and {other.label} on {second.role.title} "
                "cannot be in one overcloud."
            )
            yield Problem(ERROR, "roles", f"{second.namespace}.service.{choice.service}", message)


def _needs(plan: Plan, services: Registry) -> Iterator[Problem]:
    """A service that another needs must be on a role that has a server."""
    running = [each for each in plan.roles if each.count]
    placed = {choice.service for each in running for choice, _ in needs.chosen_elements(each.role, services)}
    told = set()
    for each in running:
        for choice in each.role.services:
            service = services.get(choice.service)
            for need in service.requires if service else ():
                if service is None or need in placed or (choice.service, need) in told:
                    continue
                told.add((choice.service, need))
                idle = [other.role.title for other in plan.roles if other.role.element(need)]
                where = f"{idle[0]} would have it, but has no servers" if idle else "no role has it"
                message = f"{service.label} needs {services.services[need].label}: {where}."
                yield Problem(ERROR, "roles", f"{each.namespace}.service.{choice.service}", message)


def _one_role(plan: Plan, services: Registry) -> Iterator[Problem]:
    for service in services:
        holders = [each for each in plan.roles if each.role.element(service.key)]
        if not service.multiple and len(holders) > 1:
            names = " and ".join(each.role.title for each in holders)
            message = f"{service.label} may be on one role only, not on {names}."
            yield Problem(ERROR, "roles", f"{holders[-1].namespace}.service.{service.key}", message)


def _counts(plan: Plan) -> Iterator[Problem]:
    for each in plan.roles:
        title, field = each.role.title, f"{each.namespace}.count"
        if isinstance(each.count, bool) or not isinstance(each.count, int):
            yield Problem(ERROR, "counts", field, f"The number of {title} servers must be a whole number.")
        elif each.count < 0:
            yield Problem(ERROR, "counts", field, f"The number of {title} servers cannot be negative.")
        elif each.count > each.role.max_count:
            yield Problem(ERROR, "counts", field, f"There can be at most {each.role.max_count} {title} servers.")
        if each.role.template:
            continue
        if not each.flavor:
            yield Problem(ERROR, "counts", f"{each.namespace}.flavor", f"Choose a flavor for {title}.")
        if not each.image:
            yield Problem(ERROR, "counts", f"{each.namespace}.image", f"Choose an image for {title}.")
    if plan.roles and not any(each.count for each in plan.roles):
        level = WARNING if plan.foreign else ERROR
        yield Problem(level, "counts", f"{plan.roles[0].namespace}.count", "Give at least one role a server.")


def _parameters(found: Iterable[Parameter]) -> Iterator[Problem]:
    for parameter in found:
        if parameter.missing:
            kind = "a value, which can be generated" if parameter.hidden else "a value"
            yield Problem(ERROR, "parameters", parameter.name, f"{parameter.name} needs {kind}.")
        elif parameter.given:
            try:
                parameter.accept(parameter.value)
            except ValueError as error:
                yield Problem(ERROR, "parameters", parameter.name, f"{parameter.name}: {error}")


def _unknown(plan: Plan, services: Registry) -> Iterator[Problem]:
    known = {parameter.name for parameter in parameters(plan, services)}
    for name in sorted(set(plan.parameters) - known):
        outcome = "Heat refuses it" if plan.foreign else "it is left out"
        message = f"Nothing in the plan has the parameter {name}; {outcome}."
        yield Problem(ERROR if plan.foreign else WARNING, "parameters", name, message)
