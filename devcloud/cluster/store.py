"""All objects of a cluster, in one thread's memory and on disk."""

from collections import defaultdict
from collections.abc import Callable

from devcloud.cluster.disk import Disk
from devcloud.cluster.entries import Entry, Key, Object, entry
from devcloud.cluster.history import ADDED, DELETED, MODIFIED, Change, History


class Store:
    """Objects by key, with versions that grow by one at each change."""

    def __init__(self, disk: Disk, history: int = 10_000):
        self._disk = disk
        self._kinds: dict[str, dict[tuple[str, str], Entry]] = defaultdict(dict)
        self._dependents: dict[str, set[Key]] = defaultdict(set)
        self._uids: dict[str, Key] = {}
        self.version = disk.version()
        self.history = History(history, self.version)
        self.listeners: list[Callable[[Change], None]] = []
        for storage, content in disk.objects():
            self._remember(entry(storage, content))

    def get(self, storage: str, namespace: str, name: str) -> Entry | None:
        """Return an object, or None."""
        return self._kinds[storage].get((namespace, name))

    def all(self, storage: str, namespace: str = "") -> list[Entry]:
        """Return the objects of a kind, in one namespace or in all, by namespace and name."""
        found = self._kinds[storage]
        return [found[key] for key in sorted(key for key in found if namespace in {"", key[0]})]

    def within(self, namespace: str) -> list[Entry]:
        """Return everything in a namespace."""
        return [entry for kind in self._kinds.values() for entry in kind.values() if entry.namespace == namespace]

    def by_uid(self, uid: str) -> Entry | None:
        """Return the object of a uid, or None."""
        return self.get(*self._uids[uid]) if uid in self._uids else None

    def dependents(self, uid: str) -> list[Entry]:
        """Return the objects that name a uid as an owner."""
        found = (self.get(*key) for key in sorted(self._dependents.get(uid, ())))
        return [dependent for dependent in found if dependent]

    def put(self, storage: str, content: Object) -> Entry:
        """Keep an object, new or changed; it gets the next version and is nobody's to change from here on."""
        self.version += 1
        content["metadata"]["resourceVersion"] = str(self.version)
        kept = entry(storage, content)
        before = self.get(*kept.key)
        if before:
            self._forget(before)
        self._remember(kept)
        self._disk.save(self.version, kept)
        self._tell(Change(self.version, MODIFIED if before else ADDED, kept, before))
        return kept

    def remove(self, key: Key) -> None:
        """Remove an object that is there."""
        gone = self._kinds[key[0]][key[1], key[2]]
        self._forget(gone)
        self.version += 1
        content = gone.copy()
        content["metadata"]["resourceVersion"] = str(self.version)
        self._disk.drop(self.version, key)
        self._tell(Change(self.version, DELETED, entry(key[0], content), gone))

    def _tell(self, change: Change) -> None:
        self.history.add(change)
        for listener in self.listeners:
            listener(change)

    def _remember(self, kept: Entry) -> None:
        self._kinds[kept.key[0]][kept.key[1:]] = kept
        self._uids[kept.uid] = kept.key
        for owner in kept.owners:
            self._dependents[owner.get("uid", "")].add(kept.key)

    def _forget(self, gone: Entry) -> None:
        del self._kinds[gone.key[0]][gone.key[1:]]
        self._uids.pop(gone.uid, None)
        for owner in gone.owners:
            dependents = self._dependents[owner.get("uid", "")]
            dependents.discard(gone.key)
            if not dependents:
                del self._dependents[owner.get("uid", "")]
