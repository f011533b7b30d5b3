"""One engine for each database URL of this process."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import URL, make_url

from tripleo_ui.config import settings

#: What a statement raises when the database cannot be used, or has ended the connection.
AWAY = (sa.exc.OperationalError, sa.exc.InterfaceError, sa.exc.InternalError, sa.exc.TimeoutError)

_BUSY_SECONDS = 30.0
_CONNECT_SECONDS = 5
#: A server that takes longer for a statement of ours is in trouble.
_STATEMENT_SECONDS = 30
#: What each connection to SQLite may keep of the file; there are as many of these as workers.
_CACHE_KIB = 256
#: Beside workers: the claims, the leases, the chores, and a page or two.
_OTHERS = 4


@cache
def engine(url: str) -> sa.Engine:
    """The engine of a database. No call waits without an end: neither for a server, nor for a lock, nor for the pool.

    SQLite gets a write-ahead log, so that pages read while a conductor writes, and transactions that take the write
    lock when they begin: one that reads first and writes later could not wait for it.
    """
    target = make_url(url)
    pool = {"pool_size": settings.workers + _OTHERS, "max_overflow": settings.workers, "pool_timeout": _BUSY_SECONDS}
    if target.get_backend_name() == "sqlite":
        return _sqlite(sa.create_engine(url, connect_args={"timeout": _BUSY_SECONDS}, **pool))
    # A fence reads what another conductor has just written: every statement has to see it.
    return sa.create_engine(
        url,
        connect_args=_options(target),
        pool_pre_ping=True,
        pool_recycle=3600,
        isolation_level="READ COMMITTED",
        **pool,
    )


def _options(url: URL) -> dict[str, Any]:
    """Options of the driver's connect; an operator's own, in the URL, come first."""
    return {name: value for name, value in _patience(url).items() if name not in url.query}


def _patience(url: URL) -> dict[str, Any]:
    """How long a driver and its server may take, as options of the driver's connect."""
    if url.get_backend_name() == "postgresql":
        # A conductor that is paused within a transaction must not keep its rows for longer than its lease.
        idle = max(settings.lease_seconds, _CONNECT_SECONDS)
        timeouts = {"statement_timeout": _STATEMENT_SECONDS, "idle_in_transaction_session_timeout": idle}
        return {
            "connect_timeout": _CONNECT_SECONDS,
            "keepalives_idle": 10,
            "keepalives_interval": 5,
            "keepalives_count": 3,
            "tcp_user_timeout": _STATEMENT_SECONDS * 1000,
            "options": " ".join(f"-c {name}={seconds * 1000:.0f}" for name, seconds in timeouts.items()),
        }
    return {
        "connect_timeout": _CONNECT_SECONDS,
        "read_timeout": _STATEMENT_SECONDS,
        "write_timeout": _STATEMENT_SECONDS,
    }


def _sqlite(made: sa.Engine) -> sa.Engine:
    @sa.event.listens_for(made, "connect")
    def _connect(connection: object, _record: object) -> None:
        connection.isolation_level = None  # type: ignore[attr-defined]
        for pragma in (
            f"busy_timeout={_BUSY_SECONDS * 1000:.0f}",
            "journal_mode=WAL",
            "synchronous=NORMAL",
            "foreign_keys=ON",
            f"cache_size={-_CACHE_KIB}",
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
    """A transaction that only reads, locks nothing, and sees one moment."""
    made = engine(settings.database_url)
    options: dict[str, Any] = {"read_only": True}
    if made.dialect.name != "sqlite":
        options |= {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
    with made.execution_options(**options).connect() as connection:
        yield connection
