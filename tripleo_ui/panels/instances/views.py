"""The instances panel's pages to look at: the list, and one request with its states."""

from django.http import HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tripleo_ui.panels.requests import reading
from tripleo_ui.web import cloud as web_cloud
from tripleo_ui.web import status

from . import detail as details
from . import listing, servers

_ROWS = "tripleo_ui/instances/_rows.html"
_REQUEST = "tripleo_ui/instances/_request.html"


@require_safe
def index(request):
    """The project's instances, newest first."""
    context = {
        "page_title": _("Instances"),
        "status": _list_region(request),
        "statuses": servers.statuses(),
        "query": request.GET.get("q", ""),
        "chosen": request.GET.get("status", ""),
    }
    return render(request, "tripleo_ui/instances/index.html", context)


@require_safe
def list_status(request):
    """The list's live region."""
    return status.answer(request, _list_region(request))


def _list_region(request):
    here = "?" + request.GET.urlencode()
    index_url = reverse("horizon:infrastructure:instances:index")
    url = reverse("horizon:infrastructure:instances:list_status") + here
    found = listing.listing(web_cloud.from_request(request), request.user.project_id, request.GET.dict())
    context = {"listing": found, "page": found.page, "retry_url": index_url + here, "index_url": index_url}
    return status.region(_ROWS, context, url, found.active)


@require_safe
def detail(request, request_id):
    """One request that makes instances; any other has its page among the requests."""
    found = reading.request(request.user.project_id, request_id)
    if found is None:
        return _gone(request)
    if found.request is not None and found.request.workflow != details.WORKFLOW:
        return HttpResponseRedirect(reverse("horizon:infrastructure:requests:detail", args=(request_id,)))
    context = {
        "page_title": found.title,
        "status": _detail_region(request, found, request_id),
        "here": request.path,
        "action_url": reverse("horizon:infrastructure:requests:action", args=(request_id,)),
    }
    return render(request, "tripleo_ui/instances/detail.html", context)


@require_safe
def detail_status(request, request_id):
    """The request's live region."""
    found = reading.request(request.user.project_id, request_id)
    return _gone(request) if found is None else status.answer(request, _detail_region(request, found, request_id))


def _detail_region(request, found, request_id):
    page_url = reverse("horizon:infrastructure:instances:detail", args=(request_id,))
    url = reverse("horizon:infrastructure:instances:status", args=(request_id,)) + "?" + request.GET.urlencode()
    shown = details.Found(found, web_cloud.from_request(request), request.GET.dict()) if found.request else found
    return status.region(_REQUEST, {"found": shown, "retry_url": page_url}, url, found.active)


def _gone(request):
    context = {"page_title": _("Request not found")}
    return render(request, "tripleo_ui/instances/gone.html", context, status=404)
