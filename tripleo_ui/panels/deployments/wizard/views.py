"""The wizard's views: start, edit, the steps, autosave, delete."""

from django.contrib import messages
from django.http import HttpResponseNotAllowed, HttpResponseRedirect, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.generic import View

from tripleo_ui.services.errors import NotFound

from . import listing, page, pages, plans, previewing, saving, sections, state
from .catalogue import services
from .finish import finish
from .review import review
from .steps import BY_SLUG, after

_PROBLEMS = "tripleo_ui/deployments/wizard/_problems.html"
_PREVIEW = "tripleo_ui/deployments/wizard/_preview.html"
_STEPPER = "tripleo_ui/deployments/wizard/_stepper.html"


def create(request):
    """Start a draft of a new plan; an untouched one that is there already is taken up again."""
    mine = state.drafts(request)
    data = plans.initial()
    untouched = (draft.key for draft in mine.list() if dict(draft.data) == data)
    key = next(untouched, None) or mine.start(data)
    return HttpResponseRedirect(state.step_url(key, "name"))


def delete(request, key):
    """Delete a draft; the plan that it would change is left alone."""
    if request.method != "POST":
        return HttpResponseNotAllowed(["POST"])
    state.drafts(request).delete(key)
    messages.success(request, _("Draft deleted."))
    return HttpResponseRedirect(reverse("horizon:infrastructure:deployments:index"))


def unknown(request):
    """The answer for a draft that is not there: the person's own drafts."""
    return render(
        request,
        "tripleo_ui/deployments/wizard/unknown.html",
        {"drafts": listing.drafts_of(request), "page_title": _("Draft not found")},
        status=404,
    )


def preview(request, key):
    """What Heat will make of the plan: a fragment, since Heat needs its time."""
    found = state.load(request, key)
    if found is None:
        return unknown(request)
    shown = previewing.preview(found)
    return render(request, _PREVIEW, {"preview": shown, "here": found.url("review")})


class StepView(View):
    """One step of a draft: GET shows it, POST saves what was typed and goes where the pressed button says."""

    def dispatch(self, request, **kwargs):
        """Find the draft; the page for an unknown one lists the person's drafts."""
        found = state.load(request, kwargs["key"])
        if found is None:
            return unknown(request)
        return super().dispatch(request, found, BY_SLUG[kwargs["slug"]])

    def get(self, request, found, step):
        """Show the step with everything that was typed and, where it was left before, what is wrong."""
        return self._show(request, found, step)

    def post(self, request, found, step):
        """Save; then go on, back, to the step that was named, or answer a background save."""
        if step.slug == "review":
            return self._review(request, found, step)
        background = "autosave" in request.GET
        new = saving.posted(request, step.slug, self._section(request, found, step), leaves=not background)
        try:
            draft = saving.save(state.drafts(request), found.key, new)
        except saving.Conflict as conflict:
            return self._conflict(request, step, conflict, new, background)
        if draft is None:
            return unknown(request)
        saved = state.State(request, draft)
        return _answer(request, saved, step) if background else _go(request, saved, step)

    def _section(self, request, found, step):
        if step.slug == "roles":
            return sections.typed_roles(request.POST, [service.key for service in services()])
        return sections.typed(request.POST, without=found.hidden if step.slug == "parameters" else ())

    def _review(self, request, found, step):
        if "finish" not in request.POST:
            return HttpResponseRedirect(found.url(_target(request, step)))
        outcome = finish(request, found)
        if outcome.response is not None:
            return outcome.response
        again = state.load(request, found.key)
        return self._show(request, again, step, outcome=outcome, status=422)

    def _conflict(self, request, step, conflict, new, background):
        if background:
            return JsonResponse({"error": "conflict"}, status=409)
        theirs = state.State(request, conflict.draft)
        seen = theirs.digest(step.slug)
        mine = state.State(request, conflict.draft)
        mine.data[step.slug] = {**mine.data.get(step.slug, {}), **new.section}
        extra = {"conflict": pages.conflict(conflict.differences), "seen": seen}
        return self._show(request, mine, step, extra, status=409)

    def _show(self, request, found, step, extra=None, status=200, outcome=None):
        built = review(found, outcome) if step.slug == "review" else pages.BUILDERS[step.slug](found)
        if "preview" in request.GET and step.slug == "review" and not built["blocked"]:
            built["preview"] = previewing.preview(found)
        context = {**page.context(found, step), **built, **(extra or {})}
        if found.origin and any(isinstance(failure, NotFound) for failure in found.failures):
            return HttpResponseRedirect(reverse("horizon:infrastructure:deployments:wizard_changed", args=(found.key,)))
        response = render(request, step.template, context, status=status)
        response["Cache-Control"] = "no-store"
        return response


def _target(request, step):
    """The step that the pressed button names; an unknown name stays here."""
    goto = request.POST.get("goto", step.slug)
    if goto == "next" and after(step):
        return after(step).slug
    return goto if goto in BY_SLUG else step.slug


def _go(request, saved, step):
    """Go on only from a step without errors; everywhere else is free to reach."""
    target = _target(request, step)
    if request.POST.get("goto") == "next" and saved.errors(step.slug):
        return HttpResponseRedirect(saved.url(step.slug) + "#wizard-problems")
    return HttpResponseRedirect(saved.url(target))


def _answer(request, saved, step):
    """What the page's script shows after a background save."""
    context = page.regions(saved, step)
    return JsonResponse(
        {
            "message": page.saved_message(saved.draft.updated_at),
            "problems": render_to_string(_PROBLEMS, context, request),
            "stepper": render_to_string(_STEPPER, context, request),
            "errors": saved.errors(step.slug),
        }
    )
