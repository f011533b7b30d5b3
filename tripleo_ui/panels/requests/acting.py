"""Cancel, retry and roll back, as far as a request's state allows it."""

from django.utils.translation import gettext as _

from tripleo_ui.orchestration import api
from tripleo_ui.web import cloud as web_cloud
from tripleo_ui.web import request_summary, submitting

from . import forms


class Refused(Exception):
    """The request does not allow it now; the message says why, ``holder`` is the request that is in the way."""

    def __init__(self, told: str, holder: api.Request | None = None):
        super().__init__(told)
        self.holder = holder


def destroys(found: api.Request, action: str) -> bool:
    """Whether an action takes back what was made, and the request's page does not ask for it by itself."""
    state = api.State
    undone = {state.RUNNING: "cancel", state.STALLED: "cancel", state.PARTIAL: "rollback"}
    return action in found.actions and undone.get(found.state) == action


def act(request, request_id: str, action: str) -> str:
    """Carry out an action.

    Returns:
        What to tell the person.

    Raises:
        Refused: there is no such request, or its state does not allow the action.
        ServiceError: Keystone refused the trust that a retry needs.
    """
    try:
        return _act(request, api.get(request_id, request.user.project_id), action)
    except api.Locked as error:
        raise Refused(_("Another request works on the same thing."), error.holder) from error
    except (api.NotFound, api.NotAllowed) as error:
        raise Refused(str(error)) from error


def _act(request, found, action):
    summary = request_summary.summary(found)
    if action not in found.actions:
        words = {"action": request_summary.action_label(action), "title": summary.title, "state": summary.badge.word}
        raise Refused(_("“%(action)s” is not possible now: %(title)s has the state %(state)s.") % words)
    _check_roles(request, found, action)
    title, request_id = summary.title, found.id
    if action == "cancel":
        api.cancel(request_id, submitting.requester(request))
        return _("%(title)s is being cancelled.") % {"title": title}
    acting, told = {
        "retry": (api.retry, _("%(title)s is in the queue again.")),
        "rollback": (api.rollback, _("%(title)s is being rolled back.")),
    }[action]
    _through_new_trust(request, request_id, acting)
    return told % {"title": title}


def _check_roles(request, found, action):
    workflow = api.definition(found.workflow, found.version)
    if action == "retry" and workflow and not forms.may_start(request.user, workflow):
        raise Refused(_("This needs one of the roles: %(roles)s.") % {"roles": ", ".join(sorted(workflow.roles))})


def _through_new_trust(request, request_id, acting):
    """The old trust may have been deleted at the end of the last attempt, or have been another person's."""
    cloud = web_cloud.from_request(request)
    trust_id = submitting.trust(request, cloud)
    try:
        acting(request_id, submitting.requester(request), trust_id=trust_id)
    except Exception:
        submitting.give_back(cloud, trust_id)
        raise
