"""How objects go: finalizers, dependents before or after their owners, namespaces with all that is in them."""

import typing
from dataclasses import dataclass

from devcloud.cluster import errors
from devcloud.cluster.clock import Clock
from devcloud.cluster.entries import Entry, Object
from devcloud.cluster.resources import Resource
from devcloud.cluster.store import Store

BACKGROUND, FOREGROUND, ORPHAN = "Background", "Foreground", "Orphan"
_HOLDS = "foregroundDeletion"


@dataclass(frozen=True)
class How:
    """What a caller says of a deletion."""

    policy: str = BACKGROUND
    uid: str = ""
    version: str = ""
    dry_run: bool = False

    @classmethod
    def read(cls, body: typing.Any, query: typing.Mapping[str, str]) -> "How":
        """Read DeleteOptions from a body, and what the query says.

        Raises:
            ApiError: 400 or 422, there is no such policy.
        """
        options = body if isinstance(body, dict) else {}
        orphan = query.get("orphanDependents", options.get("orphanDependents"))
        default = ORPHAN if orphan in {True, "true"} else BACKGROUND
        policy = query.get("propagationPolicy") or options.get("propagationPolicy") or default
        if policy not in {BACKGROUND, FOREGROUND, ORPHAN}:
            raise errors.bad_request(f'invalid propagationPolicy: "{policy}"')
        preconditions = options.get("preconditions") or {}
        dry = "All" in (options.get("dryRun") or []) or query.get("dryRun") == "All"
        return cls(policy, preconditions.get("uid") or "", preconditions.get("resourceVersion") or "", dry)

    def check(self, resource: Resource, entry: Entry) -> None:
        """See that an object is the one that was meant.

        Raises:
            ApiError: 409, it is another one.
        """
        if self.uid and self.uid != entry.uid:
            raise errors.conflict(resource, entry.name, _differs("UID", self.uid, entry.uid))
        version = entry.metadata["resourceVersion"]
        if self.version and self.version != version:
            raise errors.conflict(resource, entry.name, _differs("ResourceVersion", self.version, version))


def _differs(what: str, wanted: str, found: str) -> str:
    return f"Precondition failed: {what} in precondition: {wanted}, {what} in object meta: {found}"


class Deletions:
    """Deletes from a store; the collector of dependents is part of it."""

    def __init__(self, store: Store, clock: Clock):
        self._store = store
        self._clock = clock

    def delete(self, entry: Entry, policy: str = BACKGROUND) -> Entry | None:
        """Delete an object; returns it when it waits for something, None when it is gone."""
        if policy == ORPHAN:
            for dependent in self._store.dependents(entry.uid):
                self._disown(dependent, entry.uid)
        marked = self._mark(entry, policy)
        if policy == FOREGROUND:
            for dependent in self._store.dependents(entry.uid):
                if not dependent.leaving:
                    self.delete(dependent, FOREGROUND)
        self.settle(marked)
        return marked if marked.leaving else None

    def _mark(self, entry: Entry, policy: str) -> Entry:
        """Say in the object that it is leaving, where somebody may see that."""
        content = entry.copy()
        metadata = content["metadata"]
        finalizers = metadata.get("finalizers") or []
        if policy == FOREGROUND and _HOLDS not in finalizers:
            metadata["finalizers"] = [*finalizers, _HOLDS]
        namespace = entry.key[0] == "namespaces"
        if namespace:
            content["status"] = {**(content.get("status") or {}), "phase": "Terminating"}
        if not metadata.get("finalizers") and not namespace:
            return entry
        metadata.setdefault("deletionTimestamp", self._clock.stamp())
        metadata.setdefault("deletionGracePeriodSeconds", 0)
        return entry if content == entry.object else self._store.put(entry.key[0], content)

    def settle(self, entry: Entry) -> None:
        """Remove an object that is to go, as far as nothing holds it."""
        kept = self._store.get(*entry.key)
        if kept is None or kept.uid != entry.uid:
            return
        if kept.leaving and _HOLDS in (kept.metadata.get("finalizers") or []) and not self._blocked(kept):
            content = kept.copy()
            content["metadata"]["finalizers"].remove(_HOLDS)
            kept = self._store.put(kept.key[0], content)
        if kept.metadata.get("finalizers") or self._held(kept):
            return
        self._store.remove(kept.key)
        self._collect(kept)

    def _held(self, entry: Entry) -> bool:
        """A namespace stays as long as its own finalizer is there, which goes when it is empty."""
        return entry.key[0] == "namespaces" and bool((entry.object.get("spec") or {}).get("finalizers"))

    def _blocked(self, owner: Entry) -> bool:
        return any(
            reference.get("uid") == owner.uid and reference.get("blockOwnerDeletion")
            for dependent in self._store.dependents(owner.uid)
            for reference in dependent.owners
        )

    def _collect(self, gone: Entry) -> None:
        """See to those who depended on an object, and to those it depended on."""
        for dependent in self._store.dependents(gone.uid):
            self.tend(dependent)
        for reference in gone.owners:
            owner = self._store.by_uid(reference.get("uid", ""))
            if owner and owner.leaving:
                self.settle(owner)

    def tend(self, dependent: Entry) -> None:
        """Delete an object that has lost every owner; one that has others loses the reference only."""
        lost = [r["uid"] for r in dependent.owners if not self._store.by_uid(r.get("uid", ""))]
        if len(lost) == len(dependent.owners):
            if lost and not dependent.leaving:
                self.delete(dependent)
            return
        for uid in lost:
            self._disown(dependent, uid)

    def _disown(self, dependent: Entry, uid: str) -> None:
        kept = self._store.get(*dependent.key)
        if kept:
            content = kept.copy()
            left = [reference for reference in kept.owners if reference.get("uid") != uid]
            _set_owners(content, left)
            self._store.put(kept.key[0], content)

    def empty(self, namespace: Entry) -> None:
        """Delete what is in a namespace that is leaving, and the namespace when it is empty."""
        for entry in self._store.within(namespace.name):
            if not entry.leaving and self._store.get(*entry.key):
                self.delete(entry)
        if not self._store.within(namespace.name):
            content = namespace.copy()
            content["spec"]["finalizers"] = []
            self.settle(self._store.put("namespaces", content))


def _set_owners(content: Object, owners: list[Object]) -> None:
    if owners:
        content["metadata"]["ownerReferences"] = owners
    else:
        content["metadata"].pop("ownerReferences", None)
