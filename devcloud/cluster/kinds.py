"""The kinds that are built in: those of Kubernetes, and those that OpenShift adds."""

from devcloud.cluster.resources import Resource

_STATUS = ("status",)
_SCALED = ("status", "scale")
_CREATE = ("create",)
_RBAC = "rbac.authorization.k8s.io"


def _group(group: str, version: str, *rows: tuple) -> list[Resource]:
    """Make resources from rows of plural, kind and whatever differs from what most have."""
    return [Resource(group, version, plural, kind, **(rest[0] if rest else {})) for plural, kind, *rest in rows]


_CORE = _group(
    "",
    "v1",
    ("namespaces", "Namespace", {"namespaced": False, "short": ("ns",), "subresources": ("status", "finalize")}),
    ("nodes", "Node", {"namespaced": False, "short": ("no",), "subresources": _STATUS}),
    ("persistentvolumes", "PersistentVolume", {"namespaced": False, "short": ("pv",), "subresources": _STATUS}),
    ("configmaps", "ConfigMap", {"short": ("cm",)}),
    ("endpoints", "Endpoints", {"short": ("ep",)}),
    ("events", "Event", {"short": ("ev",)}),
    ("limitranges", "LimitRange", {"short": ("limits",)}),
    ("persistentvolumeclaims", "PersistentVolumeClaim", {"short": ("pvc",), "subresources": _STATUS}),
    ("pods", "Pod", {"short": ("po",), "subresources": _STATUS}),
    ("podtemplates", "PodTemplate"),
    ("replicationcontrollers", "ReplicationController", {"short": ("rc",), "subresources": _SCALED}),
    ("resourcequotas", "ResourceQuota", {"short": ("quota",), "subresources": _STATUS}),
    ("secrets", "Secret"),
    ("serviceaccounts", "ServiceAccount", {"short": ("sa",), "subresources": ("token",)}),
    ("services", "Service", {"short": ("svc",), "subresources": _STATUS}),
)

_GROUPS = [
    *_group(
        "apps",
        "v1",
        ("deployments", "Deployment", {"short": ("deploy",), "subresources": _SCALED}),
        ("statefulsets", "StatefulSet", {"short": ("sts",), "subresources": _SCALED}),
        ("daemonsets", "DaemonSet", {"short": ("ds",), "subresources": _STATUS}),
        ("replicasets", "ReplicaSet", {"short": ("rs",), "subresources": _SCALED}),
        ("controllerrevisions", "ControllerRevision"),
    ),
    *_group(
        "batch",
        "v1",
        ("jobs", "Job", {"subresources": _STATUS}),
        ("cronjobs", "CronJob", {"short": ("cj",), "subresources": _STATUS}),
    ),
    *_group(
        "autoscaling",
        "v2",
        ("horizontalpodautoscalers", "HorizontalPodAutoscaler", {"short": ("hpa",), "subresources": _STATUS}),
    ),
    *_group(
        "autoscaling",
        "v1",
        ("horizontalpodautoscalers", "HorizontalPodAutoscaler", {"short": ("hpa",), "subresources": _STATUS}),
    ),
    *_group(
        "networking.k8s.io",
        "v1",
        ("ingresses", "Ingress", {"short": ("ing",), "subresources": _STATUS}),
        ("ingressclasses", "IngressClass", {"namespaced": False}),
        ("networkpolicies", "NetworkPolicy", {"short": ("netpol",)}),
    ),
    *_group(
        "policy",
        "v1",
        ("poddisruptionbudgets", "PodDisruptionBudget", {"short": ("pdb",), "subresources": _STATUS}),
    ),
    *_group(
        _RBAC,
        "v1",
        ("clusterroles", "ClusterRole", {"namespaced": False}),
        ("clusterrolebindings", "ClusterRoleBinding", {"namespaced": False}),
        ("roles", "Role"),
        ("rolebindings", "RoleBinding"),
    ),
    *_group("storage.k8s.io", "v1", ("storageclasses", "StorageClass", {"namespaced": False, "short": ("sc",)})),
    *_group(
        "scheduling.k8s.io",
        "v1",
        ("priorityclasses", "PriorityClass", {"namespaced": False, "short": ("pc",)}),
    ),
    *_group("coordination.k8s.io", "v1", ("leases", "Lease")),
    *_group(
        "apiextensions.k8s.io",
        "v1",
        (
            "customresourcedefinitions",
            "CustomResourceDefinition",
            {"namespaced": False, "short": ("crd", "crds"), "subresources": _STATUS},
        ),
    ),
    *_group(
        "authorization.k8s.io",
        "v1",
        ("selfsubjectaccessreviews", "SelfSubjectAccessReview", {"namespaced": False, "verbs": _CREATE}),
        ("selfsubjectrulesreviews", "SelfSubjectRulesReview", {"namespaced": False, "verbs": _CREATE}),
        ("subjectaccessreviews", "SubjectAccessReview", {"namespaced": False, "verbs": _CREATE}),
        ("localsubjectaccessreviews", "LocalSubjectAccessReview", {"verbs": _CREATE}),
    ),
    *_group(
        "authentication.k8s.io",
        "v1",
        ("selfsubjectreviews", "SelfSubjectReview", {"namespaced": False, "verbs": _CREATE}),
    ),
]

KUBERNETES = (*_CORE, *_GROUPS)

_OPENSHIFT = [
    *_group(
        "apps.openshift.io",
        "v1",
        ("deploymentconfigs", "DeploymentConfig", {"short": ("dc",), "subresources": _SCALED}),
    ),
    *_group(
        "authorization.openshift.io",
        "v1",
        ("roles", "Role", {"storage": f"roles.{_RBAC}"}),
        ("rolebindings", "RoleBinding", {"storage": f"rolebindings.{_RBAC}"}),
        ("clusterroles", "ClusterRole", {"namespaced": False, "storage": f"clusterroles.{_RBAC}"}),
        ("clusterrolebindings", "ClusterRoleBinding", {"namespaced": False, "storage": f"clusterrolebindings.{_RBAC}"}),
    ),
    *_group(
        "build.openshift.io",
        "v1",
        ("buildconfigs", "BuildConfig", {"short": ("bc",), "subresources": ("instantiate",)}),
        ("builds", "Build"),
    ),
    *_group(
        "image.openshift.io",
        "v1",
        ("imagestreams", "ImageStream", {"short": ("is",), "subresources": _STATUS}),
        ("imagestreamtags", "ImageStreamTag", {"short": ("istag",)}),
    ),
    *_group(
        "project.openshift.io",
        "v1",
        ("projects", "Project", {"namespaced": False, "storage": "namespaces"}),
        ("projectrequests", "ProjectRequest", {"namespaced": False, "verbs": _CREATE}),
    ),
    *_group("route.openshift.io", "v1", ("routes", "Route", {"subresources": _STATUS})),
    *_group(
        "security.openshift.io",
        "v1",
        ("securitycontextconstraints", "SecurityContextConstraints", {"namespaced": False, "short": ("scc",)}),
    ),
    # kubectl maps the kind Template to the last resource that has it, so that one must be "templates".
    *_group(
        "template.openshift.io",
        "v1",
        ("processedtemplates", "Template", {"verbs": _CREATE, "singular": "processedtemplate"}),
        ("templates", "Template"),
        ("templateinstances", "TemplateInstance", {"subresources": _STATUS}),
    ),
    *_group(
        "user.openshift.io",
        "v1",
        ("users", "User", {"namespaced": False}),
        ("groups", "Group", {"namespaced": False}),
    ),
]

OPENSHIFT = (*KUBERNETES, *_OPENSHIFT)
