"""One engine for each database URL of this process."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

import sqlalchemy as sa
from sqlalchemy.engine import make_url

from tripleo_ui.config import settings

_BUSY_MS = 30_000


@cache
def engine(url: str) -> sa.Engine:
    """The engine of a database.

    SQLite gets a write-ahead log, so that pages read while a conductor writes, and transactions that take the write
    lock when they begin: one that reads first and writes later could not wait for it.
    """
    if make_url(url).get_backend_name() != "sqlite":
        return sa.create_engine(url, pool_pre_ping=True, pool_size=10)
    made = sa.create_engine(url, connect_args={"timeout": _BUSY_MS / 1000})

    @sa.event.listens_for(made, "connect")
    def _connect(connection: object, _record: object) -> None:
        connection.isolation_level = None  # type: ignore[attr-defined]
        for pragma in (
            f"busy_timeout={_BUSY_MS}",
            "journal_mode=WAL",
            "synchronous=NORMAL",
            "foreign_keys=ON",
        ):
            connection.execute(f"PRAGMA {pragma}")  # type: ignore[attr-defined]

    @sa.event.listens_for(made, "begin")
    def _begin(connection: sa.Connection) -> None:
        deferred = connection.get_execution_options().get("read_only")
        connection.exec_driver_sql("BEGIN" if deferred else "BEGIN IMMEDIATE")

    return made


@contextmanager
def writing() -> Iterator[sa.Connection]:
    """A transaction that writes; it is taken back when the block raises."""
    with engine(settings.database_url).begin() as connection:
        yield connection


@contextmanager
def reading() -> Iterator[sa.Connection]:
    """A transaction that only reads, and sees one moment."""
    made = engine(settings.database_url).execution_options(read_only=True)
    with made.connect() as connection:
        yield connection
