"""The requests panel's pages: the list, one request with its timeline, and what can be done to it."""

import json

from django.contrib import messages
from django.http import HttpResponseRedirect, StreamingHttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from tripleo_ui.orchestration import api
from tripleo_ui.services.errors import ServiceError
from tripleo_ui.web import badges, request_summary, status

from . import acting, forms, reading

_ROWS = "tripleo_ui/requests/_rows.html"
_REQUEST = "tripleo_ui/requests/_request.html"


@require_safe
def index(request):
    """The project's requests, newest first."""
    context = {
        "page_title": _("Requests"),
        "status": _list_region(request),
        "states": badges.request_states(),
        "workflows": request_summary.workflows(),
        "query": request.GET.get("q", ""),
        "state": request.GET.get("state", ""),
        "workflow": request.GET.get("workflow", ""),
        "can_start": bool(forms.startable(request.user)),
    }
    return render(request, "tripleo_ui/requests/index.html", context)


@require_safe
def list_status(request):
    """The list's live region."""
    return status.answer(request, _list_region(request))


def _list_region(request):
    query = request.GET.dict()
    here = "?" + request.GET.urlencode()
    index_url = reverse("horizon:infrastructure:requests:index")
    url = reverse("horizon:infrastructure:requests:list_status") + here
    found = reading.listing(request.user.project_id, query)
    context = {"listing": found, "page": found.page, "retry_url": index_url + here, "index_url": index_url}
    return status.region(_ROWS, context, url, found.active)


@require_safe
def detail(request, request_id):
    """One request: phases, progress, timeline, what it made."""
    return _page(request, request_id)


def _page(request, request_id, problem="", holder=None, status_code=200):
    found = reading.request(request.user.project_id, request_id)
    if found is None:
        return _gone(request)
    context = {
        "page_title": found.title,
        "page_url": _url("detail", request_id),
        "status": _detail_region(found, request_id),
        "action_url": _url("action", request_id),
        "problem": problem,
        "holder": request_summary.summary(holder) if holder else None,
    }
    return render(request, "tripleo_ui/requests/detail.html", context, status=status_code)


@require_safe
def detail_status(request, request_id):
    """The request's live region."""
    project_id = request.user.project_id
    version = reading.version(project_id, request_id)
    unchanged = status.unchanged(request, version) if version else None
    if unchanged:
        return unchanged
    found = reading.request(project_id, request_id)
    return _gone(request) if found is None else status.answer(request, _detail_region(found, request_id))


def _detail_region(found, request_id):
    context = {"found": found, "retry_url": _url("detail", request_id)}
    return status.region(_REQUEST, context, _url("status", request_id), found.active, found.version)


def _url(name, request_id):
    return reverse(f"horizon:infrastructure:requests:{name}", args=(request_id,))


def _gone(request):
    return render(request, "tripleo_ui/requests/gone.html", {"page_title": _("Request not found")}, status=404)


@require_safe
def events(request, request_id):
    """The request's timeline as JSON lines, with the fields of the audit log, to keep or to search."""
    project_id = request.user.project_id
    try:
        api.get(request_id, project_id)
    except api.NotFound:
        return _gone(request)
    lines = (json.dumps(line) + "\n" for line in api.export(project_id=project_id, request_id=request_id))
    response = StreamingHttpResponse(lines, content_type="application/jsonl")
    response["Content-Disposition"] = f'attachment; filename="request-{request_id}.jsonl"'
    response["Cache-Control"] = "no-store"
    return response


@require_POST
def action(request, request_id):
    """Cancel, retry or roll back, then back to the page that asked for it; what destroys something asks first."""
    name = request.POST.get("action", "")
    onward = request.POST.get("next", "")
    if not url_has_allowed_host_and_scheme(onward, allowed_hosts={request.get_host()}):
        onward = _url("detail", request_id)
    if "confirmed" not in request.POST:
        found = reading.request(request.user.project_id, request_id)
        if found and found.request and acting.destroys(found.request, name) and found.left:
            return _ask(request, found, name, onward)
    try:
        messages.success(request, acting.act(request, request_id, name))
    except acting.Refused as refused:
        if refused.holder:
            return _page(request, request_id, str(refused), refused.holder, status_code=409)
        messages.warning(request, str(refused))
    except ServiceError as error:
        messages.error(request, f"{error} {error.next_step}".strip())
    return HttpResponseRedirect(onward)


def _ask(request, found, name, onward):
    words = {"action": request_summary.action_label(name), "title": found.title}
    context = {
        "page_title": _("%(action)s: %(title)s") % words,
        "found": found,
        "action": name,
        "action_url": _url("action", found.request.id),
        "next": onward,
        "custom_breadcrumb": [(found.title, _url("detail", found.request.id))],
    }
    return render(request, "tripleo_ui/requests/confirm.html", context)
