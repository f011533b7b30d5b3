"""What every cluster has from the start; made where it is missing, at each start."""

import typing

from devcloud.cluster import errors
from devcloud.cluster.admission import DEFAULT_CLASS
from devcloud.cluster.identity import MASTERS, User
from devcloud.cluster.objects import Call, Objects
from devcloud.cluster.resources import Registry
from devcloud.cluster.users import BROKER, BROKER_NAMESPACE

Object = dict[str, typing.Any]

_API = "rbac.authorization.k8s.io"
_SERVER = User("system:apiserver", groups=(MASTERS,))
_READ = ["get", "list", "watch"]
_WRITE = [*_READ, "create", "delete", "deletecollection", "patch", "update"]
_WORKLOADS = [
    {"apiGroups": [""], "resources": [
        "configmaps", "endpoints", "events", "persistentvolumeclaims", "pods", "replicationcontrollers",
        "replicationcontrollers/scale", "secrets", "serviceaccounts", "services",
    ]},
    {"apiGroups": ["apps"], "resources": [
        "controllerrevisions", "daemonsets", "deployments", "deployments/scale", "replicasets", "replicasets/scale",
        "statefulsets", "statefulsets/scale",
    ]},
    {"apiGroups": ["batch"], "resources": ["cronjobs", "jobs"]},
    {"apiGroups": ["autoscaling"], "resources": ["horizontalpodautoscalers"]},
    {"apiGroups": ["networking.k8s.io"], "resources": ["ingresses", "networkpolicies"]},
    {"apiGroups": ["policy"], "resources": ["poddisruptionbudgets"]},
    {"apiGroups": ["coordination.k8s.io"], "resources": ["leases"]},
    {"apiGroups": ["apps.openshift.io"], "resources": ["deploymentconfigs", "deploymentconfigs/scale"]},
    {"apiGroups": ["build.openshift.io"], "resources": ["buildconfigs", "buildconfigs/instantiate", "builds"]},
    {"apiGroups": ["image.openshift.io"], "resources": ["imagestreams", "imagestreamtags"]},
    {"apiGroups": ["route.openshift.io"], "resources": ["routes"]},
    {"apiGroups": ["template.openshift.io"], "resources": ["processedtemplates", "templateinstances", "templates"]},
]  # fmt: skip
_OWN = [
    {"apiGroups": [""], "resources": ["namespaces", "limitranges", "resourcequotas"], "verbs": _READ},
    {"apiGroups": ["project.openshift.io"], "resources": ["projects"], "verbs": _READ},
]
_ROLES = [
    {"apiGroups": [_API, "authorization.openshift.io"], "resources": ["roles", "rolebindings"], "verbs": _WRITE},
    {"apiGroups": ["authorization.k8s.io"], "resources": ["localsubjectaccessreviews"], "verbs": ["create"]},
    {"apiGroups": ["", "project.openshift.io"], "resources": ["namespaces", "projects"], "verbs": ["get", "delete"]},
]


def _allowed(verbs: list[str], without: str = "") -> list[Object]:
    return [
        {**rule, "resources": [name for name in rule["resources"] if name != without], "verbs": verbs}
        for rule in _WORKLOADS
    ]


