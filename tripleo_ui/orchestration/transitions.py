"""Moves a request from state to state: compare and swap, with an event, in one transaction."""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from tripleo_ui.orchestration import states
from tripleo_ui.orchestration.errors import Fenced, NotAllowed, NotFound
from tripleo_ui.orchestration.notify import outbox
from tripleo_ui.orchestration.records import Request, Requester, request_of
from tripleo_ui.orchestration.redaction import redact
from tripleo_ui.orchestration.states import State
from tripleo_ui.orchestration.store.tables import EVENTS, JOBS, LOCKS, REQUESTS


@dataclass(frozen=True)
class By:
    """Who makes a change: a person, from where, or a conductor; or nobody, when time runs out."""

    actor: str = ""
    source: str = ""
    conductor: str = ""

    @classmethod
    def person(cls, requester: Requester) -> "By":
        """The person who asks."""
        return cls(actor=requester.user_name, source=requester.source)


NOBODY = By()


def load(connection: sa.Connection, request_id: str, project_id: str = "", *, lock: bool = False) -> Request:
    """The request, which must belong to the project where one is named.

    With ``lock`` nobody else can move it before this transaction ends: whoever moves a request has the row of its job,
    as a conductor has that writes. One row for all, so that no two wait for each other.

    Raises:
        NotFound: there is none.
    """
    if lock:
        connection.execute(sa.select(JOBS.c.epoch).where(JOBS.c.request_id == request_id).with_for_update())
    query = sa.select(REQUESTS).where(REQUESTS.c.id == request_id)
    if project_id:
        query = query.where(REQUESTS.c.project_id == project_id)
    row = connection.execute(query).mappings().first()
    if row is None:
        raise NotFound(f"there is no request {request_id}")
    return request_of(row)


def move(
    connection: sa.Connection,
    request: Request,
    event: str,
    message: str,
    by: By = NOBODY,
    data: Mapping[str, Any] | None = None,
    **changes: Any,
) -> State:
    """Take the request along an event; answers the new state.

    A request that comes to an end, or needs attention, finishes its job; at an end its locks are released as well.

    Raises:
        NotAllowed: the event leads nowhere from the request's state, or somebody else moved it first.
    """
    try:
        target = states.after(request.state, event)
    except states.IllegalTransitionError as error:
        raise NotAllowed(str(error)) from error
    now = time.time()
    ended = target in states.ENDED or target is State.NEEDS_ATTENTION
    values: dict[str, Any] = {
        "state": target,
        "message": redact(message),
        "updated_at": now,
        "finished_at": now if ended else None,
        "revision": request.revision + 1,
        **changes,
    }
    if values.get("error"):
        values["error"] = redact(values["error"])
    swapped = connection.execute(
        sa.update(REQUESTS)
        .where(REQUESTS.c.id == request.id, REQUESTS.c.revision == request.revision, REQUESTS.c.state == request.state)
        .values(values)
    )
    if swapped.rowcount != 1:
        raise NotAllowed("the request has moved on meanwhile")
    phase = changes.get("phase", request.phase)
    changed = {"from": request.state, "to": target} | dict(data or {})
    record(connection, request.id, event, target, phase, message, by, changed)
    if ended:
        connection.execute(sa.update(JOBS).where(JOBS.c.request_id == request.id).values(open=False, owner=""))
    if target in states.ENDED:
        connection.execute(sa.delete(LOCKS).where(LOCKS.c.request_id == request.id))
    return target


def record(
    connection: sa.Connection,
    request_id: str,
    kind: str,
    state: State,
    phase: str,
    message: str,
    by: By = NOBODY,
    data: Mapping[str, Any] | None = None,
) -> None:
    """Append an event, without the secrets that somebody's message may hold, and have it told to whom it concerns."""
    made = connection.execute(
        sa.insert(EVENTS).values(
            request_id=request_id,
            at=time.time(),
            kind=kind,
            state=state,
            phase=phase,
            message=redact(message),
            conductor=by.conductor,
            actor=by.actor,
            source=by.source,
            data=redact(data or {}),
        )
    )
    seq: int = made.inserted_primary_key[0]  # type: ignore[index]
    outbox.enqueue(connection, seq, kind, state)


def update(connection: sa.Connection, request: Request, **changes: Any) -> None:
    """Change what a page shows of a request, without a move."""
    connection.execute(
        sa.update(REQUESTS)
        .where(REQUESTS.c.id == request.id)
        .values(updated_at=time.time(), revision=REQUESTS.c.revision + 1, **changes)
    )


def fence(connection: sa.Connection, request_id: str, owner: str, epoch: int, *, lock: bool = False) -> None:
    """Make sure that this conductor still owns the request; with ``lock`` it does to the end of this transaction.

    Raises:
        Fenced: the lease went to another one.
    """
    query = sa.select(JOBS.c.request_id).where(
        JOBS.c.request_id == request_id, JOBS.c.owner == owner, JOBS.c.epoch == epoch
    )
    if connection.execute(query.with_for_update() if lock else query).first() is None:
        raise Fenced(f"the lease on request {request_id} is gone")
