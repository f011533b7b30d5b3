"""The subresource ``scale``: how many, without knowing of what."""

import typing

from devcloud.cluster.entries import Entry, Object
from devcloud.cluster.rules import at


def of(entry: Entry) -> Object:
    """Return an object's Scale."""
    kept = ("name", "namespace", "uid", "resourceVersion", "creationTimestamp")
    labels = at(entry.object, "spec.selector.matchLabels") or at(entry.object, "spec.selector") or {}
    return {
        "kind": "Scale",
        "apiVersion": "autoscaling/v1",
        "metadata": {name: entry.metadata[name] for name in kept if name in entry.metadata},
        "spec": {"replicas": at(entry.object, "spec.replicas") or 0},
        "status": {
            "replicas": at(entry.object, "status.replicas") or 0,
            "selector": ",".join(f"{name}={value}" for name, value in sorted(labels.items())),
        },
    }


def put(content: Object, scale: typing.Any) -> Object:
    """Return an object with as many replicas as a Scale says."""
    version = at(scale, "metadata.resourceVersion")
    if version:
        content["metadata"]["resourceVersion"] = version
    content["spec"]["replicas"] = at(scale, "spec.replicas") or 0
    return content
