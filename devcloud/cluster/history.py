"""What changed, for those who watch: a bounded memory per kind."""

import bisect
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass

from devcloud.cluster import errors
from devcloud.cluster.entries import Entry

ADDED, MODIFIED, DELETED = "ADDED", "MODIFIED", "DELETED"
Matches = Callable[[Entry], bool]


@dataclass(frozen=True, slots=True)
class Change:
    """One change: the object after it (before it for a deletion), and what it replaced."""

    version: int
    type: str
    entry: Entry
    before: Entry | None = None

    def seen_as(self, matches: Matches) -> str:
        """Return the type of the event for a watcher who sees only what matches, or an empty string."""
        now = self.type != DELETED and matches(self.entry)
        then = matches(self.before) if self.before else self.type == DELETED and matches(self.entry)
        if now:
            return MODIFIED if then else ADDED
        return DELETED if then else ""


class History:
    """The last changes of each kind, in order."""

    def __init__(self, size: int, start: int):
        self._size = size
        self._changes: dict[str, list[Change]] = defaultdict(list)
        self._oldest: dict[str, int] = defaultdict(lambda: self._start)
        self._start = start
        self._waiting: dict[str, set[Callable[[], None]]] = defaultdict(set)

    def add(self, change: Change) -> None:
        """Remember a change and wake who waits for one of its kind."""
        storage = change.entry.key[0]
        changes = self._changes[storage]
        changes.append(change)
        if len(changes) >= 2 * self._size:
            self._oldest[storage] = changes[-self._size - 1].version
            del changes[: -self._size]
        for wake in list(self._waiting[storage]):
            wake()

    def since(self, storage: str, version: int) -> list[Change]:
        """Return the changes of a kind after a version.

        Raises:
            ApiError: 410, some of them are forgotten.
        """
        if version < self._oldest[storage]:
            raise errors.expired(version, self._oldest[storage])
        changes = self._changes[storage]
        return changes[bisect.bisect_right(changes, version, key=lambda change: change.version) :]

    def forget(self, version: int) -> None:
        """Forget everything up to a version, as a compaction does."""
        self._start = version
        self._oldest.clear()
        for storage, changes in self._changes.items():
            self._changes[storage] = [change for change in changes if change.version > version]

    def on_change(self, storage: str, wake: Callable[[], None]) -> Callable[[], None]:
        """Have a function called at each change of a kind; returns what ends that."""
        self._waiting[storage].add(wake)
        return lambda: self._waiting[storage].discard(wake)
