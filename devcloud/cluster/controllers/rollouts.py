"""Deployments and DeploymentConfigs: a new set of replicas for each template, the old ones gone when it is ready."""

import hashlib
from dataclasses import dataclass

from devcloud.cluster.controllers.world import FAIL, OUTCOME, World, condition
from devcloud.cluster.entries import Entry, Object, dump

_HASH = "pod-template-hash"
_REVISION = "deployment.kubernetes.io/revision"
_VERSION = "openshift.io/deployment-config.latest-version"
_TEMPLATE = "devcloud/template"


@dataclass(frozen=True)
class _Kind:
    sets: str
    title: str
    available: str


_DEPLOYMENT = _Kind("replicasets.apps", "ReplicaSet", "NewReplicaSetAvailable")
_CONFIG = _Kind("replicationcontrollers", "ReplicationController", "NewReplicationControllerAvailable")


def deployment(world: World, entry: Entry) -> float | None:
    """Roll a Deployment out."""
    digest = _digest(entry)
    children = world.children(entry, _DEPLOYMENT.sets)
    current = next((child for child in children if child.labels.get(_HASH) == digest), None)
    if current is None:
        revision = 1 + max((int(_annotation(child, _REVISION) or 0) for child in children), default=0)
        current = world.make(_DEPLOYMENT.sets, entry, entry.namespace, _replica_set(entry, digest, revision))
        _scaled(world, entry, current)
    return _roll_out(world, entry, current, _DEPLOYMENT, {})


def deployment_config(world: World, entry: Entry) -> float | None:
    """Roll a DeploymentConfig out."""
    digest = _digest(entry)
    children = sorted(world.children(entry, _CONFIG.sets), key=lambda child: int(_annotation(child, _VERSION) or 0))
    current = children[-1] if children and _annotation(children[-1], _TEMPLATE) == digest else None
    version = int(_annotation(children[-1], _VERSION) or 0) if children else 0
    if current is None:
        version += 1
        current = world.make(_CONFIG.sets, entry, entry.namespace, _controller(entry, digest, version))
        _scaled(world, entry, current)
    return _roll_out(world, entry, current, _CONFIG, {"latestVersion": version})


def _roll_out(world: World, entry: Entry, current: Entry, kind: _Kind, more: Object) -> float | None:
    wanted = 0 if entry.object["spec"].get("paused") and not _replicas(current) else _wanted(entry)
    current = world.set_spec(current, replicas=wanted)
    ready = _count(current, "readyReplicas")
    others = [child for child in world.children(entry, kind.sets) if child.uid != current.uid]
    if ready >= wanted:
        others = [world.set_spec(child, replicas=0) for child in others]
    total = ready + sum(_count(child, "readyReplicas") for child in others)
    done = ready >= wanted and _count(current, "replicas") == wanted
    entry = world.store.get(*entry.key) or entry
    failed, left = _failed(world, entry, done)
    world.set_status(
        entry,
        **more,
        observedGeneration=entry.metadata.get("generation", 1),
        replicas=_count(current, "replicas") + sum(_count(child, "replicas") for child in others),
        updatedReplicas=_count(current, "replicas"),
        readyReplicas=total,
        availableReplicas=total,
        unavailableReplicas=max(0, wanted - total) or None,
        conditions=_conditions(world, entry, current, kind, done, failed, total >= wanted),
    )
    return left


def _failed(world: World, entry: Entry, done: bool) -> tuple[bool, float | None]:
    """Return whether a rollout has taken too long, and after how long else that is to be seen."""
    if done:
        return False, None
    patience = float(entry.object["spec"].get("progressDeadlineSeconds") or 600)
    if world.said(entry, OUTCOME) == FAIL:
        patience = min(patience, 2 * world.wait(entry))
    age = world.age(entry)
    return (True, None) if age >= patience else (False, patience - age)


def _conditions(
    world: World, entry: Entry, current: Entry, kind: _Kind, done: bool, failed: bool, available: bool
) -> list[Object]:
    reason = "MinimumReplicasAvailable" if available else "MinimumReplicasUnavailable"
    found = [condition(world, entry, "Available", available, reason)]
    named = f'{kind.title} "{current.name}"'
    if failed:
        text = f"{named} has timed out progressing."
        found.append(condition(world, entry, "Progressing", False, "ProgressDeadlineExceeded", text))
    elif done:
        text = f"{named} has successfully progressed."
        found.append(condition(world, entry, "Progressing", True, kind.available, text))
    else:
        found.append(condition(world, entry, "Progressing", True, f"{kind.title}Updated", f"{named} is progressing."))
    refused = (current.object.get("status") or {}).get("conditions") or []
    return found + [dict(c) for c in refused if c["type"] == "ReplicaFailure"]


def _replica_set(entry: Entry, digest: str, revision: int) -> Object:
    spec = entry.copy()["spec"]
    template = spec["template"]
    template.setdefault("metadata", {}).setdefault("labels", {})[_HASH] = digest
    selector = spec["selector"]
    selector.setdefault("matchLabels", {})[_HASH] = digest
    metadata = {
        "name": f"{entry.name}-{digest}",
        "labels": {**template["metadata"]["labels"]},
        "annotations": {_REVISION: str(revision)},
    }
    return {"metadata": metadata, "spec": {"replicas": 0, "selector": selector, "template": template}}


def _controller(entry: Entry, digest: str, version: int) -> Object:
    template = entry.copy()["spec"]["template"]
    labels = {"deploymentconfig": entry.name, "deployment": f"{entry.name}-{version}"}
    template.setdefault("metadata", {}).setdefault("labels", {}).update(labels)
    metadata = {
        "name": f"{entry.name}-{version}",
        "labels": {**template["metadata"]["labels"]},
        "annotations": {_VERSION: str(version), _TEMPLATE: digest},
    }
    return {"metadata": metadata, "spec": {"replicas": 0, "selector": labels, "template": template}}


def _scaled(world: World, entry: Entry, child: Entry) -> None:
    world.event(entry, f"Scaling{child.object['kind']}", f"Scaled up {child.name} to {_wanted(entry)}")


def _digest(entry: Entry) -> str:
    template = entry.object["spec"].get("template") or {}
    return hashlib.sha256(dump(template)).hexdigest()[:10]


def _annotation(entry: Entry, name: str) -> str:
    return (entry.metadata.get("annotations") or {}).get(name, "")


def _wanted(entry: Entry) -> int:
    return entry.object["spec"].get("replicas", 1)


def _replicas(entry: Entry) -> int:
    return entry.object["spec"].get("replicas", 0)


def _count(entry: Entry, name: str) -> int:
    return (entry.object.get("status") or {}).get(name, 0)
