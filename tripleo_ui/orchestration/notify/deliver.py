"""Sends what is in the outbox. Any number of conductors may do so: each delivery is one's alone while it is tried."""

import logging
import time
from typing import Any

import sqlalchemy as sa

from tripleo_ui.orchestration import logs
from tripleo_ui.orchestration.notify import Channel, NotDelivered, Notice, chosen
from tripleo_ui.orchestration.records import moment
from tripleo_ui.orchestration.redaction import redact
from tripleo_ui.orchestration.store.clock import clock
from tripleo_ui.orchestration.store.engine import reading, writing
from tripleo_ui.orchestration.store.tables import DELIVERIES, EVENTS, REQUESTS

LOG = logging.getLogger(__name__)
#: A delivery is given up after so many tries, two and a half hours after the first one.
MOST_TRIES = 12
FIRST_PAUSE, LONGEST_PAUSE = 5.0, 3600.0
#: One that was begun, and neither sent nor put off within this time, was a conductor's that died.
HOLD_SECONDS = 120.0
#: A round begins nothing more after this time, so that a conductor can stop.
ROUND_SECONDS = 5.0
_ERROR_LIMIT = 300


class Deliverer:
    """One conductor's deliveries; it loads a channel when there is something to send."""

    def __init__(self) -> None:
        self._channels: dict[str, Channel] = {}

    def round(self) -> int:
        """Try each delivery that is due, oldest first; answers how many arrived.

        A channel hears of one request's events in their order: a later one waits for those before.
        """
        began = time.monotonic()
        arrived = 0
        while time.monotonic() - began < ROUND_SECONDS and (row := _claim_next()) is not None:
            with logs.bound(request_id=row["request_id"]):
                arrived += self._try(row)
        return arrived

    def _try(self, row: Any) -> bool:
        try:
            self._channel(row["channel"]).send(_notice(row))
        except NotDelivered as error:
            problem = str(error)
        except Exception as error:
            LOG.exception("channel %s failed", row["channel"])
            problem = f"{type(error).__name__}: {error}"
        else:
            _settle(row, open=False, error="")
            return True
        problem = redact(problem)[:_ERROR_LIMIT]
        tries = row["tries"] + 1
        if tries >= MOST_TRIES:
            LOG.error("channel %s: a notice is given up: %s", row["channel"], problem)
            _settle(row, open=False, error=problem)
        else:
            LOG.warning(
                "channel %s: a notice of request %s has to wait: %s", row["channel"], row["request_id"], problem
            )
            _settle(row, error=problem, next_at=clock() + pause(tries))
        return False

    def _channel(self, name: str) -> Channel:
        if name not in self._channels:
            self._channels[name] = chosen.load(name)
        return self._channels[name]


def pause(tries: int) -> float:
    """Seconds until the next try."""
    return float(min(FIRST_PAUSE * 2.0 ** (tries - 1), LONGEST_PAUSE))


def _claim_next() -> Any:
    """The oldest delivery that is due, now nobody else's; None where nothing is left."""
    firsts = (
        sa.select(sa.func.min(DELIVERIES.c.seq))
        .join(EVENTS, EVENTS.c.seq == DELIVERIES.c.event_seq)
        .where(DELIVERIES.c.open.is_(True))
        .group_by(DELIVERIES.c.channel, EVENTS.c.request_id)
    )
    query = (
        sa.select(DELIVERIES, *_shown())
        .join(EVENTS, EVENTS.c.seq == DELIVERIES.c.event_seq)
        .join(REQUESTS, REQUESTS.c.id == EVENTS.c.request_id)
        .where(DELIVERIES.c.seq.in_(firsts), DELIVERIES.c.next_at <= clock())
        .order_by(DELIVERIES.c.seq)
        .limit(1)
    )
    while True:
        with reading() as connection:
            row = connection.execute(query).mappings().first()
        if row is None or _claim(row):
            return row


def _claim(row: Any) -> bool:
    with writing() as connection:
        return bool(
            connection.execute(
                sa.update(DELIVERIES)
                .where(
                    DELIVERIES.c.seq == row["seq"],
                    DELIVERIES.c.open.is_(True),
                    DELIVERIES.c.tries == row["tries"],
                    DELIVERIES.c.next_at <= clock(),
                )
                .values(tries=row["tries"] + 1, next_at=clock() + HOLD_SECONDS)
            ).rowcount
        )


def _settle(row: Any, **values: Any) -> None:
    """Write how a try went, unless somebody else tries by now."""
    with writing() as connection:
        connection.execute(
            sa.update(DELIVERIES)
            .where(DELIVERIES.c.seq == row["seq"], DELIVERIES.c.tries == row["tries"] + 1)
            .values(values)
        )


def _shown() -> list[Any]:
    of_event = [EVENTS.c[name] for name in ("at", "kind", "state", "phase", "message", "actor", "request_id")]
    names = ("workflow", "title", "user_name", "project_id", "project_name", "region")
    return of_event + [REQUESTS.c[name] for name in names]


def _notice(row: Any) -> Notice:
    shown = {column.name: row[column.name] for column in _shown()}
    at = moment(shown.pop("at"))
    assert at is not None  # noqa: S101
    return Notice(id=f"{row['request_id']}:{row['event_seq']}", at=at, **redact(shown))
