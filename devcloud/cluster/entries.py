"""An object as it is kept: never changed in place, serialized once."""

import json
import typing
from dataclasses import dataclass

Object = dict[str, typing.Any]
Key = tuple[str, str, str]

# Fields that one may select by, by title, beyond name and namespace.
_SELECTABLE: dict[str, tuple[str, ...]] = {
    "pods": ("spec.nodeName", "spec.restartPolicy", "status.phase", "spec.serviceAccountName"),
    "events": (
        *("involvedObject.kind", "involvedObject.namespace", "involvedObject.name", "involvedObject.uid"),
        *("involvedObject.apiVersion", "reason", "type", "reportingComponent"),
    ),
    "secrets": ("type",),
    "namespaces": ("status.phase",),
    "services": ("spec.clusterIP", "spec.type"),
    "nodes": ("spec.unschedulable",),
    "jobs.batch": ("status.successful",),
    "replicasets.apps": ("status.replicas",),
    "routes.route.openshift.io": ("spec.host", "spec.path", "spec.to.name"),
    "builds.build.openshift.io": ("status",),
}
_ALWAYS = ("metadata.name", "metadata.namespace")


@dataclass(frozen=True, slots=True)
class Entry:
    """An object with what is asked of it most.

    Attributes:
        key: storage name, namespace (empty for objects of the cluster), name.
        object: the object; take ``copy`` to change something.
        raw: the object as JSON.
        labels: its labels.
        fields: the values of the fields that one may select by.
    """

    key: Key
    object: Object
    raw: bytes
    labels: dict[str, str]
    fields: dict[str, str]

    @property
    def metadata(self) -> Object:
        """The object's metadata."""
        return self.object["metadata"]

    @property
    def uid(self) -> str:
        """The object's uid."""
        return self.metadata.get("uid", "")

    @property
    def name(self) -> str:
        """The object's name."""
        return self.key[2]

    @property
    def namespace(self) -> str:
        """The object's namespace, or an empty string."""
        return self.key[1]

    @property
    def owners(self) -> list[Object]:
        """Its owner references."""
        return self.metadata.get("ownerReferences") or []

    @property
    def leaving(self) -> bool:
        """Whether it is being deleted."""
        return "deletionTimestamp" in self.metadata

    def copy(self) -> Object:
        """Return an object of one's own."""
        return json.loads(self.raw)


def entry(storage: str, content: Object) -> Entry:
    """Make an entry of an object that nobody changes any more."""
    metadata = content["metadata"]
    key = (storage, metadata.get("namespace", ""), metadata["name"])
    fields = {path: _text(content, path) for path in selectable(storage)}
    return Entry(key, content, dump(content), metadata.get("labels") or {}, fields)


def dump(content: typing.Any) -> bytes:
    """Serialize without spaces."""
    return json.dumps(content, separators=(",", ":"), ensure_ascii=False).encode()


def selectable(storage: str) -> tuple[str, ...]:
    """Return the fields that objects may be selected by."""
    return (*_ALWAYS, *_SELECTABLE.get(storage, ()))


def _text(content: typing.Any, path: str) -> str:
    for part in path.split("."):
        content = content.get(part) if isinstance(content, dict) else None
    return "" if content is None or isinstance(content, dict | list) else str(content)
