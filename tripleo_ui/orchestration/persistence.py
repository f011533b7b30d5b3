"""TaskFlow's records of flows, in our database."""

from collections.abc import Callable
from typing import Any
from uuid import UUID, uuid5

import sqlalchemy as sa
from taskflow.persistence.backends import impl_sqlalchemy
from taskflow.persistence.backends.sqlalchemy import tables

_METADATA = sa.MetaData()
_TABLES = tables.fetch(_METADATA)
_CONVERTER = impl_sqlalchemy._Alchemist(_TABLES)  # noqa: SLF001


class _Connection(impl_sqlalchemy.Connection):  # type: ignore[misc]
    """Shares one set of tables: the stock one builds them for every connection, and compiles every statement anew."""

    def __init__(self, backend: Any, upgrade_lock: Any) -> None:
        self._backend = backend
        self._upgrade_lock = upgrade_lock
        self._engine = backend.engine
        self._metadata = _METADATA
        self._tables = _TABLES
        self._converter = _CONVERTER


class _Backend(impl_sqlalchemy.SQLAlchemyBackend):  # type: ignore[misc]
    """TaskFlow's SQL backend; ``fence`` is asked before each use and raises where this conductor must not write."""

    def __init__(self, engine: sa.Engine, fence: Callable[[], None] | None = None) -> None:
        super().__init__({"connection": str(engine.url)}, engine=engine)
        self._fence = fence

    def get_connection(self) -> _Connection:
        if self._fence is not None:
            self._fence()
        return _Connection(self, self._upgrade_lock)


def backend(engine: sa.Engine, fence: Callable[[], None] | None = None) -> _Backend:
    """A persistence backend on an engine of ours."""
    return _Backend(engine, fence)


def book_id(request_id: str) -> str:
    """The id of a request's logbook, which follows from its own."""
    return str(uuid5(UUID(request_id), "book"))
