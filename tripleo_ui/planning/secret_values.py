"""Values for hidden parameters that nobody gave one."""

import secrets
import string
from dataclasses import replace

from tripleo_ui.planning.parameters import Parameter
from tripleo_ui.planning.plan import Plan, parameters

LENGTH = 32
_ALPHABET = string.ascii_letters + string.digits


def generate(plan: Plan) -> Plan:
    """The plan with a random value for each hidden string parameter that is missing one."""
    missing = [each for each in parameters(plan) if each.hidden and each.missing and each.type == "string"]
    return replace(plan, parameters={**plan.parameters, **{each.name: random_value(each) for each in missing}})


def random_value(parameter: Parameter) -> str:
    """Letters and digits, as many as the parameter's length constraint wants, 32 where it says nothing."""
    low, high = parameter.length
    length = int(min(max(LENGTH, low or 0), high or max(LENGTH, low or 0)))
    return "".join(secrets.choice(_ALPHABET) for _ in range(length))


def kept(plan: Plan, earlier: Plan) -> Plan:
    """The plan with the hidden values of an earlier one wherever it has none of its own."""
    hidden = {each.name for each in parameters(plan) if each.hidden and not each.given}
    known = {name: value for name, value in earlier.parameters.items() if name in hidden}
    return replace(plan, parameters={**plan.parameters, **known})
