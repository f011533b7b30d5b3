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


def workflow_label(workflow: str) -> str:
    """A workflow in words."""
    known = {"overcloud.deploy": _("Deploy overcloud"), "overcloud.delete": _("Undeploy overcloud")}
    return known.get(workflow, workflow)


def workflows() -> list[tuple[str, str]]:
    """The workflows that the list can be filtered by."""
    return [(name, workflow_label(name)) for name in ("overcloud.deploy", "overcloud.delete")]


def phase_label(phase: str) -> str:
    """A phase in words."""
    known = {
        "validate": _("Check the plan"),
        "images": _("Check images"),
        "nodes": _("Check nodes"),
        "files": _("Validate the templates"),
        "preview": _("Preview the stack"),
        "create": _("Create the stack"),
        "poll": _("Deploy nodes"),
        "outputs": _("Collect outputs"),
        "find": _("Find the stack"),
        "delete": _("Delete the stack"),
        "wait": _("Wait for nodes"),
        "plan": _("Delete the plan"),
        "trusts": _("Take back trusts"),
    }
    return known.get(phase) or phase.replace("_", " ").capitalize()


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
    return Summary(
        request=request,
        title=request.title or f"{workflow_label(request.workflow)} {name_of(request.target)}",
        workflow=workflow_label(request.workflow),
        badge=badges.of_request(request.state),
        phase=phase_label(request.phase) if request.phase and request.active else "",
        progress=progress(request),
        url=reverse("horizon:infrastructure:requests:detail", args=(request.id,)),
        failure=explain_recorded(request.error) if request.error else None,
        active=request.active,
        actions=tuple(action for action in ("cancel", "retry", "rollback") if action in request.actions),
    )


def name_of(target: str) -> str:
    """The name at the end of a target such as ``overcloud:<project>:<region>:<name>``."""
    return target.rsplit(":", 1)[-1]


def steps(request: api.Request) -> list[Step]:
    """The phases of a request: done, current or to come."""
    names = list(request.phases)
    state = badges.of_request(request.state)
    current = names.index(request.phase) if request.phase in names else -1
    ended_well = state.tone == badges.OK
    found = []
    for index, name in enumerate(names):
        if ended_well or index < current:
            shown = Badge(_("done"), badges.OK)
        elif index == current:
            shown = Badge(state.word, state.tone)
        else:
            shown = Badge(_("to come"), badges.IDLE)
        found.append(Step(name, phase_label(name), shown, index == current and not ended_well))
    return found
