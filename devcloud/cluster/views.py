"""The forms in which a client may ask for objects: whole, as rows, or only their metadata."""

import enum

from devcloud.cluster import tables
from devcloud.cluster.entries import Entry, Object, dump
from devcloud.cluster.resources import Resource


class Form(enum.Enum):
    """How objects are shown."""

    WHOLE = ""
    TABLE = "Table"
    PARTIAL = "PartialObjectMetadata"
    PARTIAL_LIST = "PartialObjectMetadataList"

    @classmethod
    def wanted(cls, accept: str) -> "Form":
        """Return the first form of an Accept header that there is."""
        for choice in accept.split(","):
            options = dict(part.strip().partition("=")[::2] for part in choice.split(";")[1:])
            if options.get("as", "") in {form.value for form in cls}:
                return cls(options.get("as", ""))
        return cls.WHOLE


def seen_as(resource: Resource, content: Object) -> Object:
    """Return an object as a resource shows it, which may share its storage with another one."""
    return {**content, "apiVersion": resource.api_version, "kind": resource.kind}


def whole(resource: Resource, entry: Entry) -> bytes:
    """Return an object as JSON."""
    content = entry.object
    if content["kind"] == resource.kind and content["apiVersion"] == resource.api_version:
        return entry.raw
    return dump(seen_as(resource, content))


def one(resource: Resource, entry: Entry, form: Form, now: float) -> bytes:
    """Return an object in a form."""
    if form is Form.TABLE:
        return dump(tables.table(resource, [entry.object], {"resourceVersion": _version(entry)}, now))
    if form in {Form.PARTIAL, Form.PARTIAL_LIST}:
        return dump(tables.partial(entry.object))
    return whole(resource, entry)


def many(resource: Resource, entries: list[Entry], metadata: Object, form: Form, now: float) -> bytes:
    """Return a list in a form."""
    if form is Form.TABLE:
        return dump(tables.table(resource, [entry.object for entry in entries], metadata, now))
    head = {"kind": f"{resource.kind}List", "apiVersion": resource.api_version, "metadata": metadata}
    if form in {Form.PARTIAL, Form.PARTIAL_LIST}:
        head.update(kind="PartialObjectMetadataList", apiVersion="meta.k8s.io/v1")
        return dump({**head, "items": [tables.partial(entry.object) for entry in entries]})
    # The objects are JSON already: a list of thousands is put together, not serialized.
    return dump(head)[:-1] + b',"items":[' + b",".join(whole(resource, entry) for entry in entries) + b"]}"


def _version(entry: Entry) -> str:
    return entry.metadata["resourceVersion"]
