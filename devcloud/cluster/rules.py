"""What must hold between the values of an object, beyond their types."""

import base64
import binascii
import re
import typing
from collections.abc import Callable, Iterator

from devcloud.cluster import errors
from devcloud.cluster.errors import Cause, bad_value, required
from devcloud.cluster.resources import Resource

Object = dict[str, typing.Any]

_LABEL = r"[a-z0-9]([-a-z0-9]*[a-z0-9])?"
_SUBDOMAIN = re.compile(rf"{_LABEL}(\.{_LABEL})*\Z")
_DNS_LABEL = re.compile(rf"{_LABEL}\Z")
_DNS_1035 = re.compile(r"[a-z]([-a-z0-9]*[a-z0-9])?\Z")
_VALUE = re.compile(r"(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?\Z")
_SUBDOMAIN_SAYS = (
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start "
    "and end with an alphanumeric character (e.g. 'example.com', regex used for validation is "
    r"'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
)
_LABEL_SAYS = (
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end "
    "with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is "
    "'[a-z0-9]([-a-z0-9]*[a-z0-9])?')"
)
_1035_SAYS = (
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, "
    "and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is "
    "'[a-z]([-a-z0-9]*[a-z0-9])?')"
)
_VALUE_SAYS = (
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start "
    "and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation "
    "is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"
)
# Kinds whose names may hold more than DNS allows.
_FREE_NAMES = ("rbac.authorization.k8s.io", "authorization.openshift.io", "user.openshift.io", "image.openshift.io")

# Paths that an update may not change.
_IMMUTABLE: dict[str, tuple[str, ...]] = {
    "deployments.apps": ("spec.selector",),
    "replicasets.apps": ("spec.selector",),
    "daemonsets.apps": ("spec.selector",),
    "statefulsets.apps": ("spec.selector", "spec.serviceName", "spec.volumeClaimTemplates"),
    "jobs.batch": ("spec.template", "spec.completions"),
    "services": ("spec.clusterIP",),
    "persistentvolumeclaims": ("spec.accessModes", "spec.storageClassName"),
    "secrets": ("type",),
    "roles.rbac.authorization.k8s.io": (),
    "rolebindings.rbac.authorization.k8s.io": ("roleRef",),
    "clusterrolebindings.rbac.authorization.k8s.io": ("roleRef",),
}


def at(content: typing.Any, path: str) -> typing.Any:
    """Return the value at a dotted path, or None."""
    for part in path.split("."):
        if not isinstance(content, dict):
            return None
        content = content.get(part)
    return content


def problems(resource: Resource, content: Object) -> list[Cause]:
    """Return what an object's values break."""
    found = [*_names(resource, content["metadata"]), *_labels(content["metadata"])]
    check = _CHECKS.get(resource.title)
    return [*found, *check(content)] if check else found


def changed(resource: Resource, old: Object, new: Object) -> list[Cause]:
    """Return which values an update changed that it may not."""
    return [
        bad_value(path, str(at(new, path)), "field is immutable")
        for path in _IMMUTABLE.get(resource.title, ())
        if at(old, path) is not None and at(old, path) != at(new, path)
    ]


def _names(resource: Resource, metadata: Object) -> Iterator[Cause]:
    name = metadata.get("name", "")
    if resource.group in _FREE_NAMES:
        if "/" in name or "%" in name:
            yield bad_value("metadata.name", name, "may not contain '/' or '%'")
        return
    pattern, limit, says = _SUBDOMAIN, 253, _SUBDOMAIN_SAYS
    if resource.stored == "namespaces":
        pattern, limit, says = _DNS_LABEL, 63, _LABEL_SAYS
    elif resource.title == "services":
        pattern, limit, says = _DNS_1035, 63, _1035_SAYS
    if not pattern.match(name):
        yield bad_value("metadata.name", name, says)
    if len(name) > limit:
        yield bad_value("metadata.name", name, f"must be no more than {limit} characters")


def _labels(metadata: Object) -> Iterator[Cause]:
    for value in (metadata.get("labels") or {}).values():
        if not _VALUE.match(value):
            yield bad_value("metadata.labels", value, _VALUE_SAYS)
        if len(value) > 63:
            yield bad_value("metadata.labels", value, "must be no more than 63 characters")


def _selected(content: Object) -> Iterator[Cause]:
    wanted = at(content, "spec.selector.matchLabels") or {}
    labels = at(content, "spec.template.metadata.labels") or {}
    if not wanted and not at(content, "spec.selector.matchExpressions"):
        yield bad_value("spec.selector", "{}", "empty selector is invalid for deployment")
    elif any(labels.get(name) != value for name, value in wanted.items()):
        yield bad_value("spec.template.metadata.labels", str(labels), "`selector` does not match template `labels`")


def _job(content: Object) -> Iterator[Cause]:
    if at(content, "spec.template.spec.restartPolicy") not in {"OnFailure", "Never"}:
        yield required("spec.template.spec.restartPolicy", 'valid values: "OnFailure", "Never"')


def _service(content: Object) -> Iterator[Cause]:
    spec = content.get("spec") or {}
    headless = spec.get("clusterIP") == "None" or spec.get("type") == "ExternalName"
    if not spec.get("ports") and not headless:
        yield required("spec.ports")
    for index, port in enumerate(spec.get("ports") or []):
        if not 0 < port.get("port", 0) < 65536:
            yield bad_value(f"spec.ports[{index}].port", port.get("port"), "must be between 1 and 65535, inclusive")


def _secret(content: Object) -> Iterator[Cause]:
    for name, value in (content.get("data") or {}).items():
        try:
            base64.b64decode(value, validate=True)
        except binascii.Error as error:
            raise errors.bad_request(
                f'Secret in version "v1" cannot be handled as a Secret: illegal base64 data in data["{name}"]'
            ) from error
    yield from ()


def _route(content: Object) -> Iterator[Cause]:
    if not at(content, "spec.to.name"):
        yield required("spec.to.name")


_CHECKS: dict[str, Callable[[Object], Iterator[Cause]]] = {
    "deployments.apps": _selected,
    "replicasets.apps": _selected,
    "statefulsets.apps": _selected,
    "daemonsets.apps": _selected,
    "jobs.batch": _job,
    "services": _service,
    "secrets": _secret,
    "routes.route.openshift.io": _route,
}
