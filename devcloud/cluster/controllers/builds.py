"""OpenShift's builds: started by their configuration, done after a while."""

from devcloud.cluster.controllers.world import FAIL, NEVER, OUTCOME, World
from devcloud.cluster.entries import Entry, Object

BUILDS = "builds.build.openshift.io"
_NUMBER = "openshift.io/build.number"
_CONFIG = "openshift.io/build-config.name"


def build_config(world: World, entry: Entry) -> float | None:
    """Start the first build of a configuration that wants one at its creation."""
    triggers = entry.object["spec"].get("triggers") or []
    if not _last(entry) and any(trigger.get("type") == "ConfigChange" for trigger in triggers):
        start(world, entry)
    return None


def start(world: World, entry: Entry) -> Entry:
    """Start the next build of a configuration, and return it."""
    number = _last(entry) + 1
    world.set_status(entry, lastVersion=number)
    labels = {**entry.labels, "buildconfig": entry.name, _CONFIG: entry.name}
    metadata = {
        "name": f"{entry.name}-{number}",
        "labels": labels,
        "annotations": {_NUMBER: str(number), _CONFIG: entry.name},
    }
    kept = ("source", "strategy", "output", "resources", "serviceAccount")
    spec: Object = {key: value for key, value in entry.copy()["spec"].items() if key in kept}
    return world.make(BUILDS, entry, entry.namespace, {"metadata": metadata, "spec": spec})


def _last(entry: Entry) -> int:
    return (entry.object.get("status") or {}).get("lastVersion", 0)


def build(world: World, entry: Entry) -> float | None:
    """Bring a build to where it should be by now."""
    status = entry.object.get("status") or {}
    if status.get("phase") in {"Complete", "Failed", "Error", "Cancelled"}:
        return None
    outcome, wait, age = world.said(entry, OUTCOME), world.wait(entry), world.age(entry)
    if outcome == NEVER:
        world.set_status(entry, phase="Pending")
        return None
    started = status.get("startTimestamp") or world.clock.stamp()
    if age < wait / 2:
        world.set_status(entry, phase="Pending")
        return wait / 2 - age
    if age < wait:
        world.set_status(entry, phase="Running", startTimestamp=started)
        return wait - age
    reason = "GenericBuildFailed" if outcome == FAIL else None
    world.set_status(
        entry,
        phase="Failed" if outcome == FAIL else "Complete",
        reason=reason,
        startTimestamp=started,
        completionTimestamp=world.clock.stamp(),
        duration=int(age * 1e9),
    )
    return None
