"""Metrics of the orchestrator for Prometheus, which signs in with a token of its own and not through Keystone."""

import hmac
import logging

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import path
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from tripleo_ui.config import settings
from tripleo_ui.orchestration import metrics

LOG = logging.getLogger(__name__)


@require_safe
@never_cache
def show(request: HttpRequest) -> HttpResponse:
    """The figures, for who brings METRICS_TOKEN; without that setting there is no such page."""
    if not settings.metrics_token:
        raise Http404
    given = request.headers.get("Authorization", "")
    if not hmac.compare_digest(given.encode(), f"Bearer {settings.metrics_token}".encode()):
        return HttpResponse("A bearer token is needed.\n", "text/plain", 401, headers={"WWW-Authenticate": "Bearer"})
    try:
        return HttpResponse(metrics.text(), metrics.CONTENT_TYPE_LATEST)
    except Exception:
        LOG.exception("metrics could not be read")
        return HttpResponse("The database cannot be used.\n", "text/plain", 503)


urlpatterns = [path("metrics", show, name="metrics")]
