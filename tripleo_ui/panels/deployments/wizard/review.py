"""The last page: what the plan is, what Heat will make of it, and the passwords that a person may type."""

from django.urls import reverse

from tripleo_ui.web import schema_forms
from tripleo_ui.web.failures import explain

from . import numbers, supplies
from .catalogue import services
from .finish import Outcome
from .state import State


def review(state: State, outcome: Outcome | None = None) -> dict:
    """Roles with their numbers, changed parameters, passwords; the preview is loaded by its own request.

    Args:
        state: the draft.
        outcome: what came of pressing a button, where that left the person on this page.
    """
    plan = state.plan
    offer = supplies.ask(state.cloud, state.origin["plan"] if state.origin else "")
    wants = [numbers.Want(item.role.namespace, str(item.count), item.flavor) for item in plan.roles]
    said = numbers.compute(wants, offer.free, offer.owned(plan))
    outcome = outcome or Outcome()
    return {
        "plan_name": plan.name,
        "description": plan.description,
        "deployed": offer.stack is not None,
        "roles": [_role(item, said[item.role.namespace]) for item in plan.roles],
        "changed": _changed(state),
        "blocked": bool(state.errors_count or state.failures),
        "preview_url": reverse("horizon:infrastructure:deployments:wizard_preview", args=(state.key,)),
        "secrets": _secrets(state, outcome.refused),
        "secrets_open": bool(outcome.refused),
        "alerts": outcome.alerts,
        "failures": [explain(error) for error in (*state.failures, *offer.failures)],
    }


def _role(item, said):
    labels = {service.key: service.label for service in services()}
    return {
        "label": item.role.title,
        "count": item.count,
        "flavor": item.flavor,
        "image": item.image,
        "services": [labels.get(choice.service, choice.service) for choice in item.role.services],
        "numbers": said,
    }


def _changed(state):
    """Parameters that differ from their defaults, with their values as text."""
    return [{"label": each.label or each.name, "text": each.text} for each in state.built.changed]


def _secrets(state, refused):
    """A password field for each hidden parameter, never with a value."""
    return [
        schema_forms.from_parameter(parameter, errors=[refused[parameter.name]] if parameter.name in refused else ())
        for parameter in state.built.parameters
        if parameter.hidden
    ]
