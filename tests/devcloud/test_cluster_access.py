"""Who may do what in a cluster: users, service accounts, and those who act for others."""

import json

import kubernetes
import pytest
import urllib3
from kubernetes.client import ApiException

from devcloud.cluster.users import BROKER, BROKER_NAMESPACE
from tests.devcloud.test_cluster_conformance import refused

RBAC = "rbac.authorization.k8s.io/v1"


def bind(space, role, subjects, kind="ClusterRole", name="b", as_user="admin"):
    reference = {"apiGroup": "rbac.authorization.k8s.io", "kind": kind, "name": role}
    return space.as_(as_user).make("RoleBinding", name, RBAC, roleRef=reference, subjects=subjects)


DEMO = {"kind": "User", "name": "demo"}


def may(space, verb, resource, **more):
    attributes = {"namespace": space.namespace, "verb": verb, "resource": resource, **more}
    body = {"spec": {"resourceAttributes": attributes}}
    return space.kind("SelfSubjectAccessReview", "authorization.k8s.io/v1").create(body=body).status.allowed


def test_a_user_reaches_only_namespaces_with_a_binding(space):
    demo = space.as_("demo")
    assert may(demo, "create", "configmaps") is False
    with refused(403, "Forbidden") as caught:
        demo.make("ConfigMap", "a")
    assert json.loads(caught.value.body)["message"] == (
        'configmaps is forbidden: User "demo" cannot create resource "configmaps" in API group "" in the namespace '
        f'"{space.namespace}"'
    )
    bind(space, "edit", [DEMO])
    assert may(demo, "create", "configmaps") is True
    assert demo.make("ConfigMap", "a").metadata.name == "a"
    with refused(403, "Forbidden"):
        demo.kind("ConfigMap").get()


def test_a_viewer_sees_all_but_secrets_and_changes_nothing(space):
    bind(space, "view", [{"kind": "Group", "name": "auditors"}])
    space.make("Secret", "s")
    space.make("ConfigMap", "c")
    viewer = space.as_("viewer")
    assert viewer.names("ConfigMap") == ["c"]
    with refused(403, "Forbidden"):
        viewer.make("ConfigMap", "a")
    with refused(403, "Forbidden"):
        viewer.names("Secret")


def test_a_role_may_name_verbs_and_objects(space):
    space.make("ConfigMap", "open")
    space.make("ConfigMap", "closed")
    rule = {"apiGroups": [""], "resources": ["configmaps"], "resourceNames": ["open"], "verbs": ["get", "patch"]}
    space.make("Role", "r", RBAC, rules=[rule])
    bind(space, "r", [DEMO], kind="Role")
    demo = space.as_("demo")
    assert demo.get("ConfigMap", "open").metadata.name == "open"
    for forbidden in (lambda: demo.get("ConfigMap", "closed"), lambda: demo.names("ConfigMap")):
        with refused(403, "Forbidden"):
            forbidden()
    assert [may(demo, verb, "configmaps", name="open") for verb in ("get", "delete")] == [True, False]


def test_nobody_gives_away_more_than_they_have(space):
    bind(space, "admin", [DEMO])
    bind(space, "view", [{"kind": "User", "name": "viewer"}], name="fair", as_user="demo")
    with refused(403, "Forbidden"):
        bind(space, "cluster-admin", [DEMO], name="unfair", as_user="demo")
    everything = [{"apiGroups": ["*"], "resources": ["*"], "verbs": ["*"]}]
    with refused(403, "Forbidden"):
        space.as_("demo").make("Role", "everything", RBAC, rules=everything)


def test_who_acts_for_others_may_do_what_they_may(space):
    bind(space, "edit", [DEMO])
    broker = space.as_(BROKER)
    with refused(403, "Forbidden"):
        broker.make("ConfigMap", "a")
    broker.as_(BROKER, Impersonate_User="demo").make("ConfigMap", "a")
    with refused(403, "Forbidden"):
        broker.as_(BROKER, Impersonate_User="viewer").make("ConfigMap", "b")
    assert may(broker.as_(BROKER, Impersonate_User="demo"), "delete", "secrets") is True


def test_groups_are_acted_for_too(space):
    bind(space, "edit", [{"kind": "Group", "name": "team"}])
    space.as_(BROKER, Impersonate_User="x", Impersonate_Group="team").make("ConfigMap", "a")
    with refused(403, "Forbidden"):
        space.as_(BROKER, Impersonate_User="x", Impersonate_Group="others").make("ConfigMap", "b")


