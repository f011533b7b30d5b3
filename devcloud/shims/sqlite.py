"""SQLite with several writers.

oslo.db sends a deferred BEGIN before the first SELECT of a session. The write that follows has to upgrade the lock,
and that fails at once with "database is locked" when another writer was faster, whatever the busy timeout. Here
SELECTs run outside of a transaction; the first change or savepoint starts ``BEGIN IMMEDIATE``, which waits.
"""

import typing

from sqlalchemy import Integer, Table, event
from sqlalchemy.engine import Connection, Engine

_PRAGMAS = ("busy_timeout=60000", "journal_mode=WAL", "synchronous=OFF")


def install() -> None:
    """Register the listeners for every engine of this process."""
    event.listen(Engine, "connect", _connect)
    event.listen(Engine, "begin", _begin)
    event.listen(Engine, "savepoint", _savepoint)


def _connect(dbapi: typing.Any, _record: typing.Any) -> None:
    if type(dbapi).__module__.startswith("sqlite3"):
        for pragma in _PRAGMAS:
            dbapi.execute(f"PRAGMA {pragma}")


def _begin(connection: Connection) -> None:
    # Listeners of the class run before those of an engine, so oslo.db's sees the flag and sends no BEGIN.
    if connection.dialect.name == "sqlite":
        connection.info["in_transaction"] = True
        _driver(connection).isolation_level = "IMMEDIATE"


def _savepoint(connection: Connection, _name: str) -> None:
    if connection.dialect.name == "sqlite" and not _driver(connection).in_transaction:
        _driver(connection).execute("BEGIN IMMEDIATE")


def _driver(connection: Connection) -> typing.Any:
    return connection.connection.dbapi_connection


def never_reuse_keys() -> None:
    """Create tables so that an integer key is never used twice, as in InnoDB.

    Heat relies on it: with ids used again, groups skip indexes, outputs fail and deletes hang.
    """
    event.listen(Table, "before_create", _autoincrement)


def _autoincrement(table: Table, connection: Connection, **_kw: typing.Any) -> None:
    keys = list(table.primary_key.columns)
    if connection.dialect.name != "sqlite" or len(keys) != 1:
        return
    if isinstance(keys[0].type, Integer) and not keys[0].foreign_keys:
        table.dialect_options["sqlite"]["autoincrement"] = True
