"""Whether the orchestrator does its work, as the database and the board know it. Asks no other service."""

import threading
from collections import Counter
from typing import Any

import sqlalchemy as sa

from tripleo_ui.config import settings
from tripleo_ui.orchestration import boards
from tripleo_ui.orchestration.conductor import most_of_one_project
from tripleo_ui.orchestration.notify import chosen
from tripleo_ui.orchestration.redaction import redact
from tripleo_ui.orchestration.store import schema
from tripleo_ui.orchestration.store.clock import clock
from tripleo_ui.orchestration.store.engine import reading
from tripleo_ui.orchestration.store.tables import DELIVERIES, EVENTS, JOBS

#: Waiting requests that are looked at; they come in the order in which conductors take them.
_LOOKED_AT = 500
#: Kinds of events that a conductor's claim leaves.
_CLAIMS = ("start", "takeover")


def check(seconds: float = 10.0) -> list[str]:
    """What is wrong, in sentences; nothing within ``seconds`` is wrong, too. An empty list: all is well."""
    found: list[list[str]] = []
    # A thread, for the database's driver may wait for a connection much longer.
    looking = threading.Thread(target=lambda: found.append(_look()), name="health", daemon=True)
    looking.start()
    looking.join(seconds)
    return found[0] if found else [f"The database or the board did not answer within {seconds:.0f} seconds."]


def _look() -> list[str]:
    try:
        schema.check()
        return [*_queue(), *_deliveries(), *chosen.problems()]
    except schema.SchemaError as error:
        return [f"{str(error)[:1].upper()}{str(error)[1:]}."]
    except Exception as error:  # noqa: BLE001 - whichever way a driver says it
        cause = str(getattr(error, "orig", None) or error).strip().partition("\n")[0]
        return [f"The database or the board cannot be used: {redact(cause)}."]


def _queue() -> list[str]:
    """Requests that wait although some conductor had room for them, or no conductor is there."""
    board = boards.configured()
    try:
        waiting = board.waiting(_LOOKED_AT)
    finally:
        board.close()
    columns = (JOBS.c.request_id, JOBS.c.project_id, JOBS.c.owner, JOBS.c.posted_at, JOBS.c.expires)
    claims = sa.select(EVENTS.c.at).where(EVENTS.c.kind.in_(_CLAIMS)).order_by(EVENTS.c.seq.desc()).limit(1)
    with reading() as connection:
        now = _now(connection)
        jobs = connection.execute(sa.select(*columns).where(JOBS.c.open.is_(True), JOBS.c.owner != "")).all()
        runnable = connection.execute(sa.select(*columns).where(JOBS.c.request_id.in_(waiting))).all()
        last_claim = connection.execute(claims).scalar() or 0.0
    limit = settings.stuck_seconds
    held = [job for job in jobs if job.request_id not in set(waiting)]
    late = [job for job in runnable if now - _since(job) > limit and _has_room(held, job.project_id)]
    if not late or now - last_claim <= limit:
        return []
    late.sort(key=_since)
    left = [job for job in late if job.owner]
    reasons = [_told(len(late), "request", now - _since(late[0])) + ", and no conductor takes it."]
    if left:
        reasons.append(
            f"Request {left[0].request_id} was left by conductor {left[0].owner}, and nobody goes on with it."
        )
    return reasons


def _deliveries() -> list[str]:
    query = (
        sa.select(EVENTS.c.at, DELIVERIES.c.channel, DELIVERIES.c.error)
        .join(EVENTS, EVENTS.c.seq == DELIVERIES.c.event_seq)
        .where(DELIVERIES.c.open.is_(True), EVENTS.c.at < clock() - settings.stuck_seconds)
        .order_by(DELIVERIES.c.seq)
    )
    with reading() as connection:
        now = _now(connection)
        late = connection.execute(query).all()
    if not late:
        return []
    why = late[0].error or "nobody has tried"
    return [f"{_told(len(late), 'notification', now - late[0].at)} for channel {late[0].channel}: {why}."]


def _now(connection: sa.Connection) -> float:
    return float(connection.execute(sa.select(clock())).scalar_one())


def _since(job: Any) -> float:
    """Since when nobody has it: posted then, or left by a conductor whose lease ended then."""
    return float(max(job.posted_at, job.expires))


def _has_room(held: list[Any], project_id: str) -> bool:
    """Whether a conductor could take a request of that project; one that is at nothing cannot be seen, and could."""
    of_all = Counter(job.owner for job in held)
    of_project = Counter(job.owner for job in held if job.project_id == project_id)
    return not of_all or any(
        number < settings.workers and of_project[owner] < most_of_one_project() for owner, number in of_all.items()
    )


def _told(number: int, what: str, seconds: float) -> str:
    return f"{number} {what}{'s wait' if number != 1 else ' waits'}, the oldest for {seconds:.0f} seconds"
