"""StatefulSets, one pod after another with its claims, and DaemonSets, one pod on the one node."""

import hashlib

from devcloud.cluster.controllers import pods
from devcloud.cluster.controllers.replicas import from_template
from devcloud.cluster.controllers.world import World
from devcloud.cluster.entries import Entry, Object, dump


def stateful_set(world: World, entry: Entry) -> float | None:
    """Make or remove the set's pods in order."""
    spec = entry.object["spec"]
    wanted, together = spec.get("replicas", 1), spec.get("podManagementPolicy") == "Parallel"
    have = {pod.name: pod for pod in world.children(entry, "pods") if not pod.leaving}
    for number in range(wanted):
        name = f"{entry.name}-{number}"
        if name not in have:
            _claims(world, entry, number)
            have[name] = world.make("pods", entry, entry.namespace, _pod(entry, name))
        if not together and not pods.ready(have[name]):
            break
    names = {f"{entry.name}-{number}" for number in range(wanted)}
    for name in have.keys() - names:
        world.deletions.delete(have[name])
    kept = [pod for name, pod in have.items() if name in names]
    ready = sum(pods.ready(pod) for pod in kept)
    revision = f"{entry.name}-{hashlib.sha256(dump(spec['template'])).hexdigest()[:10]}"
    world.set_status(
        world.store.get(*entry.key) or entry,
        observedGeneration=entry.metadata.get("generation", 1),
        replicas=len(kept),
        readyReplicas=ready,
        availableReplicas=ready,
        currentReplicas=len(kept),
        updatedReplicas=len(kept),
        currentRevision=revision,
        updateRevision=revision,
        collisionCount=0,
    )
    return None


def _claims(world: World, entry: Entry, number: int) -> None:
    """Make the claims of a pod that are not there; they stay when the set goes."""
    for template in entry.copy()["spec"].get("volumeClaimTemplates") or []:
        name = f"{template['metadata']['name']}-{entry.name}-{number}"
        if world.store.get("persistentvolumeclaims", entry.namespace, name) is None:
            metadata = {"name": name, "labels": template["metadata"].get("labels") or {}}
            content: Object = {"metadata": metadata, "spec": template.get("spec") or {}}
            world.make("persistentvolumeclaims", None, entry.namespace, content)


def _pod(entry: Entry, name: str) -> Object:
    content = from_template(entry, name)
    content["metadata"].setdefault("labels", {})["statefulset.kubernetes.io/pod-name"] = name
    return content


def daemon_set(world: World, entry: Entry) -> float | None:
    """Keep one pod."""
    living = [pod for pod in world.children(entry, "pods") if not pod.leaving]
    if not living:
        living = [world.make("pods", entry, entry.namespace, from_template(entry))]
    ready = sum(pods.ready(pod) for pod in living)
    world.set_status(
        world.store.get(*entry.key) or entry,
        observedGeneration=entry.metadata.get("generation", 1),
        desiredNumberScheduled=1,
        currentNumberScheduled=1,
        updatedNumberScheduled=1,
        numberMisscheduled=0,
        numberReady=ready,
        numberAvailable=ready,
    )
    return None
