"""The states of instances while they are made, drawn: what was reached, what is at hand, what was taken back."""

from collections.abc import Iterable, Mapping
from datetime import datetime

from django.utils.translation import gettext as _

from tripleo_ui.orchestration import api
from tripleo_ui.orchestration.instances.states import InstanceState
from tripleo_ui.web import badges
from tripleo_ui.web.badges import Badge
from tripleo_ui.web.chain import Chain, Link

_BACK = frozenset({api.State.REVERTING, api.State.FAILED, api.State.CANCELLED, api.State.NEEDS_ATTENTION})
_MADE = frozenset({"INTENT", "CREATED"})


def label(state: InstanceState) -> str:
    """A state in words."""
    return {
        InstanceState.VALIDATING: _("Validating"),
        InstanceState.HOST_RESERVED: _("Host reserved"),
        InstanceState.PORTS_RESERVED: _("Ports reserved"),
        InstanceState.VOLUMES_RESERVED: _("Volumes reserved"),
        InstanceState.SPEC_BUILT: _("Spec built"),
        InstanceState.BUILDING: _("Building"),
        InstanceState.ACTIVE: _("Active"),
    }[state]


def chain(request: api.Request, events: Iterable[api.Event] = (), ledger: Iterable[api.Entry] = ()) -> Chain:
    """A request of ``instance.create`` as ``web.chain`` draws it.

    Args:
        request: the request; each of its phases leads to one of the states, and the last state is its end.
        events: all that happened to it, in order; without them nobody knows how far an earlier attempt came.
        ledger: what it made outside.
    """
    began = _began(events)
    reached = _reached(request, began)
    left = {entry.phase for entry in ledger if entry.state in _MADE}
    states = list(InstanceState)
    links = []
    for index, state in enumerate(states):
        badge = _badge(request, index - reached, index < len(request.phases) and request.phases[index] in left)
        took = _seconds(request, began, index) if badge.tone == badges.OK else ""
        links.append(Link(label(state), badge, took, index == reached and request.active))
    words = _back_words(request) if reached else ""
    return Chain(_("States of the instances"), tuple(links), words, min(reached, len(states) - 1))


def _began(events) -> Mapping[str, datetime]:
    """When each phase of the latest attempt began; taking back begins none."""
    found: dict[str, datetime] = {}
    for event in events:
        if event.kind == "retry":
            found = {}
        elif event.kind == "phase":
            found[event.phase] = event.at
    return found


def _reached(request, began) -> int:
    """The place of the state that is at hand, or at which it ended; past the last one when all is done."""
    if request.state in {api.State.SUCCEEDED, api.State.PARTIAL}:
        return len(request.phases)
    places = [request.phases.index(phase) for phase in began if phase in request.phases]
    return max(places, default=0)


def _badge(request, ahead, left) -> Badge:
    """The badge of a state so many places ``ahead`` of the one at hand; ``left`` says that things of it are there."""
    state = request.state
    if ahead > 0 or state is api.State.QUEUED:
        return Badge(_("to come"), badges.IDLE)
    if state in _BACK:
        return _taken_back(state, ahead, left)
    if ahead < 0 or state is api.State.SUCCEEDED:
        return Badge(_("done"), badges.OK)
    return {
        api.State.RUNNING: Badge(_("under way"), badges.BUSY),
        api.State.PARTIAL: Badge(_("partly"), badges.WARNING),
    }.get(state) or Badge(str(badges.of_request(state).word).lower(), badges.of_request(state).tone)


def _taken_back(state, ahead, left):
    if state is api.State.REVERTING and left:
        return Badge(_("taking back"), badges.BUSY)
    if state is api.State.NEEDS_ATTENTION and left:
        return Badge(_("left behind"), badges.WARNING)
    if ahead == 0:
        return Badge(_("stopped"), badges.IDLE) if state is api.State.CANCELLED else Badge(_("failed"), badges.FAILED)
    return Badge(_("taken back"), badges.IDLE)


def _back_words(request):
    return {
        api.State.REVERTING: _("All of it is being taken back"),
        api.State.FAILED: _("All of it was taken back"),
        api.State.CANCELLED: _("All of it was taken back"),
        api.State.NEEDS_ATTENTION: _("Not all of it could be taken back"),
    }.get(request.state, "")


def _seconds(request, began, index):
    """How long a phase took, where that is known."""
    phases = request.phases
    if index >= len(phases) or phases[index] not in began:
        return ""
    ends = [began[phase] for phase in phases[index + 1 :] if phase in began]
    end = min(ends, default=request.finished_at)
    if end is None:
        return ""
    seconds = max(0.0, (end - began[phases[index]]).total_seconds())
    return _("%(n)s s") % {"n": f"{seconds:.1f}" if seconds < 10 else f"{seconds:.0f}"}
