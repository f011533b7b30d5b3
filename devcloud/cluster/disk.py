"""Objects on disk: they survive the process, whose memory is what answers."""

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from devcloud.cluster.entries import Entry, Key, Object

_SCHEMA = """
CREATE TABLE IF NOT EXISTS objects (
    storage TEXT, namespace TEXT, name TEXT, content BLOB, PRIMARY KEY (storage, namespace, name)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value INTEGER) WITHOUT ROWID;
"""


class Disk:
    """A SQLite file; every change is there at once, in the kernel's memory at least."""

    def __init__(self, file: Path):
        self._connection = sqlite3.connect(file, isolation_level=None, check_same_thread=False)
        self._connection.execute("PRAGMA journal_mode = WAL")
        self._connection.execute("PRAGMA synchronous = OFF")
        self._connection.executescript(_SCHEMA)

    def version(self) -> int:
        """Return the version of the last change, or 0."""
        found = self._connection.execute("SELECT value FROM facts WHERE name = 'version'").fetchone()
        return found[0] if found else 0

    def objects(self) -> Iterator[tuple[str, Object]]:
        """Return every object with the name of its storage."""
        for storage, content in self._connection.execute("SELECT storage, content FROM objects"):
            yield storage, json.loads(content)

    def save(self, version: int, entry: Entry) -> None:
        """Keep an object."""
        with self._change(version) as connection:
            connection.execute("REPLACE INTO objects VALUES (?, ?, ?, ?)", (*entry.key, entry.raw))

    def drop(self, version: int, key: Key) -> None:
        """Drop an object."""
        with self._change(version) as connection:
            connection.execute("DELETE FROM objects WHERE storage = ? AND namespace = ? AND name = ?", key)

    def _change(self, version: int) -> sqlite3.Connection:
        self._connection.execute("BEGIN")
        self._connection.execute("REPLACE INTO facts VALUES ('version', ?)", (version,))
        return self._connection

    def close(self) -> None:
        """Close the file."""
        self._connection.close()
