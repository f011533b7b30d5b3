"""Notes down who has to be told of an event, in the event's own transaction: neither is there without the other."""

import sqlalchemy as sa

from tripleo_ui.config import settings
from tripleo_ui.orchestration.notify import chosen
from tripleo_ui.orchestration.states import State
from tripleo_ui.orchestration.store.tables import DELIVERIES


def enqueue(connection: sa.Connection, event_seq: int, kind: str, state: State) -> None:
    """Have an event told to every channel in use, if it is one that they are told of."""
    if not settings.notify or not chosen.wanted(kind, state):
        return
    row = {"event_seq": event_seq, "open": True, "tries": 0, "next_at": 0.0, "error": ""}
    rows = [{**row, "channel": channel} for channel in chosen.channels()]
    if rows:
        connection.execute(sa.insert(DELIVERIES), rows)