_CLUSTER_ROLES: dict[str, list[Object]] = {
    "cluster-admin": [
        {"apiGroups": ["*"], "resources": ["*"], "verbs": ["*"]},
        {"nonResourceURLs": ["*"], "verbs": ["*"]},
    ],
    "admin": [*_allowed(_WRITE), *_OWN, *_ROLES],
    "edit": [*_allowed(_WRITE), *_OWN],
    "view": [*_allowed(_READ, without="secrets"), *_OWN],
    "impersonator": [
        {"apiGroups": [""], "resources": ["users", "groups", "serviceaccounts"], "verbs": ["impersonate"]},
    ],
    "self-provisioner": [
        {"apiGroups": ["project.openshift.io"], "resources": ["projectrequests"], "verbs": ["create"]},
    ],
    "system:basic-user": [
        {
            "apiGroups": ["authorization.k8s.io"],
            "resources": ["selfsubjectaccessreviews", "selfsubjectrulesreviews"],
            "verbs": ["create"],
        },
        {"apiGroups": ["authentication.k8s.io"], "resources": ["selfsubjectreviews"], "verbs": ["create"]},
        {"apiGroups": ["storage.k8s.io"], "resources": ["storageclasses"], "verbs": ["get", "list"]},
        {"apiGroups": ["project.openshift.io"], "resources": ["projects"], "verbs": ["list", "watch"]},
        {"nonResourceURLs": ["/api", "/api/*", "/apis", "/apis/*", "/openapi", "/openapi/*"], "verbs": ["get"]},
    ],
    "system:public-info-viewer": [
        {"nonResourceURLs": ["/healthz", "/livez", "/readyz", "/version", "/version/"], "verbs": ["get"]},
    ],
}
_EVERYBODY = ("system:authenticated", "system:unauthenticated")
_BINDINGS: dict[str, tuple[str, list[Object]]] = {
    "cluster-admin": ("cluster-admin", [{"kind": "Group", "name": MASTERS}]),
    "broker-impersonates": (
        "impersonator",
        [{"kind": "ServiceAccount", "namespace": BROKER_NAMESPACE, "name": BROKER}],
    ),
    "system:basic-user": ("system:basic-user", [{"kind": "Group", "name": "system:authenticated"}]),
    "system:public-info-viewer": (
        "system:public-info-viewer",
        [{"kind": "Group", "name": name} for name in _EVERYBODY],
    ),
}
# What only OpenShift lets everybody do: have a project of one's own.
_SELF_PROVISIONERS = ("self-provisioner", [{"kind": "Group", "name": "system:authenticated"}])
_NAMESPACES = ("default", "kube-public", "kube-system", BROKER_NAMESPACE, "demo")
# The namespace of the project "demo", and who may do what in it.
_DEMO = {"demo-edits": ("admin", "demo"), "viewer-looks": ("view", "viewer")}


def seed(registry: Registry, objects: Objects) -> None:
    """Make what is missing."""
    openshift = registry.serves("templates.template.openshift.io")

    def make(title: str, name: str, content: Object, namespace: str = "") -> None:
        try:
            sent = {**content, "metadata": {**content.get("metadata", {}), "name": name}}
            objects.create(registry.named(title), namespace, sent, Call(_SERVER, manager="kube-apiserver"))
        except errors.ApiError as error:
            if error.reason != "AlreadyExists":
                raise

    for name in (*_NAMESPACES, *(("openshift",) if openshift else ())):
        make("namespaces", name, {})
    for name, rules in _CLUSTER_ROLES.items():
        make(f"clusterroles.{_API}", name, {"rules": rules})
    bindings = {**_BINDINGS, **({"self-provisioners": _SELF_PROVISIONERS} if openshift else {})}
    for name, (role, subjects) in bindings.items():
        make(f"clusterrolebindings.{_API}", name, {"roleRef": _reference(role), "subjects": subjects})
    for name, (role, user) in _DEMO.items():
        subjects = [{"kind": "User", "name": user}]
        make(f"rolebindings.{_API}", name, {"roleRef": _reference(role), "subjects": subjects}, "demo")
    make("serviceaccounts", BROKER, {}, BROKER_NAMESPACE)
    standard = {"metadata": {"annotations": {DEFAULT_CLASS: "true"}}, "provisioner": "devcloud.test/none"}
    make("storageclasses.storage.k8s.io", "standard", standard)
    make("storageclasses.storage.k8s.io", "fast", {"provisioner": "devcloud.test/none"})
    make("nodes", "node-1", {})


def _reference(role: str) -> Object:
    return {"apiGroup": _API, "kind": "ClusterRole", "name": role}
