"""A cluster: everything that answers requests, without how they come in."""

from pathlib import Path

from devcloud.cluster import seed, users
from devcloud.cluster.clock import Clock
from devcloud.cluster.controllers import builds
from devcloud.cluster.controllers.driver import Driver
from devcloud.cluster.controllers.world import World
from devcloud.cluster.deletion import Deletions
from devcloud.cluster.disk import Disk
from devcloud.cluster.entries import Entry
from devcloud.cluster.faults import Faults
from devcloud.cluster.history import DELETED, Change
from devcloud.cluster.identity import Identities
from devcloud.cluster.kinds import KUBERNETES, OPENSHIFT
from devcloud.cluster.objects import Objects
from devcloud.cluster.rbac import Permissions
from devcloud.cluster.resources import Registry, Resource
from devcloud.cluster.store import Store

FLAVORS = {"kubernetes": KUBERNETES, "openshift": OPENSHIFT}
_DEFINITIONS = "customresourcedefinitions.apiextensions.k8s.io"


class Cluster:
    """A cluster of a flavor, ``kubernetes`` or ``openshift``, whose objects are in a folder."""

    def __init__(self, flavor: str, folder: Path):
        folder.mkdir(parents=True, exist_ok=True)
        self.flavor = flavor
        self.clock = Clock()
        self.faults = Faults()
        self.registry = Registry(FLAVORS[flavor])
        self.disk = Disk(folder / "objects.sqlite")
        self.store = Store(self.disk)
        self.permissions = Permissions(self.store)
        self.deletions = Deletions(self.store, self.clock)
        self.objects = Objects(self.store, self.clock, self.deletions, self.permissions)
        self.identities = Identities(users.tokens(), flavor.encode(), self.store, self.clock)
        for definition in self.store.all(_DEFINITIONS):
            self._serve(definition)
        self.store.listeners.append(self._notice)
        world = World(self.registry, self.store, self.clock, self.objects, self.deletions)
        self.driver = Driver(world)
        self.readiness = world.readiness
        seed.seed(self.registry, self.objects)
        self.driver.begin()

    def start_build(self, config: Entry) -> Entry:
        """Start a build of a configuration, as somebody asked for."""
        return builds.start(self.driver.world, config)

    def _notice(self, change: Change) -> None:
        """Serve what definitions define."""
        if change.entry.key[0] != _DEFINITIONS:
            return
        spec = change.entry.object["spec"]
        self.registry.remove(spec["group"], spec["names"]["plural"])
        if change.type != DELETED:
            self._serve(change.entry)
            return
        for orphan in self.store.all(change.entry.name):
            self.deletions.delete(orphan)

    def _serve(self, definition: Entry) -> None:
        spec = definition.object["spec"]
        names = spec["names"]
        for version in spec["versions"]:
            if version.get("served"):
                self.registry.add(
                    Resource(
                        spec["group"],
                        version["name"],
                        names["plural"],
                        names["kind"],
                        namespaced=spec["scope"] == "Namespaced",
                        short=tuple(names.get("shortNames") or ()),
                        subresources=tuple(sub for sub in ("status",) if sub in (version.get("subresources") or {})),
                        singular=names.get("singular", ""),
                        custom=True,
                    )
                )
