"""The Keystone trusts that requests act through, and when they end.

A trust is deleted when its request ends, unless a stack that the request made lives on: Heat delegates from it, and
keeps what it delegated for as long as the stack. The trusts of earlier tries are in the ledger.
"""

import logging
import time
from collections.abc import Callable
from typing import Any

import sqlalchemy as sa

from tripleo_ui.orchestration.context import CREATED, DELETED, Context
from tripleo_ui.orchestration.records import Request, request_of
from tripleo_ui.orchestration.states import State
from tripleo_ui.orchestration.store.engine import reading, writing
from tripleo_ui.orchestration.store.tables import LEDGER, REQUESTS
from tripleo_ui.services.errors import ServiceError

LOG = logging.getLogger(__name__)
#: Requests whose trusts one sweep looks at.
AT_ONCE = 50

_LIVE = (LEDGER.c.service == "keystone") & (LEDGER.c.kind == "trust") & (LEDGER.c.state != DELETED)
_STACK = (LEDGER.c.service == "heat") & (LEDGER.c.kind == "stack") & (LEDGER.c.state == CREATED)


def keep(connection: sa.Connection, request: Request) -> None:
    """Remember the trust of an earlier try: a stack of that one may need it."""
    values = {"phase": "", "service": "keystone", "kind": "trust", "state": CREATED, "at": time.time()}
    names = {"name": request.trust_id, "external_id": request.trust_id}
    connection.execute(sa.insert(LEDGER).values(request_id=request.id, **values, **names))


def of_target(context: Context) -> list[str]:
    """The trusts of all requests on the same target, those of their earlier tries too."""
    request = context.request
    ours = (REQUESTS.c.project_id == request.requester.project_id, REQUESTS.c.target == request.target)
    now = sa.select(REQUESTS.c.trust_id).where(*ours, REQUESTS.c.trust_id != "")
    before = sa.select(LEDGER.c.external_id).join(REQUESTS, REQUESTS.c.id == LEDGER.c.request_id).where(*ours, _LIVE)
    with reading() as connection:
        return sorted(connection.execute(now.union(before)).scalars())


def drop(context: Context) -> None:
    """Delete the request's trusts, unless a stack that it made lives on; its own goes last, for it deletes the others.

    One that Keystone keeps for now is left to a sweep.
    """
    _drop(context.request, context.cloud)


def forget(trust_id: str) -> None:
    """Forget a trust that Keystone has deleted."""
    with writing() as connection:
        entries = sa.update(LEDGER).where(_LIVE, LEDGER.c.external_id == trust_id)
        connection.execute(entries.values(state=DELETED, at=time.time()))
        connection.execute(sa.update(REQUESTS).where(REQUESTS.c.trust_id == trust_id).values(trust_id=""))


def sweep(cloud_of: Callable[[Request], Any]) -> None:
    """Delete the trusts of requests that ended while nobody could: in the queue, or while Keystone was away."""
    ended = (State.SUCCEEDED, State.PARTIAL, State.FAILED, State.CANCELLED)
    stack = sa.exists().where(LEDGER.c.request_id == REQUESTS.c.id, _STACK)
    query = sa.select(REQUESTS).where(REQUESTS.c.state.in_(ended), REQUESTS.c.trust_id != "", ~stack).limit(AT_ONCE)
    with reading() as connection:
        loose = [request_of(row) for row in connection.execute(query).mappings()]
    for request in loose:
        _drop(request, cloud_of(request))


def _drop(request: Request, cloud: Any) -> None:
    with reading() as connection:
        mine = LEDGER.c.request_id == request.id
        if not request.trust_id or connection.execute(sa.select(LEDGER.c.seq).where(mine, _STACK)).first():
            return
        earlier = connection.execute(sa.select(LEDGER.c.external_id).where(mine, _LIVE)).scalars().all()
    for trust_id in (*earlier, request.trust_id):
        try:
            cloud.keystone.delete_trust(trust_id)
        except ServiceError as error:
            LOG.warning(
                "request %s: its trust could not be deleted: %s", request.id, error, extra={"request_id": request.id}
            )
            return
        forget(trust_id)
