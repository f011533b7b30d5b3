"""The board in Redis: it says whose a request is; which requests there are, and in which order, our rows say.

A request has a job in Redis from its first claim to its end. The job counts only as long as the row names it, so a
job that a conductor posted just before it died means nothing, and a Redis that forgot everything is filled again from
the rows. Whoever claims holds the row's lock, and writes owner and epoch: so writes are fenced as they always are.
"""

import time
from collections.abc import Collection
from typing import Any

import sqlalchemy as sa

from tripleo_ui.config import settings
from tripleo_ui.orchestration.boards.claim import Claim
from tripleo_ui.orchestration.boards.redis_jobs import Job, Jobs
from tripleo_ui.orchestration.store.clock import clock
from tripleo_ui.orchestration.store.engine import reading, writing
from tripleo_ui.orchestration.store.tables import JOBS

#: Seconds between two looks for jobs that belong to no row.
SWEEP_SECONDS = 60.0
_SWEEPER = "sweeper"


class RedisBoard:
    """Leases are keys of Redis that expire.

    Raises:
        BoardError: ``url`` is none of a Redis.
    """

    def __init__(self, url: str) -> None:
        self._jobs = Jobs(url)
        self._next_sweep = 0.0

    def waiting(self, limit: int, full: Collection[str] = ()) -> list[str]:
        """The requests that nobody works on, in the order to take them; none of the projects in ``full``."""
        if time.monotonic() >= self._next_sweep:
            self._next_sweep = time.monotonic() + SWEEP_SECONDS
            self.sweep()
        with reading() as connection:
            posted = connection.execute(
                sa.select(JOBS.c.request_id, JOBS.c.posting, JOBS.c.owner).where(
                    JOBS.c.open.is_(True), JOBS.c.posting != ""
                )
            ).all()
        query = (
            sa.select(JOBS.c.request_id)
            .where(
                JOBS.c.open.is_(True),
                JOBS.c.request_id.not_in(self._held(posted)),
                JOBS.c.project_id.not_in(full),
            )
            .order_by(JOBS.c.rank)
            .limit(limit)
        )
        with reading() as connection:
            return list(connection.execute(query).scalars())

    def claim(self, request_id: str, owner: str, lease: float) -> Claim | None:
        """Take a request for ``lease`` seconds, or None where another conductor was faster."""
        with writing() as connection:
            row = _lock(connection, request_id, skip_locked=True)
            if row is None or not self._take(connection, row, owner, row.epoch + 1, lease):
                return None
        return Claim(request_id, row.project_id, owner, row.epoch + 1)

    def renew(self, claim: Claim, lease: float) -> bool:
        """Extend a lease; False where it is lost. One that ended, or was forgotten, and that nobody took is ours."""
        mine = (JOBS.c.request_id == claim.request_id, JOBS.c.owner == claim.owner, JOBS.c.epoch == claim.epoch)
        with reading() as connection:
            posting = connection.execute(sa.select(JOBS.c.posting).where(*mine, JOBS.c.open.is_(True))).scalar()
        if posting is None:
            return False
        who = _who(claim.owner, claim.epoch)
        if self._jobs.extend(posting, who, lease):
            return True
        with writing() as connection:
            row = _lock(connection, claim.request_id)
            if row is None or (row.owner, row.epoch) != (claim.owner, claim.epoch):
                return False
            # Another conductor may have restored it meanwhile.
            return self._jobs.extend(row.posting, who, lease) or self._take(
                connection, row, claim.owner, claim.epoch, lease
            )

    def release(self, claim: Claim) -> None:
        """Give a request back before its lease ends; the job of one that has ended goes."""
        mine = (JOBS.c.request_id == claim.request_id, JOBS.c.epoch == claim.epoch)
        with writing() as connection:
            row = connection.execute(sa.select(JOBS).where(*mine).with_for_update()).first()
            if row is not None and row.open and row.owner == claim.owner:
                connection.execute(sa.update(JOBS).where(*mine).values(owner="", expires=0.0))
        if row is None or not row.posting:
            return
        end = self._jobs.abandon if row.open else self._jobs.consume
        end(row.posting, _who(claim.owner, claim.epoch))

    def sweep(self) -> None:
        """Remove jobs that no row names.

        Such are those of conductors that died between Redis and the row, and of requests that ended while Redis was
        away.
        """
        jobs = self._jobs.everything()
        named = sa.select(JOBS.c.posting).where(JOBS.c.open.is_(True), JOBS.c.posting.in_(jobs))
        with reading() as connection:
            strays = set(jobs) - set(connection.execute(named).scalars())
        for job_id in strays:
            # Who posts holds the row until it names the job, so under its lock there is no job that is only early.
            with writing() as connection:
                row = _lock(connection, jobs[job_id])
                named_now = row is not None and row.posting == job_id
            if not named_now and self._jobs.claim(job_id, _SWEEPER, settings.lease_seconds) is Job.FREE:
                self._jobs.consume(job_id, _SWEEPER)

    def close(self) -> None:
        """End the connections to Redis."""
        self._jobs.close()

    def _held(self, posted: Collection[Any]) -> list[str]:
        """Those of the rows that are somebody's. A forgotten one is still its owner's, who gets a lease to say so."""
        found = self._jobs.look([row.posting for row in posted])
        for row in posted:
            if found[row.posting] is Job.LOST and row.owner and self._restore(row.request_id):
                found[row.posting] = Job.HELD
        return [row.request_id for row in posted if found[row.posting] is Job.HELD]

    def _restore(self, request_id: str) -> bool:
        """Fill a Redis that forgot a job from its row; answers whether the request is somebody's."""
        with writing() as connection:
            row = _lock(connection, request_id)
            if row is None or not row.owner:
                return False
            self._take(connection, row, row.owner, row.epoch, settings.lease_seconds)
            return True

    def _take(self, connection: sa.Connection, row: Any, owner: str, epoch: int, lease: float) -> bool:
        """Claim the job of a row that is locked, posting one where there is none; False where somebody has it."""
        who, posting = _who(owner, epoch), row.posting
        was = self._jobs.claim(posting, who, lease) if posting else Job.LOST
        if was is Job.LOST:
            posting = self._jobs.post(row.request_id)
            was = self._jobs.claim(posting, who, lease)
        if was is not Job.FREE:
            return False
        values = {"owner": owner, "epoch": epoch, "posting": posting, "expires": clock() + lease}
        connection.execute(sa.update(JOBS).where(JOBS.c.request_id == row.request_id).values(values))
        return True


def _lock(connection: sa.Connection, request_id: str, *, skip_locked: bool = False) -> Any:
    """The row of a request that has not ended, which nobody else may change in this transaction; else None."""
    query = sa.select(JOBS).where(JOBS.c.request_id == request_id, JOBS.c.open.is_(True))
    return connection.execute(query.with_for_update(skip_locked=skip_locked)).first()


def _who(owner: str, epoch: int) -> str:
    """A claim's name in Redis: no two claims have the same, so one that wakes up late renews nobody else's."""
    return f"{owner}/{epoch}"
