"""Create instances: one form, checked as a whole before the orchestrator is asked."""

import re

from django.contrib import messages
from django.http import HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _
from django.views import View

from tripleo_ui.orchestration import api
from tripleo_ui.services.cloud import Cloud
from tripleo_ui.services.errors import ServiceError
from tripleo_ui.web import cloud as web_cloud
from tripleo_ui.web import failures, request_summary, submitting

from . import checking, typed
from .form import Form
from .options import Options

_ROW = re.compile(r"(add|remove):(networks|volumes)(?:\.([0-9]{1,3}))?")
_NONCE = re.compile(r"[0-9a-f]{32}")


class CreateView(View):
    """The form, with everything that was typed until it is right."""

    def get(self, request):
        """An empty form."""
        cloud = web_cloud.from_request(request)
        options = Options.read(cloud, request.user.project_id)
        return self._show(request, Form(typed.empty(options.only_network), options))

    def post(self, request):
        """Add or remove a row, or submit the request."""
        cloud = web_cloud.from_request(request)
        entered = typed.read(request.POST)
        asked = _ROW.fullmatch(request.POST.get("rows", ""))
        if asked:
            changed, focus = _with_rows(entered, *asked.groups())
            return self._show(request, _form(request, cloud, changed), focus=focus)
        return self._submit(request, cloud, entered)

    def _submit(self, request, cloud, entered):
        def show(status, problems=(), **more):
            return self._show(request, _form(request, cloud, entered, problems), status=status, **more)

        nonce = _nonce(request)
        try:
            submitted, problems = _carry_out(request, cloud, entered, nonce)
        except api.Locked as locked:
            holder = request_summary.summary(locked.holder)
            return show(409, problem=_("Another request makes instances of this name."), holder=holder)
        except api.KeyReused:
            problem = _("This form was sent before with other content. Press the button again for a second request.")
            return show(409, problem=problem, nonce=submitting.nonce())
        except api.Invalid as invalid:
            return show(400, problem=str(invalid))
        except ServiceError as error:
            return show(502, failure=failures.explain(error))
        if problems:
            return show(400, problems)
        messages.success(request, _("%(title)s: the request is in the queue.") % {"title": submitted.title})
        return HttpResponseRedirect(reverse("horizon:infrastructure:instances:detail", args=(submitted.id,)))

    def _show(self, request, form, *, problem="", failure=None, holder=None, nonce="", focus="", status=200):
        context = {
            "page_title": _("Create instances"),
            "form": form,
            "problem": problem,
            "holder": holder,
            "failures": [*form.options.failures, *([failure] if failure else [])],
            "focus": focus,
            "nonce": nonce or _nonce(request),
            "here": request.path,
            "index_url": reverse("horizon:infrastructure:instances:index"),
        }
        return render(request, "tripleo_ui/instances/create.html", context, status=status)


def _form(request, cloud, entered, problems=()):
    return Form(entered, Options.read(cloud, request.user.project_id), problems)


def _nonce(request):
    given = request.POST.get("nonce", "")
    return given if _NONCE.fullmatch(given) else submitting.nonce()


def _with_rows(entered, action, kind, index):
    """The form with a row more or less, and the name of what a person goes on with."""
    if action == "remove":
        return entered.without_row(kind, int(index or 0)), kind
    changed = entered.with_row(kind)
    return changed, f"{kind}.{len(changed.rows[kind]) - 1}.{typed.ROWS[kind][0][0]}"


def _carry_out(request, cloud: Cloud, entered, nonce):
    """The submitted request, or all problems; user data that no request will read is forgotten again."""
    project, key = request.user.project_id, f"instance.create:{nonce}"
    text = entered.text("user_data")
    reference = cloud.userdata.put(text, _secret_key(nonce, text)) if text.strip() else ""
    try:
        params = typed.params(entered, reference)
        # The second press of a double click: what the first one asked for must not count against it.
        problems = () if api.by_key(project, key) else checking.problems(params, cloud)
        if problems:
            return None, problems
        return submitting.submit(request, cloud, "instance.create", params, key=key), ()
    finally:
        known = api.by_key(project, key)
        if reference and (known is None or known.params["user_data_ref"] != reference):
            _forget(cloud, reference)


def _secret_key(nonce, text):
    """Both presses of a double click keep the same text in the same place, which says nothing about the text."""
    return salted_hmac("tripleo-ui-user-data", f"{nonce}:{text}").hexdigest()


def _forget(cloud, reference):
    try:
        cloud.userdata.delete(reference)
    except ServiceError:
        return
