"""What the server fills in: defaults, addresses, names of hosts."""

import base64
import hashlib
import typing
import uuid
from collections.abc import Callable

from devcloud.cluster.resources import Resource
from devcloud.cluster.rules import at
from devcloud.cluster.store import Store

Object = dict[str, typing.Any]

DEFAULT_CLASS = "storageclass.kubernetes.io/is-default-class"

# What an update keeps when it does not say it.
_KEPT: dict[str, tuple[str, ...]] = {
    "services": ("clusterIP", "clusterIPs", "type"),
    "persistentvolumeclaims": ("volumeName", "storageClassName", "volumeMode"),
    "routes.route.openshift.io": ("host",),
    "jobs.batch": ("selector",),
    "pods": ("nodeName", "serviceAccountName"),
}


def fill(resource: Resource, content: Object, old: Object | None, store: Store) -> None:
    """Fill in what an object leaves open; ``old`` is what an update replaces."""
    for name in _KEPT.get(resource.stored, ()) if old else ():
        before = at(old, f"spec.{name}")
        if before is not None:
            content.setdefault("spec", {}).setdefault(name, before)
    filler = _FILLERS.get(resource.stored)
    if filler:
        filler(content, store)


def _defaults(target: Object, **values: typing.Any) -> None:
    for name, value in values.items():
        target.setdefault(name, value)


def _spec(content: Object) -> Object:
    return content.setdefault("spec", {})


def _secret(content: Object, _store: Store) -> None:
    plain = content.pop("stringData", None) or {}
    if plain:
        encoded = {name: base64.b64encode(value.encode()).decode() for name, value in plain.items()}
        content["data"] = {**(content.get("data") or {}), **encoded}
    content.setdefault("type", "Opaque")


def _namespace(content: Object, _store: Store) -> None:
    metadata = content["metadata"]
    metadata.setdefault("labels", {})["kubernetes.io/metadata.name"] = metadata["name"]
    _defaults(_spec(content), finalizers=["kubernetes"])
    _defaults(content.setdefault("status", {}), phase="Active")


def _service(content: Object, store: Store) -> None:
    spec = _spec(content)
    _defaults(spec, type="ClusterIP", sessionAffinity="None")
    for port in spec.get("ports") or []:
        _defaults(port, protocol="TCP", targetPort=port.get("port"))
    if spec["type"] != "ExternalName":
        _defaults(spec, clusterIP=_address(content, store))
        _defaults(spec, clusterIPs=[spec["clusterIP"]])
    _defaults(content.setdefault("status", {}), loadBalancer={})


def _address(content: Object, store: Store) -> str:
    """Choose an address by the name, so that it is the same wherever that is made again."""
    taken = {entry.fields["spec.clusterIP"] for entry in store.all("services")}
    metadata, number = content["metadata"], 0
    while True:
        text = f"{metadata.get('namespace')}/{metadata.get('name')}/{number}"
        digest = hashlib.sha256(text.encode()).digest()
        address = f"10.96.{digest[0]}.{digest[1] or 1}"
        if address not in taken:
            return address
        number += 1


def _pod(content: Object, _store: Store) -> None:
    _pod_spec(_spec(content))
    _defaults(_spec(content), serviceAccountName="default")
    _defaults(content.setdefault("status", {}), phase="Pending")


def _pod_spec(spec: Object) -> None:
    _defaults(spec, restartPolicy="Always", dnsPolicy="ClusterFirst", terminationGracePeriodSeconds=30)
    for container in spec.get("containers") or []:
        _defaults(container, imagePullPolicy="IfNotPresent", terminationMessagePath="/dev/termination-log")
        for port in container.get("ports") or []:
            _defaults(port, protocol="TCP")


def _template(content: Object) -> None:
    template = at(content, "spec.template")
    if isinstance(template, dict):
        _pod_spec(template.setdefault("spec", {}))


