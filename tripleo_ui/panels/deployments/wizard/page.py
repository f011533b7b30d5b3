"""What every step's page shows: stepper, problems, failures, the state of saving."""

import uuid

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tripleo_ui.web.failures import explain
from tripleo_ui.web.schema_forms import element_id

from .state import State
from .steps import STEPS, TYPED, Step, after, before


def context(state: State, step: Step) -> dict:
    """The part of a page's context that all steps share."""
    everything = step.slug == "review"
    return {
        "step": step,
        "heading": heading(state),
        "page_title": heading(state),
        "origin": state.origin,
        "here": state.url(step.slug),
        "autosave_url": f"{state.url(step.slug)}?autosave=1",
        "seen": state.digest(step.slug),
        "tab": uuid.uuid4().hex,
        "enter": "next" if after(step) else step.slug,
        "back": before(step),
        "next": after(step),
        "errors": state.errors(step.slug, everything),
        "failures": [explain(error) for error in state.failures],
        "save_state": "saved",
        "saved_message": saved_message(state.draft.updated_at),
        **regions(state, step),
    }


def heading(state: State) -> str:
    """The page's heading."""
    if state.origin:
        return _("Edit %(plan)s") % {"plan": state.origin["plan"]}
    return state.sections["name"].get("name") or _("New overcloud")


def regions(state: State, step: Step) -> dict:
    """The parts that autosave draws again: the stepper and the problems."""
    everything = step.slug == "review"
    problems = [problem for problem in state.problems(everything) if everything or problem.step == step.slug]
    count = sum(problem.level == "error" for problem in problems)
    return {
        "step": step,
        "stepper": stepper(state, step),
        "problems": [linked(state, problem, step) for problem in problems],
        "errors_count": count,
        "problems_title": _problems_title(count, len(problems)),
    }


def _problems_title(errors, total):
    if errors:
        return ngettext("%(n)s problem to solve", "%(n)s problems to solve", errors) % {"n": errors}
    return ngettext("%(n)s thing to know", "%(n)s things to know", total) % {"n": total}


def linked(state: State, problem, step: Step) -> dict:
    """A problem with a link to its field, on this page or on its step."""
    anchor = f"#{element_id(problem.field)}" if problem.field else ""
    path = "" if problem.step == step.slug else state.url(problem.step)
    return {"level": problem.level, "message": problem.message, "href": path + anchor}


def stepper(state: State, current: Step) -> list[dict]:
    """Each step with its state (todo, done, problems) and one line on what it holds."""
    everything = current.slug == "review"
    items = []
    for step in STEPS:
        errors = sum(problem.level == "error" for problem in state.problems(everything) if problem.step == step.slug)
        reached = everything or step.slug in state.visited
        items.append(
            {
                "slug": step.slug,
                "title": step.title,
                "current": step is current,
                "state": "problems" if errors else ("done" if reached and step.slug in TYPED else "todo"),
                "note": _problem_note(errors) if errors else note(state, step.slug),
            }
        )
    return items


def _problem_note(errors):
    return ngettext("%(n)s problem", "%(n)s problems", errors) % {"n": errors}


def note(state: State, slug: str) -> str:
    """One line on what a step holds now."""
    plan = state.plan
    if slug == "name":
        return plan.name
    if slug == "roles":
        return ngettext("%(n)s role", "%(n)s roles", len(plan.roles)) % {"n": len(plan.roles)}
    if slug == "counts":
        total = sum(role.count for role in plan.roles)
        return ngettext("%(n)s node", "%(n)s nodes", total) % {"n": total}
    if slug == "parameters":
        changed = len(state.built.changed)
        return ngettext("%(n)s changed", "%(n)s changed", changed) % {"n": changed} if changed else _("Defaults")
    return _("Save or deploy")


def saved_message(when) -> str:
    """When the draft was last saved."""
    local = timezone.localtime(when) if timezone.is_aware(when) else when
    return _("Draft saved at %(time)s") % {"time": date_format(local, "H:i:s")}
