"""Drafts: what a person typed and has not submitted yet. They hold no secrets."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa

from tripleo_ui.orchestration.errors import OrchestrationError
from tripleo_ui.orchestration.store.engine import reading, writing
from tripleo_ui.orchestration.store.tables import DRAFTS


class DraftConflict(OrchestrationError):
    """The draft was saved meanwhile, in another window; ``current`` is that one, or None where it is deleted."""

    def __init__(self, current: "Draft | None") -> None:
        super().__init__("the draft was changed in another window")
        self.current = current


@dataclass(frozen=True)
class Draft:
    """A draft; ``revision`` counts its saves from 1."""

    key: str
    data: Mapping[str, Any]
    revision: int
    updated_at: datetime


def load(user_id: str, project_id: str, kind: str, key: str) -> Draft | None:
    """The person's draft, or None."""
    with reading() as connection:
        return _one(connection, _owned(user_id, project_id, kind, key))


def save(
    user_id: str, project_id: str, kind: str, key: str, data: Mapping[str, Any], revision: int | None = None
) -> Draft:
    """Store a draft, new or over the ``revision`` that the caller has read; without one, over whatever is there.

    Raises:
        DraftConflict: there is another revision.
    """
    now = time.time()
    with writing() as connection:
        where = _owned(user_id, project_id, kind, key)
        current = _one(connection, where)
        if revision is not None and (current is None or current.revision != revision):
            raise DraftConflict(current)
        number = current.revision + 1 if current else 1
        if current:
            query = sa.update(DRAFTS).where(*where).values(data=dict(data), revision=number, updated_at=now)
            connection.execute(query)
        else:
            owner = {"user_id": user_id, "project_id": project_id, "kind": kind, "key": key}
            connection.execute(sa.insert(DRAFTS).values(**owner, data=dict(data), revision=1, updated_at=now))
    return Draft(key, dict(data), number, datetime.fromtimestamp(now, UTC))


def delete(user_id: str, project_id: str, kind: str, key: str) -> None:
    """Forget a draft; one that is gone already is no error."""
    with writing() as connection:
        connection.execute(sa.delete(DRAFTS).where(*_owned(user_id, project_id, kind, key)))


def list(user_id: str, project_id: str, kind: str, limit: int = 50) -> Sequence[Draft]:  # noqa: A001
    """The person's drafts of a kind, the newest first."""
    query = sa.select(DRAFTS).where(
        DRAFTS.c.user_id == user_id, DRAFTS.c.project_id == project_id, DRAFTS.c.kind == kind
    )
    with reading() as connection:
        rows = connection.execute(query.order_by(DRAFTS.c.updated_at.desc()).limit(limit)).mappings().all()
    return [_draft(row) for row in rows]


def _owned(user_id: str, project_id: str, kind: str, key: str) -> tuple[Any, ...]:
    return (
        DRAFTS.c.user_id == user_id,
        DRAFTS.c.project_id == project_id,
        DRAFTS.c.kind == kind,
        DRAFTS.c.key == key,
    )


def _one(connection: sa.Connection, where: tuple[Any, ...]) -> Draft | None:
    row = connection.execute(sa.select(DRAFTS).where(*where)).mappings().first()
    return _draft(row) if row else None


def _draft(row: Any) -> Draft:
    return Draft(row["key"], row["data"], row["revision"], datetime.fromtimestamp(row["updated_at"], UTC))
