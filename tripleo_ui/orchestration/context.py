"""What a step sees of its request, and how it writes: always fenced, always with an event."""

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import sqlalchemy as sa

from tripleo_ui.orchestration.board import Claim
from tripleo_ui.orchestration.errors import Fenced
from tripleo_ui.orchestration.records import Entry, Request, entry_of
from tripleo_ui.orchestration.states import State
from tripleo_ui.orchestration.store.engine import reading, writing
from tripleo_ui.orchestration.store.tables import EVENTS, LEDGER, REQUESTS
from tripleo_ui.orchestration.transitions import fence, load, move, record, update

#: Steps end by themselves at their deadline; one that has not done so this much later hangs.
OVERTIME_SECONDS = 120.0
INTENT, CREATED, DELETED, FOREIGN = "INTENT", "CREATED", "DELETED", "FOREIGN"


class CancelledError(Exception):
    """The requester wants it to stop."""


class SuspendedError(Exception):
    """This conductor goes down, or has lost the request: the step must end without a trace."""


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

    def start_clock(self) -> None:
        """Give the step that begins now its time; the lease is not renewed for one that hangs far beyond it."""
        self.overdue_at = time.monotonic() + self.deadline_seconds + OVERTIME_SECONDS

    def fence(self) -> None:
        """Make sure that the request is still this conductor's.

        Raises:
            Fenced: it is not.
        """
        if self.stop.is_set():
            raise Fenced(f"this conductor stops working on request {self.claim.request_id}")
        with reading() as connection:
            fence(connection, self.claim.request_id, self.claim.owner, self.claim.epoch)

    def write(self, change: Callable[[sa.Connection, Request], None]) -> None:
        """Make a change in one transaction in which the request is this conductor's, and read the request again.

        Raises:
            Fenced: it is not this conductor's any more.
        """
        with writing() as connection:
            fence(connection, self.claim.request_id, self.claim.owner, self.claim.epoch)
            change(connection, load(connection, self.claim.request_id, lock=True))
            self.request = load(connection, self.claim.request_id)

    def move(self, event: str, message: str, **changes: Any) -> None:
        """Take the request along an event."""
        changes.setdefault("phase", self.phase)

        def change(connection: sa.Connection, request: Request) -> None:
            move(connection, request, event, message, conductor=self.claim.owner, **changes)

        self.write(change)

    def enter(self, phase: str) -> None:
        """Begin a phase."""
        self.phase = phase
        self.start_clock()

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
        record(
            connection,
            request.id,
            kind,
            request.state,
            self.phase,
            message,
            conductor=self.claim.owner,
            data=data,
        )
        update(connection, request)

    def intent(self, service: str, kind: str, name: str) -> Entry:
        """Say what is about to be made; answers the entry of an earlier try where there is one."""

        def change(connection: sa.Connection, request: Request) -> None:
            if self._find(connection, service, kind, name) is None:
                values = {"phase": self.phase, "service": service, "kind": kind, "name": name}
                connection.execute(
                    sa.insert(LEDGER).values(
                        request_id=request.id, external_id="", state=INTENT, at=time.time(), **values
                    )
                )

        self.write(change)
        entry = self.entry(service, kind, name)
        assert entry is not None  # noqa: S101
        return entry

    def settle(self, entry: Entry, state: str, external_id: str = "") -> None:
        """Say what became of an entry."""

        def change(connection: sa.Connection, request: Request) -> None:
            values: dict[str, Any] = {"state": state, "at": time.time()}
            if external_id:
                values["external_id"] = external_id
            connection.execute(sa.update(LEDGER).where(LEDGER.c.seq == entry.seq).values(values))
            update(connection, request)

        self.write(change)

    def entry(self, service: str, kind: str, name: str) -> Entry | None:
        """The ledger's entry for a thing, or None."""
        with reading() as connection:
            return self._find(connection, service, kind, name)

    def _find(self, connection: sa.Connection, service: str, kind: str, name: str) -> Entry | None:
        query = sa.select(LEDGER).where(
            LEDGER.c.request_id == self.claim.request_id,
            LEDGER.c.service == service,
            LEDGER.c.kind == kind,
            LEDGER.c.name == name,
        )
        row = connection.execute(query).mappings().first()
        return entry_of(row) if row else None

    def check(self) -> None:
        """Look whether the step may go on: at its start and in each poll.

        Raises:
            SuspendedError: the conductor goes down.
            Fenced: the request went to another conductor.
            CancelledError: the requester wants it to stop.
        """
        if self.stop.is_set():
            raise SuspendedError
        with reading() as connection:
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
        with reading() as connection:
            return int(connection.execute(query).scalar_one())

    def trusts_of_target(self) -> list[str]:
        """The trusts of all requests on the same target, those of their earlier tries too."""
        ours = (
            REQUESTS.c.project_id == self.request.requester.project_id,
            REQUESTS.c.target == self.request.target,
        )
        now = sa.select(REQUESTS.c.trust_id).where(*ours, REQUESTS.c.trust_id != "")
        before = sa.select(LEDGER.c.external_id).join(REQUESTS, REQUESTS.c.id == LEDGER.c.request_id)
        before = before.where(*ours, LEDGER.c.service == "keystone", LEDGER.c.state != DELETED)
        with reading() as connection:
            return sorted(connection.execute(now.union(before)).scalars())

    def trust_deleted(self, trust_id: str) -> None:
        """Forget a trust that Keystone has deleted."""
        entries = (LEDGER.c.service == "keystone", LEDGER.c.external_id == trust_id)

        def change(connection: sa.Connection, _request: Request) -> None:
            connection.execute(sa.update(LEDGER).where(*entries).values(state=DELETED, at=time.time()))
            connection.execute(sa.update(REQUESTS).where(REQUESTS.c.trust_id == trust_id).values(trust_id=""))

        self.write(change)
