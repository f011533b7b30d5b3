"""Values for hidden parameters that nobody gave one."""

import secrets
import string
from dataclasses import replace

from tripleo_ui.planning.parameters import Parameter
from tripleo_ui.planning.plan import Plan, parameters
from tripleo_ui.planning.services import Registry

LENGTH = 32
_ALPHABETS = (string.ascii_letters + string.digits, "0123456789abcdef", string.digits, string.ascii_lowercase)


def missing(plan: Plan, services: Registry | None = None) -> tuple[Parameter, ...]:
    """The hidden parameters that must have a value and have none."""
    return tuple(each for each in parameters(plan, services) if each.hidden and each.missing)


def generate(plan: Plan, services: Registry | None = None) -> Plan:
    """The plan with a random value for each hidden parameter that is missing one; given values stay.

    Raises:
        ValueError: no random text fits a parameter's constraints, so a person has to give its value.
    """
    values = {each.name: random_value(each) for each in missing(plan, services)}
    return replace(plan, parameters={**plan.parameters, **values})


def random_value(parameter: Parameter) -> str:
    """Random letters and digits that the parameter's constraints accept: 32, or what its length says.

    Raises:
        ValueError: none fits.
    """
    low, high = parameter.length
    length = int(max(low or 0, min(LENGTH, high or LENGTH)))
    for alphabet in _ALPHABETS:
        text = "".join(secrets.choice(alphabet) for _position in range(length))
        try:
            if parameter.type == "string" and parameter.parse(text) == text:
                return text
        except ValueError:
            continue
    raise ValueError(f"no value can be generated for {parameter.name}: give one")


def kept(plan: Plan, earlier: Plan, services: Registry | None = None) -> Plan:
    """The plan with the hidden values of an earlier one, wherever it has none of its own."""
    known = {each.name for each in parameters(plan, services) if each.hidden and not each.given}
    values = {name: value for name, value in earlier.parameters.items() if name in known}
    return replace(plan, parameters={**plan.parameters, **values})
