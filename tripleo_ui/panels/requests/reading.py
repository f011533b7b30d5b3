"""What the orchestrator knows, arranged for the pages."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property, partial

from django.urls import reverse
from django.utils.translation import gettext as _

from tripleo_ui.orchestration import api
from tripleo_ui.web import badges, failures, paging, request_summary
from tripleo_ui.web.badges import Badge
from tripleo_ui.web.failures import Failure, Part

_EVENTS = 200
_BATCH = 1000


@dataclass(frozen=True)
class Listing:
    """A page of requests, or the failure to show in its place."""

    page: paging.Page
    failure: Failure | None
    active: bool
    filtered: bool


def listing(project_id: str, query: Mapping[str, str]) -> Listing:
    """The page of requests that a query asks for, newest first."""
    state, marker = query.get("state", ""), query.get("marker", "")
    find = partial(
        api.find,
        project_id,
        states=(state,) if state in api.State.__members__ else (),
        workflow=query.get("workflow", ""),
        search=query.get("q", "").strip(),
        limit=paging.PAGE_SIZE,
    )
    try:
        part = failures.attempt(lambda: find(marker=marker), _("list requests"))
    except api.NotFound:
        marker = ""
        part = failures.attempt(find, _("list requests"))
    found = part.value
    rows = [request_summary.summary(item) for item in found.items] if part.ok else []
    first = _number(query.get("first", "1")) if marker else 1
    page = paging.Page(
        items=rows,
        total=found.total if part.ok else 0,
        first=first if rows else 0,
        last=first + len(rows) - 1 if rows else 0,
        previous_url=paging.with_query(query, marker="", first="") if marker else "",
        next_url=paging.with_query(query, marker=found.next_marker, first=str(first + len(rows)))
        if part.ok and found.next_marker
        else "",
    )
    filtered = any(query.get(name) for name in ("q", "state", "workflow"))
    return Listing(page, part.failure, any(row.active for row in rows), filtered)


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 9 else 1


@dataclass(frozen=True)
class Line:
    """One event of the timeline; ``attempt`` is the number of the try that it begins, or 0."""

    at: datetime
    badge: Badge
    message: str
    phase: str
    actor: str
    conductor: str
    source: str = ""
    attempt: int = 0


def _lines(events: list[api.Event], request: api.Request) -> Iterator[Line]:
    """The timeline, newest first. Tries are counted from the last one back, as the first events may be left out."""
    attempt = request.attempt
    for event in reversed(events):
        begins = event.kind == "retry" or (event.kind == "submit" and request.attempt > 1)
        phase = request_summary.phase_label(event.phase, request.workflow, request.version) if event.phase else ""
        yield Line(
            at=event.at,
            badge=badges.of_request(event.state),
            message=_told(event, phase),
            phase=phase,
            actor=event.actor,
            conductor=event.conductor,
            source=event.source,
            attempt=attempt if begins else 0,
        )
        attempt -= event.kind == "retry"


def _told(event: api.Event, phase: str) -> str:
    if event.kind == "phase":
        return _("%(phase)s: begins") % {"phase": phase}
    # A failure has been told by the event before: the end of taking back repeats its cause.
    words = {"retry": _("Asked to try again."), "reverted": _("Ended without success.")}
    return words.get(event.kind, event.message)


@dataclass(frozen=True)
class Thing:
    """What a request made outside, or was about to make."""

    entry: api.Entry
    badge: Badge

    @property
    def left(self) -> bool:
        """Whether it is there, or may be, and is the request's own."""
        return self.entry.state in {"INTENT", "CREATED"}


def _thing(entry: api.Entry, active: bool) -> Thing:
    intent = Badge(_("Begun"), badges.BUSY) if active else Badge(_("May be there"), badges.WARNING)
    words = {
        "INTENT": intent,
        "CREATED": Badge(_("Made"), badges.OK),
        "DELETED": Badge(_("Taken back"), badges.IDLE, "fa-undo"),
        "FOREIGN": Badge(_("Not its own"), badges.IDLE, "fa-user"),
    }
    return Thing(entry, words.get(entry.state) or Badge(entry.state.capitalize(), badges.IDLE))


