"""What a step sees of its request, and how it writes: always fenced, always with an event."""

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from typing import Any

import sqlalchemy as sa

from tripleo_ui.orchestration.boards import Claim
from tripleo_ui.orchestration.errors import Fenced
from tripleo_ui.orchestration.records import Entry, Request, entry_of
from tripleo_ui.orchestration.states import State
from tripleo_ui.orchestration.store.engine import AWAY, reading, writing
from tripleo_ui.orchestration.store.tables import EVENTS, LEDGER, REQUESTS
from tripleo_ui.orchestration.transitions import By, fence, load, move, record, update

#: Steps end by themselves at their deadline; one that has not done so this much later hangs.
OVERTIME_SECONDS = 120.0
INTENT, CREATED, DELETED, FOREIGN = "INTENT", "CREATED", "DELETED", "FOREIGN"

#: Service, kind and name of something outside; no two of a request are equal.
Thing = tuple[str, str, str]


class CancelledError(Exception):
    """The requester wants it to stop."""


class SuspendedError(Exception):
    """This conductor goes down, or has lost the request or the database: the step must end without a trace."""


_SETTLE = (
    sa.update(LEDGER)
    .where(LEDGER.c.seq == sa.bindparam("entry"))
    .values(state=sa.bindparam("became"), external_id=sa.bindparam("known_as"), at=sa.bindparam("when"))
)


