"""What a request needs beside its own row before a conductor can take it: its locks and its job."""

import time
from collections.abc import Iterable

import sqlalchemy as sa

from tripleo_ui.orchestration import workflows
from tripleo_ui.orchestration.errors import Locked
from tripleo_ui.orchestration.records import Request
from tripleo_ui.orchestration.store.tables import JOBS, LOCKS
from tripleo_ui.orchestration.transitions import load

#: A step of priority is worth so many seconds of waiting: what waits long enough always comes first.
PRIORITY_SECONDS = 600.0


def post(connection: sa.Connection, request: Request) -> None:
    """Put the request's job on the board, anew where it was there before."""
    now = time.time()
    values = {
        "open": True,
        "owner": "",
        "expires": 0.0,
        "posting": "",
        "posted_at": now,
        "rank": now - request.priority * PRIORITY_SECONDS,
    }
    updated = connection.execute(sa.update(JOBS).where(JOBS.c.request_id == request.id).values(values))
    if not updated.rowcount:
        project = request.requester.project_id
        connection.execute(sa.insert(JOBS).values(request_id=request.id, project_id=project, epoch=0, **values))


def lock(connection: sa.Connection, request: Request) -> None:
    """Take the request's locks.

    Raises:
        Locked: somebody has one of them.
    """
    definition = workflows.exact(request.workflow, request.version)
    names = definition.locked(request.requester, request.params) if definition else (request.target,)
    wanted = sorted(set(names))
    _refuse_held(connection, wanted)
    rows = [{"name": name, "request_id": request.id, "at": time.time()} for name in wanted]
    try:
        with connection.begin_nested():
            connection.execute(sa.insert(LOCKS), rows)
    except sa.exc.IntegrityError:
        _refuse_held(connection, wanted)
        raise


def _refuse_held(connection: sa.Connection, names: Iterable[str]) -> None:
    holder = connection.execute(sa.select(LOCKS.c.request_id).where(LOCKS.c.name.in_(names))).scalar()
    if holder is not None:
        raise Locked(load(connection, holder))
