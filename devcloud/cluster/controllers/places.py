"""Namespaces, quotas, claims, services, routes, image streams, definitions, and events that grow old."""

from devcloud.cluster import quota as quotas
from devcloud.cluster.clock import seconds
from devcloud.cluster.controllers.world import FAIL, NEVER, OUTCOME, World, condition
from devcloud.cluster.entries import Entry, Object

_EVENT_SECONDS = 3600.0
_ACCOUNTS = ("default",)
_OPENSHIFT_ACCOUNTS = ("builder", "default", "deployer")


def namespace(world: World, entry: Entry) -> float | None:
    """Furnish a namespace, or clear it out."""
    if entry.leaving:
        world.deletions.empty(entry)
        return None
    openshift = world.registry.serves("projects.project.openshift.io")
    for name in _OPENSHIFT_ACCOUNTS if openshift else _ACCOUNTS:
        if world.store.get("serviceaccounts", entry.name, name) is None:
            world.make("serviceaccounts", None, entry.name, {"metadata": {"name": name}})
    return None


def quota(world: World, entry: Entry) -> float | None:
    """Say what a namespace uses."""
    world.set_status(entry, **quotas.measured(world.store, entry))
    return None


def event(world: World, entry: Entry) -> float | None:
    """Forget an event that is old."""
    left = seconds(entry.metadata["creationTimestamp"]) + _EVENT_SECONDS - world.clock.now()
    if left > 0:
        return left
    world.deletions.delete(entry)
    return None


def claim(world: World, entry: Entry) -> float | None:
    """Bind a claim."""
    if entry.object["spec"].get("volumeName") or world.said(entry, OUTCOME) in {FAIL, NEVER}:
        return None
    wait, age = world.wait(entry), world.age(entry)
    if age < wait:
        return wait - age
    bound = world.set_spec(entry, volumeName=f"pvc-{entry.uid}")
    spec = bound.object["spec"]
    capacity = {"storage": ((spec.get("resources") or {}).get("requests") or {}).get("storage", "1Gi")}
    world.set_status(bound, phase="Bound", accessModes=spec.get("accessModes"), capacity=capacity)
    return None


def service(world: World, entry: Entry) -> float | None:
    """Give a load balancer its address."""
    if entry.object["spec"].get("type") != "LoadBalancer" or world.said(entry, OUTCOME) in {FAIL, NEVER}:
        return None
    wait, age = world.wait(entry), world.age(entry)
    if age < wait:
        return wait - age
    address = f"192.0.2.{int(entry.uid[:2], 16) or 1}"
    world.set_status(entry, loadBalancer={"ingress": [{"ip": address}]})
    return None


def route(world: World, entry: Entry) -> float | None:
    """Have the router admit a route, unless another one has its host."""
    outcome, wait, age = world.said(entry, OUTCOME), world.wait(entry), world.age(entry)
    if outcome == NEVER:
        return None
    if age < wait:
        return wait - age
    host = entry.object["spec"]["host"]
    admitted = outcome != FAIL and not _taken(world, entry, host)
    old = ((entry.object.get("status") or {}).get("ingress") or [{}])[0]
    known = (old.get("conditions") or [{}])[0]
    stamp = known.get("lastTransitionTime") or world.clock.stamp()
    said: Object = {"type": "Admitted", "status": "True" if admitted else "False", "lastTransitionTime": stamp}
    if not admitted:
        said.update(reason="HostAlreadyClaimed", message=f"{host} is claimed by another route")
    world.set_status(entry, ingress=[{"host": host, "routerName": "default", "conditions": [said]}])
    return None


def _taken(world: World, entry: Entry, host: str) -> bool:
    first = (entry.metadata["creationTimestamp"], entry.uid)
    return any(
        other.fields["spec.host"] == host
        and other.fields["spec.path"] == entry.fields["spec.path"]
        and (other.metadata["creationTimestamp"], other.uid) < first
        for other in world.store.all(entry.key[0])
    )


def image_stream(world: World, entry: Entry) -> float | None:
    """Say where a stream's images are."""
    place = f"image-registry.openshift-image-registry.svc:5000/{entry.namespace}/{entry.name}"
    world.set_status(entry, dockerImageRepository=place)
    return None


def definition(world: World, entry: Entry) -> float | None:
    """Say that a definition's kind is served, which it is from the moment of its creation."""
    conditions = [
        condition(world, entry, "NamesAccepted", True, "NoConflicts", "no conflicts found"),
        condition(world, entry, "Established", True, "InitialNamesAccepted", "the initial names have been accepted"),
    ]
    spec = entry.object["spec"]
    versions = [version["name"] for version in spec["versions"] if version.get("storage")]
    world.set_status(entry, acceptedNames=spec["names"], conditions=conditions, storedVersions=versions)
    return None