@dataclass
class Context:
    """One conductor's hold on one request.

    ``cloud`` makes the services' clients for the request's trust. ``stop`` is set when the conductor goes down or the
    lease is lost.
    """

    claim: Claim
    request: Request
    cloud: Any
    poll_seconds: float
    deadline_seconds: float
    stop: threading.Event = field(default_factory=threading.Event)
    phase: str = ""
    cache: dict[str, Any] = field(default_factory=dict)
    overdue_at: float = float("inf")

    def start_clock(self, seconds: float) -> None:
        """Give the step that begins now its time; the lease is not renewed for one that hangs far beyond it."""
        self.deadline_seconds = seconds
        self.overdue_at = time.monotonic() + seconds + OVERTIME_SECONDS

    def fence(self) -> None:
        """Make sure that the request is still this conductor's.

        Raises:
            Fenced: it is not.
        """
        if self.stop.is_set():
            raise Fenced(f"this conductor stops working on request {self.claim.request_id}")
        with self._database(reading) as connection:
            fence(connection, self.claim.request_id, self.claim.owner, self.claim.epoch)

    def write(self, change: Callable[[sa.Connection, Request], None]) -> None:
        """Make a change in one transaction in which the request is this conductor's, and read the request again.

        Raises:
            Fenced: it is not this conductor's any more.
        """
        with self._database(writing) as connection:
            fence(connection, self.claim.request_id, self.claim.owner, self.claim.epoch, lock=True)
            change(connection, load(connection, self.claim.request_id))
            self.request = load(connection, self.claim.request_id)

    @contextmanager
    def _database(self, transaction: Callable[[], AbstractContextManager[sa.Connection]]) -> Iterator[sa.Connection]:
        """A transaction. Where the database goes away it is no failure of the request: who takes it next goes on."""
        try:
            with transaction() as connection:
                yield connection
        except AWAY as error:
            self.stop.set()
            raise SuspendedError from error

    def move(self, event: str, message: str, **changes: Any) -> None:
        """Take the request along an event."""
        changes.setdefault("phase", self.phase)

        def change(connection: sa.Connection, request: Request) -> None:
            move(connection, request, event, message, By(conductor=self.claim.owner), **changes)

        self.write(change)

    def enter(self, phase: str) -> None:
        """Begin a phase."""
        self.phase = phase

        def change(connection: sa.Connection, request: Request) -> None:
            update(connection, request, phase=phase, message="")
            self._record(connection, request, "phase", f"{phase} begins.")

        self.write(change)

    def progress(self, message: str, done: int | None = None, total: int | None = None) -> None:
        """Show how far it is, where that is news."""
        numbers = {"done": done, "total": total}
        changes: dict[str, Any] = {name: number for name, number in numbers.items() if number is not None}
        changes["message"] = message
        if any(getattr(self.request, name) != value for name, value in changes.items()):
            self.write(lambda connection, request: update(connection, request, **changes))

    def note(self, message: str, data: Mapping[str, Any] | None = None, kind: str = "note") -> None:
        """Put something on the timeline."""
        self.write(lambda connection, request: self._record(connection, request, kind, message, data))

    def _record(
        self,
        connection: sa.Connection,
        request: Request,
        kind: str,
        message: str,
        data: Mapping[str, Any] | None = None,
    ) -> None:
        by = By(conductor=self.claim.owner)
        record(connection, request.id, kind, request.state, self.phase, message, by, data)
        update(connection, request)

    def intent(self, service: str, kind: str, name: str) -> Entry:
        """Say what is about to be made; answers the entry of an earlier try where there is one."""
        return self.intents([(service, kind, name)])[0]

    def intents(self, things: Sequence[Thing]) -> list[Entry]:
        """Say what is about to be made, all in one transaction; answers an entry for each, in their order."""
        known: dict[Thing, Entry] = {}

        def change(connection: sa.Connection, request: Request) -> None:
            present = {_thing(entry) for entry in _entries(connection, request.id)}
            new = [thing for thing in dict.fromkeys(things) if thing not in present]
            common = {"request_id": request.id, "phase": self.phase, "external_id": "", "state": INTENT}
            rows = [
                {**common, "at": time.time(), "service": service, "kind": kind, "name": name}
                for service, kind, name in new
            ]
            if rows:
                connection.execute(sa.insert(LEDGER), rows)
                update(connection, request)
            known.update((_thing(entry), entry) for entry in _entries(connection, request.id))

        self.write(change)
        return [known[thing] for thing in things]

    def settle(self, entry: Entry, state: str, external_id: str = "") -> None:
        """Say what became of an entry."""
        self.settle_many([(entry, state, external_id)])

    def settle_many(
        self, results: Iterable[tuple[Entry, str, str]], *, progress: tuple[int, int] | None = None
    ) -> None:
        """Say what became of entries: (entry, state, external id, empty to keep it), all in one transaction."""

        def change(connection: sa.Connection, request: Request) -> None:
            at = time.time()
            rows = [
                {"entry": entry.seq, "became": state, "known_as": external_id or entry.external_id, "when": at}
                for entry, state, external_id in results
            ]
            if rows:
                connection.execute(_SETTLE, rows)
            numbers = dict(zip(("done", "total"), progress, strict=True)) if progress else {}
            update(connection, request, **numbers)

        self.write(change)

    def entries(self) -> list[Entry]:
        """The request's whole ledger, in order."""
        with self._database(reading) as connection:
            return _entries(connection, self.claim.request_id)

    def entry(self, service: str, kind: str, name: str) -> Entry | None:
        """The ledger's entry for a thing, or None."""
        wanted = (LEDGER.c.service == service, LEDGER.c.kind == kind, LEDGER.c.name == name)
        with self._database(reading) as connection:
            return next(iter(_entries(connection, self.claim.request_id, *wanted)), None)

    def check(self) -> None:
        """Look whether the step may go on: at its start and in each poll.

        Raises:
            SuspendedError: the conductor goes down.
            Fenced: the request went to another conductor.
            CancelledError: the requester wants it to stop.
        """
        if self.stop.is_set():
            raise SuspendedError
        with self._database(reading) as connection:
            fence(connection, self.claim.request_id, self.claim.owner, self.claim.epoch)
            query = sa.select(REQUESTS.c.cancel_requested, REQUESTS.c.state)
            wanted, state = connection.execute(query.where(REQUESTS.c.id == self.claim.request_id)).one()
        if wanted and state == State.CANCELLING:
            raise CancelledError

    def sleep(self, seconds: float) -> None:
        """Wait, and wake at once when the conductor goes down.

        Raises:
            SuspendedError: it does.
        """
        if self.stop.wait(seconds):
            raise SuspendedError

    def takeovers(self) -> int:
        """How often conductors have taken the request over since it was started or last recovered."""
        mine = EVENTS.c.request_id == self.claim.request_id
        began = sa.select(sa.func.max(EVENTS.c.seq)).where(mine, EVENTS.c.kind.in_(("start", "rollback")))
        query = sa.select(sa.func.count()).where(
            mine, EVENTS.c.kind == "takeover", EVENTS.c.seq > began.scalar_subquery()
        )
        with self._database(reading) as connection:
            return int(connection.execute(query).scalar_one())


def _thing(entry: Entry) -> Thing:
    return entry.service, entry.kind, entry.name


def _entries(connection: sa.Connection, request_id: str, *where: Any) -> list[Entry]:
    query = sa.select(LEDGER).where(LEDGER.c.request_id == request_id, *where).order_by(LEDGER.c.seq)
    return [entry_of(row) for row in connection.execute(query).mappings()]