class Found:
    """One request with its events and its ledger, each a part that may have failed."""

    def __init__(self, project_id: str, request_id: str, part: Part):
        self._ids = (request_id, project_id)
        self.part = part
        self.request = part.value

    @property
    def title(self) -> str:
        """The page's title."""
        return self.summary.title if self.request else _("Request")

    @property
    def active(self) -> bool:
        """Whether it may change by itself."""
        return self.request is not None and self.summary.active

    @cached_property
    def summary(self) -> request_summary.Summary:
        """The request in words."""
        return request_summary.summary(self.request)

    @cached_property
    def steps(self) -> list[request_summary.Step]:
        """Its phases."""
        return request_summary.steps(self.request, self._stopped_in)

    @property
    def _stopped_in(self) -> str:
        """The phase in which what went wrong began: taking things back goes through the phases before it."""
        state = api.State
        if self.request.state not in {state.REVERTING, state.FAILED, state.CANCELLED, state.NEEDS_ATTENTION}:
            return ""
        last = self._last("fail", "retry")
        return last.phase if last and last.kind == "fail" else ""

    def _last(self, *kinds: str) -> api.Event | None:
        return next((event for event in reversed(self.happened.value or ()) if event.kind in kinds), None)

    @property
    def message(self) -> str:
        """What it says of itself now, where nothing else on the page says it."""
        told = self.summary.failure.cause if self.summary.failure else ""
        state = api.State
        elsewhere = {state.STALLED, state.CANCELLING, state.PARTIAL, state.NEEDS_ATTENTION}
        return "" if self.request.state in elsewhere or self.request.message == told else self.request.message

    @property
    def stalled_since(self) -> datetime | None:
        """When it began to wait for a service."""
        last = self._last("stall")
        return last.at if last else None

    @property
    def cancelled_by(self) -> api.Event | None:
        """Who asked to cancel it, and when."""
        return self._last("cancel")

    @cached_property
    def happened(self) -> Part:
        """Its last events, in order."""
        return failures.attempt(self._last_events, _("read events"))

    @cached_property
    def events(self) -> Part:
        """Its last events as ``Line`` values, newest first."""
        return Part(list(_lines(self.happened.value or [], self.request)), self.happened.failure)

    def _last_events(self):
        found: list[api.Event] = []
        while True:
            more = api.events(*self._ids, after=found[-1].seq if found else 0, limit=_BATCH)
            found = (found + more)[-_EVENTS:]
            if len(more) < _BATCH:
                return found

    @cached_property
    def ledger(self) -> Part:
        """What it made outside, in order."""
        return failures.attempt(lambda: api.ledger(*self._ids), _("read the ledger"))

    @cached_property
    def things(self) -> list[Thing]:
        """The ledger in words."""
        return [_thing(entry, self.request.active) for entry in self.ledger.value or ()]

    @property
    def left(self) -> list[Thing]:
        """What was made and not taken back."""
        return [thing for thing in self.things if thing.left]

    @property
    def version(self) -> str:
        """What its page shows changes with this; empty where a part of it failed."""
        if self.request is None or not (self.happened.ok and self.ledger.ok):
            return ""
        return str(self.request.revision)

    @property
    def target_name(self) -> str:
        """What it is about."""
        return request_summary.name_of(self.request.target)

    @property
    def target_url(self) -> str:
        """The page of what it is about, or an empty string."""
        if self.request.target.startswith("overcloud:"):
            return reverse("horizon:infrastructure:deployments:detail", args=(self.target_name,))
        if self.request.workflow == "instance.create":
            return reverse("horizon:infrastructure:instances:detail", args=(self.request.id,))
        return ""

    @property
    def outputs(self) -> list[tuple[str, object]]:
        """What it came to."""
        return sorted((self.request.outputs or {}).items())


def request(project_id: str, request_id: str) -> Found | None:
    """One request of the project; None where there is none of that id."""
    try:
        part = failures.attempt(lambda: api.get(request_id, project_id), _("read the request"))
    except api.NotFound:
        return None
    return Found(project_id, request_id, part)


def version(project_id: str, request_id: str) -> str:
    """The version of a request's page, in one read; empty where it is not known now."""
    try:
        part = failures.attempt(lambda: str(api.revision(request_id, project_id)), _("read the request"))
    except api.NotFound:
        return ""
    return part.value or ""
