"""The plan of a draft made complete: with the passwords that no draft holds."""

from dataclasses import replace

from tripleo_ui.planning.plan import Plan, parameters

from . import bases, passwords
from .state import State


def complete(state: State, post) -> Plan:
    """Passwords of the stored revision are kept, typed ones replace them, missing ones are generated.

    Args:
        state: the draft.
        post: what the last step's form posted.

    Raises:
        ServiceError: the stored revision cannot be read.
        passwords.Refused: a typed password breaks a rule.
    """
    kept = {}
    if state.origin:
        kept = secrets_of(bases.with_secrets(state.cloud, state.origin))
    hidden = [parameter for parameter in parameters(state.plan) if parameter.hidden]
    values = passwords.chosen(hidden, post, kept)
    return replace(state.plan, parameters={**state.plan.parameters, **values})


def secrets_of(plan: Plan) -> dict[str, object]:
    """A plan's values of hidden parameters."""
    hidden = {parameter.name for parameter in parameters(plan) if parameter.hidden}
    return {name: value for name, value in plan.parameters.items() if name in hidden}
