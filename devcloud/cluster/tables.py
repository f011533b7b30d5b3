"""Objects as rows, for `kubectl get`."""

import typing
from collections.abc import Callable

from devcloud.cluster import clock
from devcloud.cluster.entries import Object
from devcloud.cluster.resources import Resource
from devcloud.cluster.rules import at

Cell = Callable[[Object], typing.Any]


def _value(path: str, default: typing.Any = "<none>") -> Cell:
    return lambda content: default if at(content, path) in (None, "") else at(content, path)


def _share(have: str, want: str) -> Cell:
    return lambda content: f"{at(content, have) or 0}/{at(content, want) or 0}"


def _ready(pod: Object) -> str:
    statuses = at(pod, "status.containerStatuses") or []
    wanted = at(pod, "spec.containers") or []
    return f"{sum(bool(status.get('ready')) for status in statuses)}/{len(wanted)}"


def _restarts(pod: Object) -> int:
    return sum(status.get("restartCount", 0) for status in at(pod, "status.containerStatuses") or [])


def _pod(pod: Object) -> str:
    return "Terminating" if at(pod, "metadata.deletionTimestamp") else at(pod, "status.phase") or "Unknown"


def _ports(service: Object) -> str:
    ports = at(service, "spec.ports") or []
    return ",".join(f"{port.get('port')}/{port.get('protocol', 'TCP')}" for port in ports) or "<none>"


def _size(content: Object) -> int:
    return len(content.get("data") or {})


_COLUMNS: dict[str, tuple[tuple[str, Cell], ...]] = {
    "builds.build.openshift.io": (("Type", _value("spec.strategy.type")), ("Status", _value("status.phase"))),
    "configmaps": (("Data", _size),),
    "deploymentconfigs.apps.openshift.io": (
        ("Revision", _value("status.latestVersion", 0)),
        ("Desired", _value("spec.replicas", 0)),
        ("Current", _value("status.readyReplicas", 0)),
    ),
    "deployments.apps": (
        ("Ready", _share("status.readyReplicas", "spec.replicas")),
        ("Up-to-date", _value("status.updatedReplicas", 0)),
        ("Available", _value("status.availableReplicas", 0)),
    ),
    "events": (
        ("Last Seen", _value("lastTimestamp")),
        ("Type", _value("type")),
        ("Reason", _value("reason")),
        ("Message", _value("message")),
    ),
    "jobs.batch": (("Completions", _share("status.succeeded", "spec.completions")),),
    "namespaces": (("Status", _value("status.phase")),),
    "persistentvolumeclaims": (
        ("Status", _value("status.phase")),
        ("Volume", _value("spec.volumeName", "")),
        ("Capacity", _value("status.capacity.storage", "")),
        ("StorageClass", _value("spec.storageClassName", "")),
    ),
    "pods": (("Ready", _ready), ("Status", _pod), ("Restarts", _restarts)),
    "projects.project.openshift.io": (("Status", _value("status.phase")),),
    "replicasets.apps": (
        ("Desired", _value("spec.replicas", 0)),
        ("Current", _value("status.replicas", 0)),
        ("Ready", _value("status.readyReplicas", 0)),
    ),
    "routes.route.openshift.io": (("Host", _value("spec.host")), ("Service", _value("spec.to.name"))),
    "secrets": (("Type", _value("type")), ("Data", _size)),
    "services": (
        ("Type", _value("spec.type")),
        ("Cluster-IP", _value("spec.clusterIP")),
        ("Port(s)", _ports),
    ),
    "statefulsets.apps": (("Ready", _share("status.readyReplicas", "spec.replicas")),),
}


def table(resource: Resource, items: list[Object], metadata: Object, now: float) -> Object:
    """Return a Table; each row has the object's metadata."""
    columns = _COLUMNS.get(resource.title, ())
    titles = ("Name", *(title for title, _cell in columns), "Age")
    definitions = [
        {"name": title, "type": "string", "format": "name" if title == "Name" else "", "description": "", "priority": 0}
        for title in titles
    ]
    rows = [
        {
            "cells": [item["metadata"]["name"], *(cell(item) for _title, cell in columns), _age(item, now)],
            "object": partial(item),
        }
        for item in items
    ]
    kind = {"kind": "Table", "apiVersion": "meta.k8s.io/v1"}
    return {**kind, "metadata": metadata, "columnDefinitions": definitions, "rows": rows}


def partial(item: Object) -> Object:
    """Return an object's metadata as an object."""
    return {"kind": "PartialObjectMetadata", "apiVersion": "meta.k8s.io/v1", "metadata": item["metadata"]}


def _age(item: Object, now: float) -> str:
    seconds = int(max(0, now - clock.seconds(item["metadata"]["creationTimestamp"])))
    for unit, length in (("d", 86400), ("h", 3600), ("m", 60)):
        if seconds >= 2 * length:
            return f"{seconds // length}{unit}"
    return f"{seconds}s"
