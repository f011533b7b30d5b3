"""Cancel, retry and roll back, as far as a request's state allows it."""

from django.utils.translation import gettext as _

from tripleo_ui.orchestration import api
from tripleo_ui.web import cloud as web_cloud
from tripleo_ui.web import request_summary, submitting


class Refused(Exception):
    """The request does not allow it now; the message says why."""


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
    except (api.NotFound, api.NotAllowed, api.Locked) as error:
        raise Refused(str(error)) from error


def _act(request, found, action):
    summary = request_summary.summary(found)
    if action not in found.actions:
        words = {"action": request_summary.action_label(action), "title": summary.title, "state": summary.badge.word}
        raise Refused(_("“%(action)s” is not possible now: %(title)s has the state %(state)s.") % words)
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


def _through_new_trust(request, request_id, acting):
    """The old trust may have been deleted at the end of the last attempt, or have been another person's."""
    cloud = web_cloud.from_request(request)
    trust_id = submitting.trust(request, cloud)
    try:
        acting(request_id, submitting.requester(request), trust_id=trust_id)
    except Exception:
        submitting.give_back(cloud, trust_id)
        raise
