"""Delete instances: a page that names them and asks, and the POST that asks the orchestrator for it."""

from functools import partial

from django.contrib import messages
from django.http import HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views import View

from tripleo_ui.orchestration import api
from tripleo_ui.orchestration.flows.instance import MOST_DELETED
from tripleo_ui.services.errors import ServiceError
from tripleo_ui.web import cloud as web_cloud
from tripleo_ui.web import failures, request_summary, submitting


class DeleteView(View):
    """Those of the named servers that are there."""

    def get(self, request):
        """Name what will be destroyed and ask for one instance's name, or for the number of many."""
        return self._show(request, _Chosen(request, request.GET))

    def post(self, request):
        """Submit, if the answer is right for the instances that are still there."""
        chosen = _Chosen(request, request.POST)
        if not chosen.servers:
            return self._show(request, chosen, status=409)
        if request.POST.get("confirm", "").strip() != chosen.answer:
            problem = _("Type it exactly as it is shown. Nothing was deleted.")
            return self._show(request, chosen, problem=problem, status=400)
        key = f"instance.delete:{request.POST.get('nonce') or submitting.nonce()}"
        params = {"servers": sorted(server.id for server in chosen.servers)}
        try:
            submitting.submit(request, chosen.cloud, "instance.delete", params, key=key, title=chosen.title)
        except api.Locked as locked:
            holder = request_summary.summary(locked.holder)
            problem = _("Another request works on one of these instances.")
            return self._show(request, chosen, problem=problem, holder=holder, status=409)
        except (api.Invalid, api.KeyReused) as refused:
            return self._show(request, chosen, problem=str(refused), status=400)
        except ServiceError as error:
            return self._show(request, chosen, failure=failures.explain(error), status=502)
        messages.success(request, _("%(title)s: the request is in the queue.") % {"title": chosen.title})
        return HttpResponseRedirect(reverse("horizon:infrastructure:instances:index"))

    def _show(self, request, chosen, *, problem="", failure=None, holder=None, status=200):
        context = {
            "page_title": chosen.title,
            "chosen": chosen,
            "most": MOST_DELETED,
            "problem": problem,
            "holder": holder,
            "failures": [each for each in (chosen.failure, failure) if each],
            "nonce": request.POST.get("nonce") or submitting.nonce(),
            "confirm": request.POST.get("confirm", ""),
            "here": request.path,
            "retry_url": request.get_full_path(),
            "index_url": reverse("horizon:infrastructure:instances:index"),
        }
        return render(request, "tripleo_ui/instances/delete.html", context, status=status)


class _Chosen:
    """The servers that a query names, as far as Nova has them; too many are none."""

    def __init__(self, request, query):
        self.ids = list(dict.fromkeys(query.getlist("server")))
        self.too_many = len(self.ids) > MOST_DELETED
        self.cloud = web_cloud.from_request(request)
        asked = {} if self.too_many or not self.ids else {"servers": partial(self.cloud.nova.servers, self.ids)}
        part = failures.gather(asked).get("servers", failures.Part(()))
        self.failure = part.failure
        self.servers = part.value or ()

    @property
    def answer(self) -> str:
        """What has to be typed."""
        return self.servers[0].name if len(self.servers) == 1 else str(len(self.servers))

    @property
    def title(self) -> str:
        """What the page and the request are called."""
        if len(self.servers) == 1:
            return _("Delete %(name)s") % {"name": self.servers[0].name}
        return ngettext("Delete %(n)s instance", "Delete %(n)s instances", len(self.servers)) % {"n": len(self.servers)}
