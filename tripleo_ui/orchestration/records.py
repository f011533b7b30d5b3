"""What the orchestrator answers: values without a connection to the database."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Generic, TypeVar

from tripleo_ui.orchestration import states
from tripleo_ui.orchestration.states import State

Item = TypeVar("Item")


@dataclass(frozen=True)
class Requester:
    """The person who asks, and the project and region they ask for; ``source`` is from where, for the audit."""

    user_id: str
    user_name: str
    project_id: str
    project_name: str
    region: str
    source: str = ""


@dataclass(frozen=True)
class Request:
    """A request as it is now. Times are in UTC; ``error`` has service, operation, cause, next_step, request_id."""

    id: str
    workflow: str
    version: int
    title: str
    target: str
    params: Mapping[str, Any]
    requester: Requester
    trust_id: str
    state: State
    phase: str
    phases: tuple[str, ...]
    done: int
    total: int
    message: str
    error: Mapping[str, str] | None
    outputs: Mapping[str, Any]
    attempt: int
    priority: int
    cancel_requested: bool
    revision: int
    created_at: datetime
    started_at: datetime | None
    updated_at: datetime
    finished_at: datetime | None

    @property
    def active(self) -> bool:
        """Whether a conductor works on it, or will."""
        return states.is_active(self.state)

    @property
    def actions(self) -> frozenset[str]:
        """What a person may do now: a subset of cancel, retry, rollback."""
        return frozenset() if self.cancel_requested and self.active else states.actions(self.state)


@dataclass(frozen=True)
class Event:
    """Something that happened to a request; ``seq`` grows and orders them."""

    seq: int
    at: datetime
    kind: str
    state: State
    phase: str
    message: str
    conductor: str
    actor: str
    source: str = ""
    data: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Entry:
    """A thing outside that a request made or was about to make: INTENT, CREATED, DELETED or FOREIGN."""

    seq: int
    phase: str
    service: str
    kind: str
    name: str
    external_id: str
    state: str
    at: datetime


@dataclass(frozen=True)
class Page(Generic[Item]):
    """Some of a list; ``next_marker`` asks for the next ones and is empty at the end; ``total`` counts all."""

    items: tuple[Item, ...]
    next_marker: str
    total: int


def moment(seconds: float | None) -> datetime | None:
    """A stored time as a value."""
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC)


def request_of(row: Any) -> Request:
    """The request that a row of the table is."""
    times = {name: moment(row[name]) for name in ("created_at", "started_at", "updated_at", "finished_at")}
    person = ("user_id", "user_name", "project_id", "project_name", "region", "source")
    skipped = {*times, *person, "idempotency_key", "body_hash", "state", "phases"}
    return Request(
        requester=Requester(**{name: row[name] for name in person}),
        state=State(row["state"]),
        phases=tuple(row["phases"]),
        **times,  # type: ignore[arg-type]
        **{name: value for name, value in row.items() if name not in skipped},
    )


def event_of(row: Any) -> Event:
    """The event that a row of the table is."""
    fields = ("seq", "kind", "phase", "message", "conductor", "actor", "source", "data")
    at = datetime.fromtimestamp(row["at"], UTC)
    return Event(at=at, state=State(row["state"]), **{name: row[name] for name in fields})


def entry_of(row: Any) -> Entry:
    """The ledger's entry that a row of the table is."""
    fields = ("seq", "phase", "service", "kind", "name", "external_id", "state")
    return Entry(at=datetime.fromtimestamp(row["at"], UTC), **{name: row[name] for name in fields})