def _deployment(content: Object, _store: Store) -> None:
    rolling = {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": "25%", "maxUnavailable": "25%"}}
    _defaults(_spec(content), replicas=1, strategy=rolling, revisionHistoryLimit=10, progressDeadlineSeconds=600)
    _template(content)


def _replicated(content: Object, _store: Store) -> None:
    _defaults(_spec(content), replicas=1)
    _template(content)


def _controller(content: Object, store: Store) -> None:
    _replicated(content, store)
    labels = at(content, "spec.template.metadata.labels") or {}
    _defaults(_spec(content), selector=labels)
    _defaults(content["metadata"], labels=labels)


def _stateful(content: Object, store: Store) -> None:
    _replicated(content, store)
    _defaults(_spec(content), podManagementPolicy="OrderedReady", updateStrategy={"type": "RollingUpdate"})


def _daemon(content: Object, _store: Store) -> None:
    _defaults(_spec(content), updateStrategy={"type": "RollingUpdate"})
    _template(content)


def _job(content: Object, _store: Store) -> None:
    spec = _spec(content)
    _defaults(spec, parallelism=1, completions=1, backoffLimit=6, suspend=False)
    if "selector" not in spec:
        label = {"batch.kubernetes.io/controller-uid": content["metadata"].get("uid") or str(uuid.uuid4())}
        spec["selector"] = {"matchLabels": label}
        labels = spec["template"].setdefault("metadata", {}).setdefault("labels", {})
        labels.update(label, **{"batch.kubernetes.io/job-name": content["metadata"]["name"]})
    _template(content)


def _claim(content: Object, store: Store) -> None:
    spec = _spec(content)
    _defaults(spec, volumeMode="Filesystem")
    classes = store.all("storageclasses.storage.k8s.io")
    default = next((c for c in classes if (c.metadata.get("annotations") or {}).get(DEFAULT_CLASS) == "true"), None)
    if default:
        _defaults(spec, storageClassName=default.name)
    _defaults(content.setdefault("status", {}), phase="Pending")


def _binding(content: Object, _store: Store) -> None:
    for subject in content.get("subjects") or []:
        if subject.get("kind") in {"User", "Group"}:
            _defaults(subject, apiGroup="rbac.authorization.k8s.io")


def _route(content: Object, _store: Store) -> None:
    metadata, spec = content["metadata"], _spec(content)
    if not spec.get("host"):
        spec["host"] = f"{metadata['name']}-{metadata['namespace']}.apps.openshift.test"
    _defaults(spec, wildcardPolicy="None")
    _defaults(spec.setdefault("to", {}), kind="Service", weight=100)


def _deployment_config(content: Object, store: Store) -> None:
    _replicated(content, store)
    _defaults(_spec(content), strategy={"type": "Rolling"}, triggers=[{"type": "ConfigChange"}])
    _defaults(content.setdefault("status", {}), latestVersion=0)


def _build_config(content: Object, _store: Store) -> None:
    _defaults(_spec(content), runPolicy="Serial")
    _defaults(content.setdefault("status", {}), lastVersion=0)


def _build(content: Object, _store: Store) -> None:
    _defaults(content.setdefault("status", {}), phase="New")


_FILLERS: dict[str, Callable[[Object, Store], None]] = {
    "builds.build.openshift.io": _build,
    "buildconfigs.build.openshift.io": _build_config,
    "clusterrolebindings.rbac.authorization.k8s.io": _binding,
    "daemonsets.apps": _daemon,
    "deploymentconfigs.apps.openshift.io": _deployment_config,
    "deployments.apps": _deployment,
    "jobs.batch": _job,
    "namespaces": _namespace,
    "persistentvolumeclaims": _claim,
    "pods": _pod,
    "replicasets.apps": _replicated,
    "replicationcontrollers": _controller,
    "rolebindings.rbac.authorization.k8s.io": _binding,
    "routes.route.openshift.io": _route,
    "secrets": _secret,
    "services": _service,
    "statefulsets.apps": _stateful,
}