def test_only_some_may_act_for_others(space):
    with refused(403, "Forbidden") as caught:
        space.as_("demo", Impersonate_User="admin").names("ConfigMap")
    assert 'cannot impersonate resource "users"' in json.loads(caught.value.body)["message"]
    with refused(400, "BadRequest"):
        space.as_(BROKER, Impersonate_Group="system:masters").names("ConfigMap")


def with_token(space, token):
    configuration = kubernetes.client.Configuration()
    configuration.host, configuration.ssl_ca_cert = space.cluster.url, str(space.cluster.folder / "ca.pem")
    if token:
        configuration.api_key = {"authorization": f"Bearer {token}"}
    return kubernetes.client.CoreV1Api(kubernetes.client.ApiClient(configuration))


def test_a_service_account_has_tokens_until_it_is_gone(space):
    account = space.make("ServiceAccount", "robot")
    bind(space, "edit", [{"kind": "ServiceAccount", "name": "robot", "namespace": space.namespace}])
    admin = kubernetes.client.CoreV1Api(space.client().client)
    token = admin.create_namespaced_service_account_token("robot", space.namespace, {"spec": {}}).status.token
    api = with_token(space, token)
    assert api.list_namespaced_config_map(space.namespace).kind == "ConfigMapList"
    space.kind("ServiceAccount").delete(name=account.metadata.name, namespace=space.namespace)
    with refused(401, "Unauthorized"):
        api.list_namespaced_config_map(space.namespace)


def test_a_token_expires(space):
    space.make("ServiceAccount", "robot")
    admin = kubernetes.client.CoreV1Api(space.client().client)
    body = {"spec": {"expirationSeconds": 600}}
    token = admin.create_namespaced_service_account_token("robot", space.namespace, body).status.token
    with refused(403, "Forbidden"):
        with_token(space, token).list_namespaced_config_map(space.namespace)
    space.cluster.advance(601)
    with refused(401, "Unauthorized"):
        with_token(space, token).list_namespaced_config_map(space.namespace)


@pytest.mark.parametrize("token", ["nonsense", "bm9uc2Vuc2U=.bm9uc2Vuc2U="])
def test_a_wrong_token_is_nobody(space, token):
    with refused(401, "Unauthorized"):
        with_token(space, token).list_namespaced_config_map(space.namespace)


def test_without_a_token_only_the_version_is_public(space):
    api = with_token(space, "")
    assert kubernetes.client.VersionApi(api.api_client).get_code().major == "1"
    with refused(403, "Forbidden"):
        api.list_namespaced_config_map(space.namespace)


def test_only_administrators_steer_the_cluster(space):
    api = space.as_("demo").client()
    with pytest.raises(ApiException) as caught:
        api.request("post", "/_devcloud/faults", body={"status": 500})
    assert caught.value.status == 403


def test_the_authority_is_needed(space):
    with pytest.raises(urllib3.exceptions.SSLError, match="CERTIFICATE_VERIFY_FAILED"):
        urllib3.PoolManager(retries=False).request("GET", f"{space.cluster.url}/version")


# OpenShift's projects


def test_who_asks_for_a_project_becomes_its_administrator(space):
    demo = space.as_("demo")
    name = f"{space.namespace}-own"
    requests = demo.kind("ProjectRequest", "project.openshift.io/v1")
    project = requests.create(body={"metadata": {"name": name}, "displayName": "Mine", "description": "For tests"})
    assert (project.kind, project.metadata.annotations["openshift.io/requester"]) == ("Project", "demo")
    with refused(409, "AlreadyExists"):
        requests.create(body={"metadata": {"name": name}})
    projects = demo.kind("Project", "project.openshift.io/v1")
    seen = {item.metadata.name for item in projects.get().items}
    assert name in seen
    assert space.namespace not in seen
    assert projects.get(name=name).metadata.annotations["openshift.io/display-name"] == "Mine"
    with refused(403, "Forbidden"):
        projects.get(name=space.namespace)
    demo.kind("ConfigMap").create(body={"metadata": {"name": "a"}}, namespace=name)
    projects.delete(name=name)
    assert BROKER_NAMESPACE not in seen


def test_openshift_bindings_are_the_clusters_own(space):
    body = {"metadata": {"name": "b"}, "roleRef": {"name": "edit"}, "subjects": [DEMO]}
    kind = space.kind("RoleBinding", "authorization.openshift.io/v1")
    made = kind.create(
        body={**body, "kind": "RoleBinding", "apiVersion": kind.group_version}, namespace=space.namespace
    )
    assert made.apiVersion == "authorization.openshift.io/v1"
    assert space.get("RoleBinding", "b", RBAC).apiVersion == RBAC
    assert may(space.as_("demo"), "create", "configmaps") is True
