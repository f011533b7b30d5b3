"""Looks at objects when they or their children change, and again when something of theirs is due."""

import asyncio
import contextlib
import heapq
import itertools
import logging
from collections.abc import Callable

from devcloud.cluster import errors
from devcloud.cluster.controllers import builds, jobs, places, pods, replicas, rollouts, sets
from devcloud.cluster.controllers.world import World
from devcloud.cluster.entries import Entry, Key
from devcloud.cluster.history import ADDED, DELETED, Change

_LOG = logging.getLogger(__name__)

# Returns after how many seconds to look again, or None.
Controller = Callable[[World, Entry], float | None]

_AT_ONCE = 100

CONTROLLERS: dict[str, Controller] = {
    "buildconfigs.build.openshift.io": builds.build_config,
    "builds.build.openshift.io": builds.build,
    "customresourcedefinitions.apiextensions.k8s.io": places.definition,
    "daemonsets.apps": sets.daemon_set,
    "deploymentconfigs.apps.openshift.io": rollouts.deployment_config,
    "deployments.apps": rollouts.deployment,
    "events": places.event,
    "imagestreams.image.openshift.io": places.image_stream,
    "jobs.batch": jobs.job,
    "namespaces": places.namespace,
    "persistentvolumeclaims": places.claim,
    "pods": pods.pod,
    "replicasets.apps": replicas.replica_set,
    "replicationcontrollers": replicas.replica_set,
    "resourcequotas": places.quota,
    "routes.route.openshift.io": places.route,
    "services": places.service,
    "statefulsets.apps": sets.stateful_set,
}


class Driver:
    """The loop that makes things happen."""

    def __init__(self, world: World):
        self.world = world
        self._due: list[tuple[float, int, Key]] = []
        self._queued: dict[Key, float] = {}
        self._numbers = itertools.count()
        self._wake: asyncio.Event | None = None
        world.store.listeners.append(self._notice)

    def begin(self) -> None:
        """Look at everything once, as after a start."""
        for storage in CONTROLLERS:
            for entry in self.world.store.all(storage):
                self._look(entry.key)

    def _notice(self, change: Change) -> None:
        entry = change.entry
        if change.type == ADDED:
            self.world.since[entry.uid] = self.world.clock.now()
        if change.type == DELETED:
            self.world.since.pop(entry.uid, None)
        elif entry.key[0] in CONTROLLERS:
            self._look(entry.key)
        if change.type == ADDED and entry.owners:
            self._look(entry.key)
        for reference in entry.owners:
            owner = self.world.store.by_uid(reference.get("uid", ""))
            if owner:
                self._look(owner.key)
        self._notice_namespace(change)

    def _notice_namespace(self, change: Change) -> None:
        """What comes and goes changes what a namespace has used, and whether one that is leaving is empty."""
        name = change.entry.namespace
        if not name or change.entry.key[0] == "resourcequotas":
            return
        for quota in self.world.store.all("resourcequotas", name):
            self._look(quota.key)
        if change.type == DELETED and (namespace := self.world.store.get("namespaces", "", name)) and namespace.leaving:
            self._look(namespace.key)

    def _look(self, key: Key, seconds: float = 0.0) -> None:
        due = self.world.clock.now() + seconds
        if due < self._queued.get(key, float("inf")):
            self._queued[key] = due
            heapq.heappush(self._due, (due, next(self._numbers), key))
            self.wake()

    def wake(self) -> None:
        """Look what is due now, for example after the clock jumped."""
        if self._wake:
            self._wake.set()

    def step(self, limit: int = _AT_ONCE) -> bool:
        """Do what is due, up to a number of looks; returns whether more is."""
        for _ in range(limit):
            if not self._due or self._due[0][0] > self.world.clock.now():
                return False
            due, _number, key = heapq.heappop(self._due)
            if self._queued.get(key) == due:
                del self._queued[key]
                self._reconcile(key)
        return True

    def _reconcile(self, key: Key) -> None:
        entry = self.world.store.get(*key)
        if entry is None:
            return
        if entry.owners and not entry.leaving:
            self.world.deletions.tend(entry)
            entry = self.world.store.get(*key)
        controller = CONTROLLERS.get(key[0])
        if entry is None or controller is None or (entry.leaving and key[0] != "namespaces"):
            return
        try:
            again = controller(self.world, entry)
        except errors.ApiError as error:
            _LOG.info("%s: %s", "/".join(key), error)
            again = self.world.readiness.seconds or 1.0
        except Exception:  # noqa: BLE001 - one odd object must not end what happens to all others
            _LOG.exception("%s cannot be looked after", "/".join(key))
            return
        if again is not None:
            self._look(key, max(again, 0.001))

    async def run(self) -> None:
        """Go on until cancelled."""
        self._wake = asyncio.Event()
        while True:
            self._wake.clear()
            if self.step():
                await asyncio.sleep(0)
                continue
            left = self._due[0][0] - self.world.clock.now() if self._due else None
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._wake.wait(), left)
