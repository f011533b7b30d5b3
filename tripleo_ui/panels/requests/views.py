"""The requests panel's pages: the list, one request with its timeline, and what can be done to it."""

from django.contrib import messages
from django.http import HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from tripleo_ui.services.errors import ServiceError
from tripleo_ui.web import badges, request_summary, status

from . import acting, reading

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
    found = reading.request(request.user.project_id, request_id)
    if found is None:
        return _gone(request)
    context = {
        "page_title": found.title,
        "status": _detail_region(found, request_id),
        "action_url": reverse("horizon:infrastructure:requests:action", args=(request_id,)),
    }
    return render(request, "tripleo_ui/requests/detail.html", context)


@require_safe
def detail_status(request, request_id):
    """The request's live region."""
    found = reading.request(request.user.project_id, request_id)
    return _gone(request) if found is None else status.answer(request, _detail_region(found, request_id))


def _detail_region(found, request_id):
    url = reverse("horizon:infrastructure:requests:status", args=(request_id,))
    page_url = reverse("horizon:infrastructure:requests:detail", args=(request_id,))
    return status.region(_REQUEST, {"found": found, "retry_url": page_url}, url, found.active)


def _gone(request):
    return render(request, "tripleo_ui/requests/gone.html", {"page_title": _("Request not found")}, status=404)


@require_POST
def action(request, request_id):
    """Cancel, retry or roll back, then back to the page that asked for it."""
    name = request.POST.get("action", "")
    try:
        messages.success(request, acting.act(request, request_id, name))
    except acting.Refused as refused:
        messages.warning(request, str(refused))
    except ServiceError as error:
        messages.error(request, f"{error} {error.next_step}".strip())
    onward = request.POST.get("next", "")
    if not url_has_allowed_host_and_scheme(onward, allowed_hosts={request.get_host()}):
        onward = reverse("horizon:infrastructure:requests:detail", args=(request_id,))
    return HttpResponseRedirect(onward)
