"""What there is: the documents by which clients find resources."""

import typing

from devcloud.cluster import errors
from devcloud.cluster.resources import Registry, Resource

Document = dict[str, typing.Any]

# Kubernetes 1.32, as far as clients can tell.
VERSION = {
    "major": "1",
    "minor": "32",
    "gitVersion": "v1.32.4",
    "gitCommit": "",
    "gitTreeState": "clean",
    "platform": "linux/amd64",
    "compiler": "",
    "goVersion": "",
    "buildDate": "",
}


def document(registry: Registry, path: str) -> Document | None:
    """Return the document of a path, or None when the path is not one of discovery's.

    Raises:
        ApiError: 404, there is no such group.
    """
    match path.strip("/").split("/"):
        case ["version"]:
            found = VERSION
        case ["api"]:
            found = {"kind": "APIVersions", "versions": ["v1"], "serverAddressByClientCIDRs": []}
        case ["api", version]:
            found = _resources(registry, "", version)
        case ["apis"]:
            groups = [_group(name, versions) for name, versions in registry.groups().items() if name]
            found = {"kind": "APIGroupList", "apiVersion": "v1", "groups": groups}
        case ["apis", group]:
            found = _one_group(registry, group)
        case ["apis", group, version]:
            found = _resources(registry, group, version)
        case _:
            return None
    return found


def _one_group(registry: Registry, name: str) -> Document:
    versions = registry.groups().get(name)
    if not versions:
        raise errors.nothing_there()
    return {"kind": "APIGroup", "apiVersion": "v1", **_group(name, versions)}


def _group(name: str, versions: list[str]) -> Document:
    listed = [{"groupVersion": f"{name}/{version}", "version": version} for version in versions]
    return {"name": name, "versions": listed, "preferredVersion": listed[0]}


def _resources(registry: Registry, group: str, version: str) -> Document:
    found = registry.of(group, version)
    if not found:
        raise errors.nothing_there()
    listed = [entry for resource in found for entry in _entries(resource)]
    title = f"{group}/{version}" if group else version
    return {"kind": "APIResourceList", "apiVersion": "v1", "groupVersion": title, "resources": listed}


_PARTS: dict[str, Document] = {
    "status": {"verbs": ["get", "patch", "update"]},
    "scale": {"verbs": ["get", "patch", "update"], "group": "autoscaling", "version": "v1", "kind": "Scale"},
    "token": {"verbs": ["create"], "group": "authentication.k8s.io", "version": "v1", "kind": "TokenRequest"},
    "finalize": {"verbs": ["update"]},
    "instantiate": {"verbs": ["create"], "kind": "BuildRequest"},
}


def _entries(resource: Resource) -> typing.Iterator[Document]:
    shared = {"namespaced": resource.namespaced, "kind": resource.kind}
    names = {"name": resource.plural, "singularName": resource.singular or resource.kind.lower()}
    more: Document = {"shortNames": list(resource.short)} if resource.short else {}
    if resource.title in _ALL:
        more["categories"] = ["all"]
    yield {**names, **shared, "verbs": list(resource.verbs), **more}
    for part in resource.subresources:
        yield {"name": f"{resource.plural}/{part}", "singularName": "", **shared, **_PARTS[part]}


# What `kubectl get all` shows.
_ALL = {
    *("pods", "services", "replicationcontrollers", "deployments.apps", "statefulsets.apps", "daemonsets.apps"),
    *("replicasets.apps", "jobs.batch", "cronjobs.batch", "deploymentconfigs.apps.openshift.io"),
    *("builds.build.openshift.io", "buildconfigs.build.openshift.io", "imagestreams.image.openshift.io"),
    "routes.route.openshift.io",
}
