"""Forgets requests that ended long ago, with their events, their ledger and TaskFlow's records of them."""

import time

import sqlalchemy as sa
from taskflow import exceptions as taskflow_errors

from tripleo_ui.config import settings
from tripleo_ui.orchestration import persistence
from tripleo_ui.orchestration.states import ENDED
from tripleo_ui.orchestration.store.engine import engine, reading, writing
from tripleo_ui.orchestration.store.tables import DELIVERIES, EVENTS, REQUESTS

#: Requests that one transaction deletes.
AT_ONCE = 100


def purge(older_than: float) -> int:
    """Delete what ended more than that many seconds ago; answers how many requests.

    A request is kept while something needs it: a stack that lives through its trust, or a notification on its way.
    """
    purged = 0
    while found := _old(time.time() - older_than):
        for request_id in found:
            _forget_flow(request_id)
        with writing() as connection:
            connection.execute(sa.delete(REQUESTS).where(REQUESTS.c.id.in_(found)))
        purged += len(found)
    return purged


def _old(before: float) -> list[str]:
    told = sa.select(DELIVERIES.c.seq).join(EVENTS, EVENTS.c.seq == DELIVERIES.c.event_seq)
    query = sa.select(REQUESTS.c.id).where(
        REQUESTS.c.state.in_(ENDED),
        REQUESTS.c.finished_at < before,
        REQUESTS.c.trust_id == "",
        ~told.where(EVENTS.c.request_id == REQUESTS.c.id, DELIVERIES.c.open.is_(True)).exists(),
    )
    with reading() as connection:
        return list(connection.execute(query.limit(AT_ONCE)).scalars())


def _forget_flow(request_id: str) -> None:
    connection = persistence.backend(engine(settings.database_url)).get_connection()
    try:
        connection.destroy_logbook(persistence.book_id(request_id))
    except taskflow_errors.NotFound:
        return
    finally:
        connection.close()
