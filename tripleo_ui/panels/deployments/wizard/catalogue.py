"""The cloud services that a role may run: the package's and the operator's own."""

import functools

from django.shortcuts import render
from django.utils.translation import gettext as _

from tripleo_ui.planning.errors import PlanningError
from tripleo_ui.planning.services import CloudService, registry
from tripleo_ui.web.failures import Failure


def services() -> tuple[CloudService, ...]:
    """All cloud services in their order.

    Raises:
        PlanningError: a file that describes one is wrong; says file and line.
    """
    return tuple(registry())


def needed(view):
    """A view that needs the cloud services; where they cannot be read, a page that says which file is wrong."""

    @functools.wraps(view)
    def guarded(request, **kwargs):
        try:
            services()
        except PlanningError as error:
            return _unreadable(request, error)
        return view(request, **kwargs)

    return guarded


def _unreadable(request, error):
    next_step = _("An operator of this dashboard mends the file; drafts and plans stay as they are.")
    context = {
        "page_title": _("Cloud services"),
        "failure": Failure(_("Cloud services"), _("read their descriptions"), str(error), next_step),
        "here": request.get_full_path(),
    }
    return render(request, "tripleo_ui/deployments/wizard/unreadable.html", context, status=500)
