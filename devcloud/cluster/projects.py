"""OpenShift's projects: namespaces that one may ask for, and sees only where one belongs."""

import typing

from devcloud.cluster import errors
from devcloud.cluster.entries import Entry
from devcloud.cluster.identity import MASTERS, User
from devcloud.cluster.objects import Call, Objects
from devcloud.cluster.rbac import Action, Permissions
from devcloud.cluster.resources import Registry

Object = dict[str, typing.Any]

PROJECTS = "projects.project.openshift.io"
_BINDINGS = "rolebindings.rbac.authorization.k8s.io"
# The server itself makes the namespace: who asks need not be allowed to make any.
_SERVER = User("system:apiserver", groups=(MASTERS,))


def request(registry: Registry, objects: Objects, sent: Object, call: Call) -> Entry:
    """Make a project whose administrator is who asked for it; returns its namespace.

    Raises:
        ApiError: 409, there is one of that name; 422, the name is none.
    """
    name = (sent.get("metadata") or {}).get("name", "")
    annotations = {
        "openshift.io/description": sent.get("description", ""),
        "openshift.io/display-name": sent.get("displayName", ""),
        "openshift.io/requester": call.user.name,
    }
    labels = (sent.get("metadata") or {}).get("labels") or {}
    metadata = {"name": name, "annotations": annotations, "labels": labels}
    server = Call(_SERVER, call.dry_run, "openshift-apiserver")
    try:
        namespace = objects.create(registry.named("namespaces"), "", {"metadata": metadata}, server)
    except errors.ApiError as error:
        if error.reason == "AlreadyExists":
            raise errors.already_exists(registry.named(PROJECTS), name) from error
        raise
    if not call.dry_run:
        binding = {
            "metadata": {"name": "admin"},
            "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "admin"},
            "subjects": [{"kind": "User", "name": call.user.name}],
        }
        objects.create(registry.named(_BINDINGS), name, binding, server)
    return namespace


def visible(permissions: Permissions, user: User) -> typing.Callable[[Entry], bool]:
    """Return a predicate of the namespaces that a user may look into."""
    return lambda entry: permissions.allow(user, Action("get", "", "namespaces", entry.name, entry.name))
