"""Kinds that older OpenShift had in ``v1``, and the groups that they are in now."""

_KINDS = {
    "apps": "DeploymentConfig DeploymentConfigRollback DeploymentLog DeploymentRequest",
    "authorization": (
        "ClusterRole ClusterRoleBinding LocalResourceAccessReview LocalSubjectAccessReview ResourceAccessReview Role "
        "RoleBinding RoleBindingRestriction SelfSubjectRulesReview SubjectAccessReview SubjectRulesReview"
    ),
    "build": "BinaryBuildRequestOptions Build BuildConfig BuildLog BuildRequest",
    "image": ("Image ImageSignature ImageStream ImageStreamImage ImageStreamImport ImageStreamMapping ImageStreamTag"),
    "network": "ClusterNetwork EgressNetworkPolicy HostSubnet NetNamespace",
    "oauth": "OAuthAccessToken OAuthAuthorizeToken OAuthClient OAuthClientAuthorization",
    "project": "Project ProjectRequest",
    "quota": "AppliedClusterResourceQuota ClusterResourceQuota",
    "route": "Route",
    "security": (
        "PodSecurityPolicyReview PodSecurityPolicySelfSubjectReview PodSecurityPolicySubjectReview "
        "SecurityContextConstraints"
    ),
    "template": "BrokerTemplateInstance ProcessedTemplate Template TemplateInstance",
    "user": "Group Identity User UserIdentityMapping",
}
_GROUPS = {kind: f"{group}.openshift.io/v1" for group, kinds in _KINDS.items() for kind in kinds.split()}


def api_version(version: str, kind: str) -> str:
    """The version of a kind with its group, where it is one of ``v1`` that has moved.

    >>> api_version("v1", "Route"), api_version("v1", "Service")
    ('route.openshift.io/v1', 'v1')
    """
    return _GROUPS.get(kind, version) if version == "v1" else version
