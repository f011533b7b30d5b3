"""A stored plan and drafts that change it: begin one, and put it on top of what somebody else saved meanwhile."""

from django.contrib import messages
from django.http import HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.generic import View

from tripleo_ui.planning import hot
from tripleo_ui.planning.errors import PlanningError
from tripleo_ui.services.errors import NotFound, ServiceError
from tripleo_ui.web import cloud as web_cloud
from tripleo_ui.web.failures import explain

from . import bases, plans, sections, state

#: Sections that people compare; a long text is cut in a list of differences.
_SHOWN = 120


def edit(request, name):
    """Begin a draft that changes a stored plan; one that is under way is taken up again."""
    mine = state.drafts(request)
    for draft in mine.list():
        if (draft.data.get("origin") or {}).get("plan") == name:
            return HttpResponseRedirect(state.step_url(draft.key, "roles"))
    try:
        stored = web_cloud.from_request(request).plans.read(name)
        hot.parse(stored.files)
    except (ServiceError, PlanningError) as error:
        messages.error(request, _("%(plan)s cannot be edited: %(cause)s") % {"plan": name, "cause": error})
        return HttpResponseRedirect(reverse("horizon:infrastructure:deployments:index"))
    key = mine.start({"origin": bases.origin_of(stored.info)})
    return HttpResponseRedirect(state.step_url(key, "roles"))


class ChangedView(View):
    """Somebody saved the plan after the draft began: show both, and let the person choose."""

    def dispatch(self, request, **kwargs):
        """Read the three plans: what the draft began with, what is stored now, the draft."""
        found = state.load(request, kwargs["key"])
        if found is None or not found.origin:
            return HttpResponseRedirect(reverse("horizon:infrastructure:deployments:index"))
        try:
            stored = found.cloud.plans.read(found.origin["plan"])
        except NotFound:
            return self._gone(request, found)
        except ServiceError as error:
            return self._page(request, found, {"failure": explain(error)})
        theirs = plans.from_plan(bases.without_secrets(hot.parse(stored.files)))
        base = plans.from_plan(found.base) if found.base else theirs
        return super().dispatch(request, found, stored.info, base, theirs)

    def get(self, request, found, info, base, theirs):
        """What they changed, and how the draft on top of it differs."""
        mine = sections.on_top(base, found.sections, theirs)
        shown = {
            "current": info,
            "author": info.author or _("somebody"),
            "theirs": words(sections.differences(base, theirs)),
            "mine": words(sections.differences(theirs, mine)),
        }
        return self._page(request, found, shown)

    def post(self, request, found, info, base, theirs):
        """Take theirs, or put mine on top; what was shown must still be what is stored."""
        if request.POST.get("etag") != info.etag:
            messages.warning(request, _("The plan was saved once more meanwhile. Look again."))
            return HttpResponseRedirect(request.path)
        kept = request.POST.get("choice") == "mine"
        typed = sections.on_top(base, found.sections, theirs) if kept else {}

        def change(data):
            rest = {name: value for name, value in data.items() if name not in sections.of({})}
            return {**rest, **typed, "origin": bases.origin_of(info)}

        state.drafts(request).update(found.key, change)
        return HttpResponseRedirect(found.url("review"))

    def _gone(self, request, found):
        """The plan was deleted: the draft becomes one of a new plan, with everything that it showed."""
        typed = sections.on_top({}, found.sections, plans.from_plan(found.plan))
        typed["name"]["name"] = found.origin["plan"]

        def change(data):
            return {**{name: value for name, value in data.items() if name != "origin"}, **typed}

        state.drafts(request).update(found.key, change)
        messages.warning(request, _("The plan was deleted meanwhile. This draft makes a new one of that name."))
        return HttpResponseRedirect(found.url("review"))

    def _page(self, request, found, shown):
        context = {
            "plan_name": found.origin["plan"],
            "here": request.path,
            "page_title": _("Compare"),
            "back_url": found.url("review"),
        }
        return render(request, "tripleo_ui/deployments/wizard/changed.html", {**context, **shown})


def words(differences) -> list[str]:
    """Each difference as one line; elements of services that do not run are left out."""
    return [
        _("%(field)s: %(before)s → %(after)s")
        % {"field": label(item.field), "before": _cut(item.before), "after": _cut(item.after)}
        for item in differences
        if ".element." not in item.field or item.after
    ]


def label(field: str) -> str:
    """A field's name for people: ``Compute.count`` is "Compute count"."""
    return field.replace(".", " ").replace("::", " ").strip()


def _cut(text):
    if not text:
        return _("nothing")
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "…"
