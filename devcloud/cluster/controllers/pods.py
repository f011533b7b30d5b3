"""Pods: scheduled at once, running after a while, done where they are to end."""

from devcloud.cluster.controllers.world import FAIL, NEVER, OUTCOME, World, condition
from devcloud.cluster.entries import Entry, Object

NODE = "node-1"


def pod(world: World, entry: Entry) -> float | None:
    """Bring a pod to where it should be by now."""
    status = entry.object.get("status") or {}
    outcome = world.said(entry, OUTCOME)
    if status.get("phase") in {"Succeeded", "Failed"}:
        return None
    if outcome == NEVER:
        _unschedulable(world, entry)
        return None
    wait, age = world.wait(entry), world.age(entry)
    if not entry.object["spec"].get("nodeName"):
        content = entry.copy()
        content["spec"]["nodeName"] = NODE
        entry = world.store.put("pods", content)
        world.event(entry, "Scheduled", f"Successfully assigned {entry.namespace}/{entry.name} to {NODE}")
    ends = entry.object["spec"].get("restartPolicy") != "Always"
    if age < wait:
        _set(world, entry, "Pending", False, "ContainerCreating")
        return wait - age
    if ends and age >= 2 * wait:
        _end(world, entry, outcome == FAIL)
        return None
    if outcome == FAIL and not ends:
        _set(world, entry, "Running", False, "CrashLoopBackOff")
        return None
    if status.get("phase") == "Pending":
        world.event(entry, "Started", "Started containers")
    _set(world, entry, "Running", True, "")
    return 2 * wait - age if ends else None


def ready(entry: Entry) -> bool:
    """Whether a pod is ready."""
    conditions = (entry.object.get("status") or {}).get("conditions") or []
    return any(c["type"] == "Ready" and c["status"] == "True" for c in conditions)


def phase(entry: Entry) -> str:
    """Return a pod's phase."""
    return (entry.object.get("status") or {}).get("phase", "Pending")


def _unschedulable(world: World, entry: Entry) -> None:
    said = condition(world, entry, "PodScheduled", False, "Unschedulable", "0/1 nodes are available")
    world.set_status(entry, phase="Pending", conditions=[said])


def _set(world: World, entry: Entry, phase_: str, is_ready: bool, waiting: str) -> None:
    started = (entry.object.get("status") or {}).get("startTime") or world.clock.stamp()
    state: Object = {"waiting": {"reason": waiting}} if waiting else {"running": {"startedAt": started}}
    restarts = 1 if waiting == "CrashLoopBackOff" else 0
    reason = "" if is_ready else "ContainersNotReady"
    if restarts and phase(entry) == "Pending":
        world.event(entry, "BackOff", "Back-off restarting failed container", "Warning")
    world.set_status(
        entry,
        phase=phase_,
        startTime=started,
        hostIP="10.0.0.1",
        podIP=f"10.128.0.{int(entry.uid[:2], 16) or 1}",
        conditions=[
            condition(world, entry, "PodScheduled", True, ""),
            condition(world, entry, "Initialized", True, ""),
            condition(world, entry, "ContainersReady", is_ready, reason),
            condition(world, entry, "Ready", is_ready, reason),
        ],
        containerStatuses=_statuses(entry, state, is_ready, restarts),
    )


def _end(world: World, entry: Entry, failed: bool) -> None:
    ended = {"exitCode": int(failed), "reason": "Error" if failed else "Completed", "finishedAt": world.clock.stamp()}
    world.set_status(
        entry,
        phase="Failed" if failed else "Succeeded",
        conditions=[
            condition(world, entry, "PodScheduled", True, ""),
            condition(world, entry, "Ready", False, "PodFailed" if failed else "PodCompleted"),
        ],
        containerStatuses=_statuses(entry, {"terminated": ended}, False, 0),
    )


def _statuses(entry: Entry, state: Object, is_ready: bool, restarts: int) -> list[Object]:
    return [
        {
            "name": container["name"],
            "image": container.get("image", ""),
            "imageID": "",
            "ready": is_ready,
            "started": is_ready,
            "restartCount": restarts,
            "state": state,
        }
        for container in entry.object["spec"].get("containers") or []
    ]
