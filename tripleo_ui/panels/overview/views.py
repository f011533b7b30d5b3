"""The overview: what a cloud needs, how far it is, and what to do next."""

from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tripleo_ui.web import cloud as web_cloud
from tripleo_ui.web import status, submitting

from . import readiness


@require_safe
def index(request):
    """The readiness checklist, which leads from nodes to a running overcloud."""
    return render(request, "tripleo_ui/overview/index.html", {"page_title": _("Overview"), "status": _region(request)})


@require_safe
def live(request):
    """The page's live region."""
    return status.answer(request, _region(request))


def _region(request):
    found = readiness.look(web_cloud.from_request(request), submitting.requester(request))
    context = {"ready": found, "retry_url": reverse("horizon:infrastructure:overview:index")}
    return status.region(
        "tripleo_ui/overview/_ready.html", context, reverse("horizon:infrastructure:overview:status"), found.active
    )
