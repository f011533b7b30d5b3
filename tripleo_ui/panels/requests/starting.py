"""Start a workflow that brings a form: the list of those that do, and the form's page."""

import re

from django.contrib import messages
from django.http import HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views import View
from django.views.decorators.http import require_safe

from tripleo_ui.orchestration import api
from tripleo_ui.services.errors import ServiceError
from tripleo_ui.web import cloud as web_cloud
from tripleo_ui.web import failures, request_summary, submitting

from . import forms

_NONCE = re.compile(r"[0-9a-f]{32}")


@require_safe
def index(request):
    """What the person can start here."""
    context = {"page_title": _("New request"), "offers": forms.offers(request.user)}
    return render(request, "tripleo_ui/requests/new.html", context)


class StartView(View):
    """One workflow's form."""

    def dispatch(self, request, *arguments, workflow):
        """Only workflows that have a form, and only for those who may start them."""
        found = api.definition(workflow)
        if found is None or not found.form:
            return _refused(request, _("There is no such workflow to start here."), 404)
        if not forms.may_start(request.user, found):
            roles = ", ".join(sorted(found.roles))
            return _refused(request, _("This needs one of the roles: %(roles)s.") % {"roles": roles}, 403)
        return super().dispatch(request, *arguments, workflow=found)

    def get(self, request, workflow):
        """The form with its defaults."""
        return self._show(request, workflow, forms.Checked())

    def post(self, request, workflow):
        """Submit the request; both presses of a double click lead to the one request."""
        checked = forms.check(workflow, request.POST)
        if not checked.ok:
            return self._show(request, workflow, checked, status=400)
        cloud = web_cloud.from_request(request)
        key = f"{workflow.name}:{_nonce(request)}"
        try:
            submitted = submitting.submit(request, cloud, workflow.name, checked.params, key=key)
        except api.Locked as locked:
            holder = request_summary.summary(locked.holder)
            problem = _("Another request works on the same thing.")
            return self._show(request, workflow, checked, problem=problem, holder=holder, status=409)
        except api.KeyReused:
            problem = _("This form was sent before with other content. Press the button again for a second request.")
            return self._show(request, workflow, checked, problem=problem, nonce=submitting.nonce(), status=409)
        except api.Invalid as invalid:
            return self._show(request, workflow, checked, problem=str(invalid), status=400)
        except ServiceError as error:
            return self._show(request, workflow, checked, failure=failures.explain(error), status=502)
        messages.success(request, _("%(title)s: the request is in the queue.") % {"title": submitted.title})
        return HttpResponseRedirect(reverse("horizon:infrastructure:requests:detail", args=(submitted.id,)))

    def _show(self, request, workflow, checked, *, problem="", holder=None, failure=None, nonce="", status=200):
        new_url = reverse("horizon:infrastructure:requests:new")
        shown = forms.fields(workflow, request.POST, checked.errors)
        context = {
            "page_title": request_summary.workflow_label(workflow.name),
            "fields": shown,
            "wrong": [each for each in shown if each.errors],
            "problems": checked.problems,
            "problem": problem,
            "holder": holder,
            "failures": [failure] if failure else [],
            "nonce": nonce or _nonce(request),
            "new_url": new_url,
            "custom_breadcrumb": [(_("New request"), new_url)],
        }
        return render(request, "tripleo_ui/requests/start.html", context, status=status)


def _refused(request, words, status):
    context = {"page_title": _("New request"), "refused": words, "offers": forms.offers(request.user)}
    return render(request, "tripleo_ui/requests/new.html", context, status=status)


def _nonce(request):
    given = request.POST.get("nonce", "")
    return given if _NONCE.fullmatch(given) else submitting.nonce()
