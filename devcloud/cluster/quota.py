"""Resource quotas: what a namespace may still have."""

import typing
from collections.abc import Iterable
from decimal import Decimal

from devcloud.cluster import errors
from devcloud.cluster.entries import Entry, Object
from devcloud.cluster.quantities import parse, show
from devcloud.cluster.resources import Resource
from devcloud.cluster.store import Store

Usage = dict[str, Decimal]

_COUNTED = (
    *("configmaps", "persistentvolumeclaims", "pods", "replicationcontrollers", "resourcequotas", "secrets"),
    "services",
)


def check(store: Store, resource: Resource, content: Object) -> None:
    """See that an object fits.

    Raises:
        ApiError: 403, it exceeds a quota; the message names which, what is asked for, used and allowed.
    """
    metadata = content["metadata"]
    wanted = usage(resource.stored, content)
    for quota in store.all("resourcequotas", metadata["namespace"]) if resource.namespaced else ():
        hard = (quota.object.get("spec") or {}).get("hard") or {}
        asked = {name: wanted[name] for name in hard if wanted.get(name)}
        _require_requests(resource, content, quota, hard)
        if not asked:
            continue
        used = total(store, metadata["namespace"], hard)
        over = [name for name in sorted(asked) if used[name] + asked[name] > parse(hard[name])]
        if over:
            raise errors.forbidden(resource, metadata["name"], _sentence(quota, over, asked, used, hard))


def _require_requests(resource: Resource, content: Object, quota: Entry, hard: Object) -> None:
    """A quota of what pods ask for is only fair when every pod says it."""
    if resource.title != "pods":
        return
    limited = [name for name in hard if name.startswith(("requests.", "limits.")) or name in {"cpu", "memory"}]
    missing = [name for name in limited if name.split(".")[-1] in {"cpu", "memory"} and not _every(content, name)]
    if missing:
        why = f"failed quota: {quota.name}: must specify {','.join(sorted(missing))}"
        raise errors.forbidden(resource, content["metadata"]["name"], why)


def _every(pod: Object, name: str) -> bool:
    kind, resource = _split(name)
    containers = (pod.get("spec") or {}).get("containers") or []
    return all(_stated(container, kind, resource) is not None for container in containers)


def _sentence(quota: Entry, over: list[str], asked: Usage, used: Usage, hard: Object) -> str:
    def listed(values: typing.Mapping[str, Decimal]) -> str:
        return ",".join(f"{name}={show(values[name], hard[name])}" for name in over)

    allowed = ",".join(f"{name}={hard[name]}" for name in over)
    return f"exceeded quota: {quota.name}, requested: {listed(asked)}, used: {listed(used)}, limited: {allowed}"


def total(store: Store, namespace: str, names: Iterable[str]) -> Usage:
    """Return what a namespace uses of the named amounts."""
    sums: Usage = dict.fromkeys(names, Decimal(0))
    for entry in store.within(namespace):
        for name, amount in usage(entry.key[0], entry.object).items():
            if name in sums:
                sums[name] += amount
    return sums


def usage(storage: str, content: Object) -> Usage:
    """Return what one object uses: itself as a count, and what it asks for."""
    used: Usage = {f"count/{storage}": Decimal(1)}
    if storage in _COUNTED:
        used[storage] = Decimal(1)
    spec = content.get("spec") or {}
    if storage == "pods":
        if (content.get("status") or {}).get("phase") in {"Succeeded", "Failed"}:
            return {f"count/{storage}": Decimal(1)}
        for name in ("requests.cpu", "requests.memory", "limits.cpu", "limits.memory"):
            used[name] = _sum(spec.get("containers") or [], name)
        used["cpu"], used["memory"] = used["requests.cpu"], used["requests.memory"]
    elif storage == "persistentvolumeclaims":
        asked = ((spec.get("resources") or {}).get("requests") or {}).get("storage", 0)
        used["requests.storage"] = parse(asked)
    elif storage == "services":
        kind = spec.get("type", "ClusterIP")
        used["services.loadbalancers"] = Decimal(kind == "LoadBalancer")
        used["services.nodeports"] = Decimal(kind in {"NodePort", "LoadBalancer"})
    return used


def _sum(containers: list[Object], name: str) -> Decimal:
    kind, resource = _split(name)
    return sum((parse(_stated(container, kind, resource) or 0) for container in containers), Decimal(0))


def _split(name: str) -> tuple[str, str]:
    kind, _, resource = name.rpartition(".")
    return kind or "requests", resource


def _stated(container: Object, kind: str, resource: str) -> typing.Any:
    stated = container.get("resources") or {}
    limit = (stated.get("limits") or {}).get(resource)
    # A limit without a request is a request, too.
    return limit if kind == "limits" else (stated.get("requests") or {}).get(resource, limit)


def measured(store: Store, quota: Entry) -> Object:
    """Return what a quota's status should be now."""
    hard = (quota.object.get("spec") or {}).get("hard") or {}
    used = total(store, quota.namespace, hard)
    return {"hard": hard, "used": {name: show(used[name], amount) for name, amount in hard.items()}}
