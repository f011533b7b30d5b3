"""ReplicaSets and ReplicationControllers: as many pods as they say."""

from devcloud.cluster import errors
from devcloud.cluster.controllers import pods
from devcloud.cluster.controllers.world import World, condition
from devcloud.cluster.entries import Entry, Object


def replica_set(world: World, entry: Entry) -> float | None:
    """Make or remove pods, and count them."""
    wanted = entry.object["spec"].get("replicas", 1)
    living = [pod for pod in world.children(entry, "pods") if not pod.leaving and pods.phase(pod) != "Failed"]
    refused = None
    for pod in sorted(living, key=pods.ready)[: max(0, len(living) - wanted)]:
        world.deletions.delete(pod)
        living.remove(pod)
    while len(living) < wanted and refused is None:
        try:
            living.append(world.make("pods", entry, entry.namespace, from_template(entry)))
        except errors.ApiError as error:
            refused = error
    ready = sum(pods.ready(pod) for pod in living)
    conditions = [condition(world, entry, "ReplicaFailure", True, "FailedCreate", refused.message)] if refused else None
    if refused and not (entry.object.get("status") or {}).get("conditions"):
        world.event(entry, "FailedCreate", f"Error creating: {refused.message}", "Warning")
    world.set_status(
        world.store.get(*entry.key) or entry,
        replicas=len(living),
        fullyLabeledReplicas=len(living),
        readyReplicas=ready,
        availableReplicas=ready,
        observedGeneration=entry.metadata.get("generation", 1),
        conditions=conditions,
    )
    return world.readiness.seconds if refused else None


def from_template(owner: Entry, name: str = "") -> Object:
    """Return the pod that a workload's template describes."""
    template = owner.copy()["spec"]["template"]
    given = template.get("metadata") or {}
    metadata: Object = {"name": name} if name else {"generateName": f"{owner.name}-"}
    metadata.update({key: given[key] for key in ("labels", "annotations") if key in given})
    return {"metadata": metadata, "spec": template.get("spec") or {}}
