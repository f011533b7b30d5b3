"""What controllers see and do."""

import typing
from dataclasses import dataclass, field

from devcloud.cluster import errors
from devcloud.cluster.clock import Clock, seconds
from devcloud.cluster.deletion import Deletions
from devcloud.cluster.entries import Entry, Object
from devcloud.cluster.identity import MASTERS, User
from devcloud.cluster.objects import Call, Objects
from devcloud.cluster.resources import Registry
from devcloud.cluster.store import Store

READY_AFTER = "devcloud/ready-after"
OUTCOME = "devcloud/outcome"
FAIL, NEVER = "fail", "never"

_SERVER = User("system:kube-controller-manager", groups=(MASTERS,))
_LONGEST_CHAIN = 5


@dataclass
class Readiness:
    """How long things take.

    Attributes:
        seconds: what a pod, a claim, a build or a route takes.
        kinds: seconds by the name of a kind, such as ``pods``, where they differ.
    """

    seconds: float = 1.0
    kinds: dict[str, float] = field(default_factory=dict)

    def of(self, storage: str) -> float:
        """Return how long objects of a kind take."""
        return self.kinds.get(storage, self.seconds)


@dataclass
class World:
    """A cluster as its controllers know it."""

    registry: Registry
    store: Store
    clock: Clock
    objects: Objects
    deletions: Deletions
    readiness: Readiness = field(default_factory=Readiness)
    # By uid, to a fraction of a second; what objects say themselves is rounded.
    since: dict[str, float] = field(default_factory=dict)

    def age(self, entry: Entry) -> float:
        """Return for how long an object is known, in seconds."""
        created = entry.metadata["creationTimestamp"]
        return self.clock.now() - self.since.setdefault(entry.uid, seconds(created))

    def wait(self, entry: Entry) -> float:
        """Return how long an object takes: what it or an owner says, or what its kind takes."""
        stated = self.said(entry, READY_AFTER)
        try:
            return float(stated)
        except ValueError:
            return self.readiness.of(entry.key[0])

    def said(self, entry: Entry, annotation: str) -> str:
        """Return an annotation of an object or of its owners, or an empty string."""
        for _ in range(_LONGEST_CHAIN):
            found = (entry.metadata.get("annotations") or {}).get(annotation)
            if found is not None:
                return found
            owner = next((self.store.by_uid(reference.get("uid", "")) for reference in entry.owners), None)
            if owner is None:
                break
            entry = owner
        return ""

    def children(self, owner: Entry, storage: str) -> list[Entry]:
        """Return what an object controls, of one kind."""
        return [entry for entry in self.store.dependents(owner.uid) if entry.key[0] == storage]

    def make(self, storage: str, owner: Entry | None, namespace: str, content: Object) -> Entry:
        """Create an object, as a child where there is an owner.

        Raises:
            ApiError: it may not be, for example for a quota.
        """
        if owner:
            content["metadata"]["ownerReferences"] = [reference_to(owner)]
        return self.objects.create(self.registry.named(storage), namespace, content, _call())

    def set_status(self, entry: Entry, **changes: typing.Any) -> Entry:
        """Change parts of an object's status; a change that changes nothing is none."""
        content = entry.copy()
        content["status"] = {**(content.get("status") or {}), **changes}
        content["status"] = {name: value for name, value in content["status"].items() if value is not None}
        return entry if content == entry.object else self.store.put(entry.key[0], content)

    def set_spec(self, entry: Entry, **changes: typing.Any) -> Entry:
        """Change parts of an object's spec."""
        content = entry.copy()
        content["spec"].update(changes)
        if content == entry.object:
            return entry
        content["metadata"]["generation"] = entry.metadata.get("generation", 1) + 1
        return self.store.put(entry.key[0], content)

    def event(self, entry: Entry, reason: str, message: str, kind: str = "Normal") -> None:
        """Record what happened to an object."""
        stamp = self.clock.stamp()
        about = {
            "kind": entry.object["kind"],
            "apiVersion": entry.object["apiVersion"],
            "namespace": entry.namespace,
            "name": entry.name,
            "uid": entry.uid,
        }
        content = {
            "metadata": {"generateName": f"{entry.name}."},
            "involvedObject": about,
            "reason": reason,
            "message": message,
            "type": kind,
            "count": 1,
            "firstTimestamp": stamp,
            "lastTimestamp": stamp,
            "source": {"component": "devcloud"},
        }
        try:
            self.make("events", None, entry.namespace, content)
        except errors.ApiError as error:
            # A namespace that is leaving takes no events any more.
            if error.reason not in {"Forbidden", "NotFound"}:
                raise


def _call() -> Call:
    return Call(_SERVER, manager="kube-controller-manager")


def reference_to(owner: Entry) -> Object:
    """Return the reference by which a child names its controller."""
    return {
        "apiVersion": owner.object["apiVersion"],
        "kind": owner.object["kind"],
        "name": owner.name,
        "uid": owner.uid,
        "controller": True,
        "blockOwnerDeletion": True,
    }


def condition(world: World, entry: Entry, kind: str, status: bool, reason: str, message: str = "") -> Object:
    """Return a condition; its time of transition stays while its status does."""
    said = "True" if status else "False"
    now = world.clock.stamp()
    old = next((c for c in (entry.object.get("status") or {}).get("conditions") or [] if c["type"] == kind), None)
    changed = old["lastTransitionTime"] if old and old["status"] == said else now
    found = {"type": kind, "status": said, "reason": reason, "message": message, "lastTransitionTime": changed}
    if entry.object["kind"] in {"Deployment", "DeploymentConfig"}:
        same = old is not None and (old["status"], old["reason"]) == (said, reason)
        found["lastUpdateTime"] = old.get("lastUpdateTime", now) if same and old else now
    return found
