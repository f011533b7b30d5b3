"""The events as an audit log: who did what from where, when, what changed, and which conductor did it."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa

from tripleo_ui.orchestration.redaction import redact
from tripleo_ui.orchestration.store.clock import clock
from tripleo_ui.orchestration.store.engine import reading
from tripleo_ui.orchestration.store.tables import EVENTS, REQUESTS

#: Other databases than SQLite number an event before its transaction ends: one with a smaller number may come later.
SETTLE_SECONDS = 10.0
#: Events that are read at once.
BATCH = 500
_OF_EVENT = ("seq", "at", "kind", "state", "phase", "message", "actor", "source", "conductor", "data", "request_id")
_OF_REQUEST = ("workflow", "title", "target", "user_id", "user_name", "project_id", "project_name", "region")
#: The names of a line's fields, in their order; later versions only add to them.
FIELDS = _OF_EVENT + _OF_REQUEST


def export(
    *,
    since: datetime | None = None,
    until: datetime | None = None,
    project_id: str = "",
    request_id: str = "",
    after: int = 0,
) -> Iterator[dict[str, Any]]:
    """Events with what their request is, in the order of ``seq``; read in batches, so any number of them.

    Args:
        since: not before this time.
        until: before this time only.
        project_id: of this project's requests only.
        request_id: of this request only.
        after: those after the event of this number only: what one export saw last, the next one goes on with.
    """
    query = sa.select(*[EVENTS.c[name] for name in _OF_EVENT], *[REQUESTS.c[name] for name in _OF_REQUEST])
    query = query.join(REQUESTS, REQUESTS.c.id == EVENTS.c.request_id).order_by(EVENTS.c.seq).limit(BATCH)
    wanted = (
        (EVENTS.c.at >= since.timestamp()) if since else None,
        (EVENTS.c.at < until.timestamp()) if until else None,
        (REQUESTS.c.project_id == project_id) if project_id else None,
        (EVENTS.c.request_id == request_id) if request_id else None,
    )
    query = query.where(*[each for each in wanted if each is not None])
    while True:
        with reading() as connection:
            found = query.where(EVENTS.c.seq > after, *_settled(connection))
            rows = connection.execute(found).mappings().all()
        for row in rows:
            after = row["seq"]
            yield _line(row)
        if len(rows) < BATCH:
            return


def _settled(connection: sa.Connection) -> list[Any]:
    return [] if connection.dialect.name == "sqlite" else [EVENTS.c.at < clock() - SETTLE_SECONDS]


def _line(row: Any) -> dict[str, Any]:
    line = {name: row[name] for name in FIELDS}
    at = datetime.fromtimestamp(line["at"], UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    # Once more: what older versions let in is to leave no more than what this one does.
    return {**line, "at": at, "message": redact(line["message"]), "data": redact(line["data"])}
