"""Requests of the orchestrator as pages show them: words for workflows, phases and actions; progress; a stepper."""

from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _

from tripleo_ui.orchestration import api
from tripleo_ui.web import badges
from tripleo_ui.web.badges import Badge
from tripleo_ui.web.failures import Failure, explain_recorded


@dataclass(frozen=True)
class Progress:
    """``done`` of ``total`` steps; the total is 0 while it is not known."""

    done: int
    total: int

    @property
    def percent(self) -> int:
        """Whole percent."""
        return min(100, self.done * 100 // self.total) if self.total else 0


@dataclass(frozen=True)
class Step:
    """A phase of a request with where it stands."""

    name: str
    label: str
    badge: Badge
    current: bool


@dataclass(frozen=True)
class Summary:
    """One request for a list or a box; ``request`` is the orchestrator's own record."""

    request: api.Request
    title: str
    workflow: str
    badge: Badge
    phase: str
    progress: Progress | None
    url: str
    failure: Failure | None
    active: bool
    actions: tuple[str, ...]

    @property
    def waits_for(self) -> str:
        """The service that a stalled request waits for, or an empty string."""
        return self.failure.service if self.failure and self.request.state is api.State.STALLED else ""

    @property
    def priority(self) -> str:
        """Its priority in words; empty for the usual one."""
        return {1: _("High priority"), -1: _("Low priority")}.get(self.request.priority, "")

    @property
    def announcement(self) -> str:
        """What a screen reader is told when it changes."""
        if self.progress and self.progress.total:
            return _("%(title)s: %(state)s, %(done)s of %(total)s") % {
                "title": self.title,
                "state": self.badge.word,
                "done": self.progress.done,
                "total": self.progress.total,
            }
        return f"{self.title}: {self.badge.word}"


def workflow_label(workflow: str, version: int = 0) -> str:
    """A workflow in words."""
    found = api.definition(workflow, version) or api.definition(workflow)
    return _(found.label) if found and found.label else workflow


def workflows() -> list[tuple[str, str]]:
    """The workflows that the list can be filtered by."""
    return [(each.name, workflow_label(each.name)) for each in api.definitions()]


def phase_label(phase: str, workflow: str, version: int = 0) -> str:
    """A phase of a workflow in words; those of a workflow that is not known any more are its name."""
    found = api.definition(workflow, version) or api.definition(workflow)
    words = found.phase_labels.get(phase, "") if found else ""
    return _(words) if words else phase.replace("_", " ").capitalize()


def action_label(action: str) -> str:
    """An action on a request in words."""
    return {"cancel": _("Cancel"), "retry": _("Try again"), "rollback": _("Roll back")}.get(action, action)


def progress(request: api.Request | None) -> Progress | None:
    """How far an active request is; None for one that has ended, or none at all."""
    if request is None or not request.active:
        return None
    return Progress(request.done or 0, request.total or 0)


def summary(request: api.Request) -> Summary:
    """Everything that a list shows of a request."""
    workflow = workflow_label(request.workflow, request.version)
    in_phase = request.phase if request.active else ""
    return Summary(
        request=request,
        title=request.title or f"{workflow} {name_of(request.target)}",
        workflow=workflow,
        badge=badges.of_request(request.state),
        phase=phase_label(in_phase, request.workflow, request.version) if in_phase else "",
        progress=progress(request),
        url=reverse("horizon:infrastructure:requests:detail", args=(request.id,)),
        failure=explain_recorded(request.error) if request.error else None,
        active=request.active,
        actions=tuple(action for action in ("cancel", "retry", "rollback") if action in request.actions),
    )


def name_of(target: str) -> str:
    """The name at the end of a target such as ``overcloud:<project>:<region>:<name>``."""
    return target.rsplit(":", 1)[-1]


def steps(request: api.Request, stopped_in: str = "") -> list[Step]:
    """The phases of a request: done, current or to come.

    ``stopped_in`` is the phase in which its failure or its cancellation began, where that is known.
    """
    names = list(request.phases)
    state = badges.of_request(request.state)
    phase = stopped_in or request.phase
    current = names.index(phase) if phase in names else -1
    complete = request.state in {api.State.SUCCEEDED, api.State.PARTIAL}
    rest = _("to come") if request.active else _("not begun")
    found = []
    for index, name in enumerate(names):
        if complete or index < current:
            shown = Badge(_("done"), badges.OK)
        elif index == current:
            shown = Badge(state.word, state.tone)
        else:
            shown = Badge(rest, badges.IDLE)
        label = phase_label(name, request.workflow, request.version)
        found.append(Step(name, label, shown, index == current and not complete))
    return found
