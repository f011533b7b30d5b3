"""Deploy and undeploy: a page that says what will happen, and the POST that asks the orchestrator for it."""

from django.contrib import messages
from django.http import HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views import View

from tripleo_ui.orchestration import api
from tripleo_ui.planning import hot
from tripleo_ui.planning.errors import PlanningError
from tripleo_ui.services.errors import ServiceError
from tripleo_ui.web import failures, request_summary, submitting
from tripleo_ui.web.failures import Failure

from . import views
from .detail import Found
from .wizard import previewing


class DeployView(View):
    """Deploy the stored plan, or update what is deployed to it."""

    def get(self, request, name):
        """Show what Heat would create, replace, update, delete and keep."""
        return self._show(request, Found(request, name))

    def post(self, request, name):
        """Submit the deployment of the plan that the page showed."""
        found = Found(request, name)
        if found.plan is None:
            return self._show(request, found)
        if request.POST.get("etag") != found.plan.etag:
            problem = _("The plan was saved since this page was shown. Look at what will change now.")
            return self._show(request, found, problem=problem, status=409)
        params = {"plan": name, "etag": found.plan.etag}
        return _submit(request, found, "overcloud.deploy", params, _deploy_title(found), self._show)

    def _show(self, request, found, problem="", failure=None, holder=None, status=200):
        if not found.exists:
            return views.gone(request, found.name)
        context = {
            "page_title": _deploy_title(found),
            "preview": _preview(found),
            **_shared(request, found, problem, failure, holder),
        }
        return render(request, "tripleo_ui/deployments/deploy.html", context, status=status)


class UndeployView(View):
    """Delete the stack and, if asked, the plan."""

    def get(self, request, name):
        """Name what will be destroyed and ask for the deployment's name."""
        return self._show(request, Found(request, name))

    def post(self, request, name):
        """Submit, if the name was typed exactly."""
        found = Found(request, name)
        if request.POST.get("confirm", "") != name:
            problem = _("Type the name exactly as it is shown. Nothing was deleted.")
            return self._show(request, found, problem=problem, status=400)
        params = {"plan": name, "delete_plan": found.only_plan or request.POST.get("delete_plan") == "on"}
        if found.stack:
            params["stack_id"] = found.stack.id
        return _submit(request, found, "overcloud.delete", params, _undeploy_title(found), self._show)

    def _show(self, request, found, problem="", failure=None, holder=None, status=200):
        if not found.exists:
            return views.gone(request, found.name)
        context = {
            "page_title": _undeploy_title(found),
            "confirm": request.POST.get("confirm", ""),
            "delete_plan": request.POST.get("delete_plan") == "on",
            **_shared(request, found, problem, failure, holder),
        }
        return render(request, "tripleo_ui/deployments/undeploy.html", context, status=status)


def _deploy_title(found):
    words = _("Update %(name)s") if found.stack else _("Deploy %(name)s")
    return words % {"name": found.name}


def _undeploy_title(found):
    words = _("Delete plan %(name)s") if found.only_plan else _("Undeploy %(name)s")
    return words % {"name": found.name}


def _shared(request, found, problem, failure, holder):
    return {
        "found": found,
        "name": found.name,
        "problem": problem,
        "failures": found.failures() + ([failure] if failure else []),
        "holder": holder,
        "nonce": request.POST.get("nonce") or submitting.nonce(),
        "retry_url": request.path,
        "custom_breadcrumb": [(found.name, found.url)],
    }


def _preview(found):
    """What Heat says about the stored plan; None where there is none to ask about."""
    if found.plan is None:
        return None
    read = failures.gather({"files": lambda: found.cloud.plans.read(found.name)})["files"]
    if not read.ok:
        return {"failure": read.failure}
    try:
        plan = hot.parse(read.value.files)
    except PlanningError as error:
        return {"failure": Failure(_("Plan"), _("read the templates"), str(error))}
    return previewing.of_files(found.cloud.heat, plan, read.value.files)


def _submit(request, found, workflow, params, title, show):
    """Ask the orchestrator; both presses of a double click lead to the one request."""
    key = f"{workflow}:{found.name}:{request.POST.get('nonce') or submitting.nonce()}"
    try:
        submitting.submit(request, found.cloud, workflow, params, key=key, title=title)
    except api.Locked as locked:
        problem = _("Another request works on this overcloud.")
        return show(request, found, problem=problem, holder=request_summary.summary(locked.holder), status=409)
    except (api.Invalid, api.KeyReused) as refused:
        return show(request, found, problem=str(refused), status=400)
    except ServiceError as error:
        return show(request, found, failure=failures.explain(error), status=502)
    messages.success(request, _("%(title)s: the request is in the queue.") % {"title": title})
    return HttpResponseRedirect(reverse("horizon:infrastructure:deployments:detail", args=(found.name,)))
