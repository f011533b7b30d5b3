"""The jobboard: one row for each request, claimed with a lease and an epoch that fences the ones before.

TaskFlow's own jobboards need a server beside the database; this one needs none, and a claim is one statement.
"""

import time
from dataclasses import dataclass

import sqlalchemy as sa

from tripleo_ui.orchestration.store.engine import reading, writing
from tripleo_ui.orchestration.store.tables import JOBS


@dataclass(frozen=True)
class Claim:
    """A request that this conductor works on until its lease ends."""

    request_id: str
    owner: str
    epoch: int


def waiting(limit: int) -> list[str]:
    """The requests that nobody works on, the one that waits longest first."""
    query = (
        sa.select(JOBS.c.request_id)
        .where(JOBS.c.open.is_(True), JOBS.c.expires < time.time())
        .order_by(JOBS.c.posted_at)
        .limit(limit)
    )
    with reading() as connection:
        return list(connection.execute(query).scalars())


def claim(request_id: str, owner: str, lease: float) -> Claim | None:
    """Take a request for ``lease`` seconds, or None where another conductor was faster."""
    now = time.time()
    with writing() as connection:
        taken = connection.execute(
            sa.update(JOBS)
            .where(JOBS.c.request_id == request_id, JOBS.c.open.is_(True), JOBS.c.expires < now)
            .values(owner=owner, expires=now + lease, epoch=JOBS.c.epoch + 1)
        )
        if taken.rowcount != 1:
            return None
        epoch = connection.execute(sa.select(JOBS.c.epoch).where(JOBS.c.request_id == request_id)).scalar_one()
    return Claim(request_id, owner, epoch)


def renew(claim: Claim, lease: float) -> bool:
    """Extend a lease; False where it is lost."""
    return _update(claim, expires=time.time() + lease)


def release(claim: Claim) -> None:
    """Give a request back before its lease ends, so that the next conductor need not wait for that."""
    _update(claim, owner="", expires=0.0)


def _update(claim: Claim, **values: object) -> bool:
    with writing() as connection:
        updated = connection.execute(
            sa.update(JOBS)
            .where(
                JOBS.c.request_id == claim.request_id,
                JOBS.c.owner == claim.owner,
                JOBS.c.epoch == claim.epoch,
                JOBS.c.open.is_(True),
            )
            .values(**values)
        )
    return updated.rowcount == 1
