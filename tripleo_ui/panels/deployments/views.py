"""The panel's pages."""

from django.shortcuts import render
from django.utils.translation import gettext as _


def index(request):
    """The panel's first page."""
    return render(request, "tripleo_ui/deployments/index.html", {"page_title": _("Deployments")})
