"""Jobs: pods until enough of them have succeeded, or too many have failed."""

from devcloud.cluster.controllers import pods
from devcloud.cluster.controllers.replicas import from_template
from devcloud.cluster.controllers.world import World, condition
from devcloud.cluster.entries import Entry


def job(world: World, entry: Entry) -> float | None:
    """Make the pods that are to run now, and count those that ended."""
    spec, status = entry.object["spec"], entry.object.get("status") or {}
    if _over(status) or spec.get("suspend"):
        return None
    children = world.children(entry, "pods")
    succeeded = sum(pods.phase(pod) == "Succeeded" for pod in children)
    failed = sum(pods.phase(pod) == "Failed" for pod in children)
    active = len(children) - succeeded - failed
    wanted = spec.get("completions", 1)
    ended = None
    if succeeded >= wanted:
        ended = condition(world, entry, "Complete", True, "CompletionsReached")
    elif failed > spec.get("backoffLimit", 6):
        text = "Job has reached the specified backoff limit"
        ended = condition(world, entry, "Failed", True, "BackoffLimitExceeded", text)
    else:
        while active < min(spec.get("parallelism", 1), wanted - succeeded):
            world.make("pods", entry, entry.namespace, from_template(entry))
            active += 1
    now = world.clock.stamp()
    world.set_status(
        world.store.get(*entry.key) or entry,
        startTime=status.get("startTime") or now,
        active=active or None,
        succeeded=succeeded or None,
        failed=failed or None,
        completionTime=now if ended and ended["type"] == "Complete" else None,
        conditions=[ended] if ended else None,
    )
    return None


def _over(status: dict) -> bool:
    return any(c["type"] in {"Complete", "Failed"} and c["status"] == "True" for c in status.get("conditions") or [])
