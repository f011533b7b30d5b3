"""The last press: save the plan to Swift and, if asked, deploy it. Whatever fails, draft or plan stays whole."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field

from django.contrib import messages
from django.http import HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext as _

from tripleo_ui.orchestration.drafts import DraftConflict
from tripleo_ui.orchestration.errors import OrchestrationError
from tripleo_ui.planning import hot
from tripleo_ui.planning.plan import Plan
from tripleo_ui.services.errors import NotFound, ServiceError
from tripleo_ui.services.plans import PlanConflict
from tripleo_ui.web import submitting
from tripleo_ui.web.failures import explain

from . import bases, completion, passwords
from .state import State, drafts

#: A finish that takes longer than this was interrupted; the next press may try again.
_GIVEN_UP_SECONDS = 120


@dataclass(frozen=True)
class Outcome:
    """What a press led to: a response that leaves the wizard, or what the page says.

    ``alerts`` have a title, and the other parts of ``web.failures.Failure`` where there are any; ``refused`` are
    reasons against typed passwords, by parameter.
    """

    response: HttpResponse | None = None
    alerts: tuple[dict, ...] = ()
    refused: Mapping[str, str] = field(default_factory=dict)


def finish(request, found: State) -> Outcome:
    """Carry out what the pressed button says; a second press of the same finds that it is being done.

    Args:
        request: a POST with ``finish`` = save or deploy, ``seen`` = the fingerprint of the reviewed draft, and the
            passwords that were typed.
        found: the draft.
    """
    if request.POST.get("seen") != found.digest("review"):
        return _alert(_("The draft was changed in another tab"), _("Look at it again; nothing was saved."))
    if found.errors_count or found.failures:
        return Outcome()
    if not _claim(request, found):
        messages.info(request, _("This draft is being carried out already."))
        return Outcome(_detail(found.plan.name))
    try:
        return _carry_out(request, found)
    finally:
        _release(request, found)


def _carry_out(request, found):
    try:
        info = _save(request, found, completion.complete(found, request.POST))
    except passwords.Refused as refused:
        return Outcome(refused=refused.errors)
    except ServiceError as error:
        meanwhile = isinstance(error, PlanConflict) or (found.origin and isinstance(error, NotFound))
        return _conflict(found) if meanwhile else Outcome(alerts=(explain(error),))
    if request.POST["finish"] == "deploy":
        if refusal := _deploy(request, found, info):
            return refusal
        messages.success(request, _("Deployment of %(plan)s started.") % {"plan": info.name})
    else:
        messages.success(request, _("Plan %(plan)s saved.") % {"plan": info.name})
    drafts(request).delete(found.key)
    return Outcome(_detail(info.name))


def _deploy(request, found, info):
    """Submit the deployment; returns what to tell where it did not start."""
    try:
        submitting.submit(
            request,
            found.cloud,
            "overcloud.deploy",
            {"plan": info.name, "etag": info.etag},
            key=f"{found.key}:{info.etag}",
            title=_("Deploy %(plan)s") % {"plan": info.name},
        )
    except OrchestrationError as refused:
        return _alert(_("The plan is saved, but cannot be deployed now"), str(refused))
    except ServiceError as error:
        title = _("The plan is saved, but its deployment did not start")
        return Outcome(alerts=({"title": title}, explain(error)))
    return None


def _alert(title, cause):
    return Outcome(alerts=({"title": title, "cause": cause},))


def _save(request, found: State, plan: Plan):
    """Save, and let the draft follow the stored plan, so that a retry is a change of what is stored."""
    info = found.cloud.plans.save(
        plan.name,
        hot.compose(plan),
        description=plan.description,
        author=request.user.username,
        etag=found.origin["etag"] if found.origin else None,
    )
    drafts(request).update(found.key, lambda data: {**data, "origin": bases.origin_of(info)})
    return info


def _conflict(found):
    if found.origin is None:
        message = _("Choose another name, or edit the plan that has it.")
        return _alert(_("There is a plan named %(name)s already") % {"name": found.plan.name}, message)
    return Outcome(
        HttpResponseRedirect(reverse("horizon:infrastructure:deployments:wizard_changed", args=(found.key,)))
    )


def _claim(request, found):
    """Whether this press is the one that carries out the draft; the draft's revision decides between two."""
    now = time.time()
    if now - found.data.get("finishing", 0) < _GIVEN_UP_SECONDS:
        return False
    try:
        drafts(request).save(found.key, {**found.data, "finishing": now}, found.draft.revision)
    except DraftConflict:
        return False
    return True


def _release(request, found):
    def change(data):
        return {name: value for name, value in data.items() if name != "finishing"}

    drafts(request).update(found.key, change)


def _detail(name):
    return HttpResponseRedirect(reverse("horizon:infrastructure:deployments:detail", args=(name,)))
