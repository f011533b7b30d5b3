"""Reads requests for pages, commands and APIs; each is one short transaction."""

from collections.abc import Iterable
from typing import Any

import sqlalchemy as sa

from tripleo_ui.orchestration.errors import NotFound
from tripleo_ui.orchestration.records import Entry, Event, Page, Request, entry_of, event_of, request_of
from tripleo_ui.orchestration.states import State
from tripleo_ui.orchestration.store.engine import reading
from tripleo_ui.orchestration.store.tables import EVENTS, LEDGER, REQUESTS
from tripleo_ui.orchestration.transitions import load


def get(request_id: str, project_id: str) -> Request:
    """The request.

    Raises:
        NotFound: the project has none of that id.
    """
    with reading() as connection:
        return load(connection, request_id, project_id)


def by_key(project_id: str, key: str) -> Request | None:
    """The project's request that was submitted under an idempotency key, or None."""
    query = sa.select(REQUESTS).where(REQUESTS.c.project_id == project_id, REQUESTS.c.idempotency_key == key)
    with reading() as connection:
        row = connection.execute(query).mappings().first()
    return request_of(row) if row else None


def revision(request_id: str, project_id: str) -> int:
    """The request's revision, which grows with each change: one indexed read for a page's ETag.

    Raises:
        NotFound: the project has none of that id.
    """
    query = sa.select(REQUESTS.c.revision).where(REQUESTS.c.id == request_id, REQUESTS.c.project_id == project_id)
    with reading() as connection:
        found = connection.execute(query).scalar()
    if found is None:
        raise NotFound(f"there is no request {request_id}")
    return int(found)


def find(
    project_id: str,
    *,
    states: Iterable[State | str] = (),
    workflow: str = "",
    target: str = "",
    search: str = "",
    limit: int = 20,
    marker: str = "",
) -> Page[Request]:
    """The project's requests, newest first.

    Args:
        project_id: whose.
        states: only those in one of these.
        workflow: only those of this one, or whose name begins with it and a dot.
        target: only those on this one.
        search: part of the title or of the requester's name, or the beginning of an id.
        limit: how many at most.
        marker: the ``next_marker`` of the page before.
    """
    wanted = [State(state) for state in states]
    where = [REQUESTS.c.project_id == project_id]
    if wanted:
        where.append(REQUESTS.c.state.in_(wanted))
    if workflow:
        below = REQUESTS.c.workflow.startswith(f"{workflow}.", autoescape=True)
        where.append(sa.or_(REQUESTS.c.workflow == workflow, below))
    if target:
        where.append(REQUESTS.c.target == target)
    if search:
        where.append(
            sa.or_(
                REQUESTS.c.title.icontains(search, autoescape=True),
                REQUESTS.c.user_name.icontains(search, autoescape=True),
                REQUESTS.c.id.startswith(search.lower(), autoescape=True),
            )
        )
    newest_first = (REQUESTS.c.created_at.desc(), REQUESTS.c.id.desc())
    with reading() as connection:
        total = connection.execute(sa.select(sa.func.count()).select_from(REQUESTS).where(*where)).scalar_one()
        query = sa.select(REQUESTS).where(*where, *_older_than(connection, project_id, marker))
        rows = connection.execute(query.order_by(*newest_first).limit(limit + 1)).mappings().all()
    items = tuple(request_of(row) for row in rows[:limit])
    return Page(items, items[-1].id if len(rows) > limit else "", total)


def newest(project_id: str, target: str) -> Request | None:
    """The last request on a target, or None."""
    return newest_by_target(project_id, [target]).get(target)


def newest_by_target(project_id: str, targets: Iterable[str]) -> dict[str, Request]:
    """The last request on each target that has one, in one query."""
    wanted = sorted(set(targets))
    if not wanted:
        return {}
    rank = (
        sa.func.row_number()
        .over(partition_by=REQUESTS.c.target, order_by=(REQUESTS.c.created_at.desc(), REQUESTS.c.id.desc()))
        .label("rank")
    )
    ranked = (
        sa.select(REQUESTS, rank).where(REQUESTS.c.project_id == project_id, REQUESTS.c.target.in_(wanted)).subquery()
    )
    query = sa.select(*[ranked.c[column.name] for column in REQUESTS.c]).where(ranked.c.rank == 1)
    with reading() as connection:
        rows = connection.execute(query).mappings().all()
    return {row["target"]: request_of(row) for row in rows}


def events(request_id: str, project_id: str, after: int = 0, limit: int = 200) -> list[Event]:
    """The request's events in their order, those after ``after`` only.

    Raises:
        NotFound: the project has none of that id.
    """
    query = sa.select(EVENTS).where(EVENTS.c.request_id == request_id, EVENTS.c.seq > after)
    with reading() as connection:
        load(connection, request_id, project_id)
        rows = connection.execute(query.order_by(EVENTS.c.seq).limit(limit)).mappings().all()
    return [event_of(row) for row in rows]


def ledger(request_id: str, project_id: str) -> list[Entry]:
    """What the request made outside, in its order.

    Raises:
        NotFound: the project has none of that id.
    """
    query = sa.select(LEDGER).where(LEDGER.c.request_id == request_id).order_by(LEDGER.c.seq)
    with reading() as connection:
        load(connection, request_id, project_id)
        rows = connection.execute(query).mappings().all()
    return [entry_of(row) for row in rows]


def _older_than(connection: sa.Connection, project_id: str, marker: str) -> list[Any]:
    if not marker:
        return []
    at = connection.execute(
        sa.select(REQUESTS.c.created_at).where(REQUESTS.c.id == marker, REQUESTS.c.project_id == project_id)
    ).scalar()
    if at is None:
        raise NotFound(f"there is no request {marker}")
    return [sa.tuple_(REQUESTS.c.created_at, REQUESTS.c.id) < sa.tuple_(sa.literal(at), sa.literal(marker))]
