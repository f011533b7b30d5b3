"""The board in our own database: a claim is one statement, and lease times are by the database's clock."""

from collections.abc import Collection

import sqlalchemy as sa

from tripleo_ui.orchestration.boards.claim import Claim
from tripleo_ui.orchestration.store.clock import clock
from tripleo_ui.orchestration.store.engine import reading, writing
from tripleo_ui.orchestration.store.tables import JOBS


class SqlBoard:
    """Leases are in the rows of jobs."""

    def waiting(self, limit: int, full: Collection[str] = ()) -> list[str]:
        """The requests that nobody works on, in the order to take them; none of the projects in ``full``."""
        query = (
            sa.select(JOBS.c.request_id)
            .where(JOBS.c.open.is_(True), JOBS.c.expires < clock(), JOBS.c.project_id.not_in(full))
            .order_by(JOBS.c.rank)
            .limit(limit)
        )
        with reading() as connection:
            return list(connection.execute(query).scalars())

    def claim(self, request_id: str, owner: str, lease: float) -> Claim | None:
        """Take a request for ``lease`` seconds, or None where another conductor was faster."""
        with writing() as connection:
            taken = connection.execute(
                sa.update(JOBS)
                .where(JOBS.c.request_id == request_id, JOBS.c.open.is_(True), JOBS.c.expires < clock())
                .values(owner=owner, expires=clock() + lease, epoch=JOBS.c.epoch + 1)
            )
            if taken.rowcount != 1:
                return None
            row = connection.execute(
                sa.select(JOBS.c.project_id, JOBS.c.epoch).where(JOBS.c.request_id == request_id)
            ).one()
        return Claim(request_id, row.project_id, owner, row.epoch)

    def renew(self, claim: Claim, lease: float) -> bool:
        """Extend a lease; False where it is lost."""
        return _update(claim, owner=claim.owner, expires=clock() + lease)

    def release(self, claim: Claim) -> None:
        """Give a request back before its lease ends."""
        _update(claim, owner="", expires=0.0)

    def close(self) -> None:
        """The database's connections are the process's."""


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
