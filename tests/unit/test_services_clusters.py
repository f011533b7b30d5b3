"""Clusters as one person uses them: roles of the cluster decide, namespaces are a project's, errors say what failed."""

import pytest

from tests.orders import DEMO, TOM, cluster, clusters_of
from tripleo_ui.config import Settings
from tripleo_ui.services.breaker import Breakers, CircuitOpen
from tripleo_ui.services.clusters import Clusters, Person
from tripleo_ui.services.errors import Forbidden, NotFound, ServiceError, Unavailable
from tripleo_ui.services.kubernetes_api import AlreadyExists
from tripleo_ui.services.kubernetes_kinds import Ref
from tripleo_ui.services.kubernetes_projects import PROJECT_LABEL

TEMPLATE = {
    "apiVersion": "template.openshift.io/v1",
    "kind": "Template",
    "metadata": {"name": "one"},
    "objects": [{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "${NAME}"}}],
    "parameters": [{"name": "NAME", "value": "a"}],
}


@pytest.fixture(scope="module", params=["openshift", "kubernetes"])
def place(request, tmp_path_factory):
    with cluster(request.param, tmp_path_factory.mktemp("cluster")) as simulated:
        yield simulated


@pytest.fixture
def openshift(place):
    if place.name != "openshift":
        pytest.skip("optional: only OpenShift has it")
    return place


@pytest.fixture(autouse=True)
def works(place):
    yield
    place.works_again()


@pytest.fixture
def demo(place):
    return clusters_of(place).cluster(place.name, DEMO)


def config_map(name, namespace="demo", **labels):
    return {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": name, "namespace": namespace, "labels": labels},
        "data": {"k": "v"},
    }


def test_an_object_is_made_read_listed_and_deleted_by_its_uid(demo):
    made = demo.create(config_map("life", order="1"))
    ref = Ref.of(made)

    assert demo.get(ref)["metadata"]["uid"] == made["metadata"]["uid"]
    assert [each["kind"] for each in demo.list("v1", "ConfigMap", "demo", "order=1")] == ["ConfigMap"]
    assert demo.delete(ref, "another-uid") is False
    assert demo.get(ref) is not None
    assert demo.delete(ref, made["metadata"]["uid"]) is True
    assert demo.get(ref) is None
    assert demo.delete(ref, made["metadata"]["uid"]) is False


def test_a_taken_name_is_told_from_other_conflicts(demo):
    demo.create(config_map("taken"))

    with pytest.raises(AlreadyExists) as refused:
        demo.create(config_map("taken"))

    assert refused.value.service == demo.service
    assert "taken" in refused.value.cause


def test_a_dry_run_makes_nothing(demo):
    demo.create(config_map("dry"), dry_run=True)

    assert demo.get(Ref("v1", "ConfigMap", "demo", "dry")) is None


def test_what_the_person_may_do_is_the_clusters_to_say(place, demo):
    maps = demo.find("v1", "ConfigMap")
    viewer = clusters_of(place).cluster(place.name, Person("u-viewer", "viewer", "p1"))

    assert demo.may("create", maps, "demo")
    assert not demo.may("create", maps, "other")
    assert not viewer.may("create", maps, "demo")
    with pytest.raises(Forbidden, match="viewer"):
        viewer.create(config_map("no"))


def test_without_a_pattern_the_contexts_own_user_acts(place):
    own = clusters_of(place, cluster_user="", clusters=place.context("demo")).cluster(place.context("demo"), TOM)

    assert own.create(config_map("own"))["metadata"]["uid"]


@pytest.mark.parametrize("name", ["system:admin", "a:b", "line\nbreak"])
def test_names_that_a_cluster_keeps_to_itself_are_nobodys(place, name):
    with pytest.raises(ServiceError):
        clusters_of(place).cluster(place.name, Person("u", name, "p1")).version()


def test_kinds_are_discovered_once_and_unknown_ones_are_none(place, demo):
    assert demo.find("apps/v1", "Deployment").path("demo", "a b") == "/apis/apps/v1/namespaces/demo/deployments/a%20b"
    assert demo.find("v1", "Namespace").namespaced is False
    assert demo.find("no.such.group/v1", "Thing") is None
    place.fault(path="^/apis/apps/v1$", status=500)
    assert demo.find("apps/v1", "Deployment") is not None
    with pytest.raises(NotFound, match="no kind Thing"):
        demo.create({"apiVersion": "v1", "kind": "Thing", "metadata": {"name": "a", "namespace": "demo"}})


def test_a_cluster_that_is_away_is_unavailable_and_then_left_alone(place):
    away = clusters_of(place, Breakers()).cluster(place.name, DEMO)
    place.fault(path="^/version", drop="before")

    for _call in range(5):
        with pytest.raises(Unavailable):
            away.version()
    with pytest.raises(CircuitOpen):
        away.version()


def test_a_call_that_takes_too_long_ends(place):
    slow = clusters_of(place, read_timeout=0.2).cluster(place.name, DEMO)
    place.fault(path="^/version", delay=2.0)

    with pytest.raises(Unavailable, match="in time"):
        slow.version()


def test_a_certificate_of_somebody_else_is_refused(place, tmp_path):
    text = place.kubeconfig.read_text()
    line = next(line for line in text.splitlines() if "certificate-authority-data" in line)
    (tmp_path / "kubeconfig").write_text(text.replace(line + "\n", ""))
    stranger = clusters_of(place, kubeconfig=str(tmp_path / "kubeconfig")).cluster(place.name, DEMO)

    with pytest.raises(ServiceError, match="not trusted") as refused:
        stranger.version()
    assert not isinstance(refused.value, Unavailable)


def test_a_context_that_verifies_nothing_is_refused(place, tmp_path):
    text = place.kubeconfig.read_text()
    line = next(line for line in text.splitlines() if "certificate-authority-data" in line)
    indent = line[: len(line) - len(line.lstrip())]
    (tmp_path / "kubeconfig").write_text(text.replace(line, f"{indent}insecure-skip-tls-verify: true"))

    with pytest.raises(ServiceError, match="not be verified"):
        clusters_of(place, kubeconfig=str(tmp_path / "kubeconfig")).cluster(place.name, DEMO)


def test_an_unknown_cluster_or_context_says_so(place):
    with pytest.raises(NotFound, match="no cluster mars"):
        clusters_of(place).cluster("mars", DEMO)
    with pytest.raises(ServiceError, match="kubeconfig"):
        clusters_of(place, clusters="mars").cluster("mars", DEMO)
    with pytest.raises(ValueError, match="CLUSTERS"):
        Clusters(Settings(clusters="x" * 25))


def test_templates_are_processed_by_the_cluster(openshift):
    demo = clusters_of(openshift).cluster("openshift", DEMO)
    demo.create({**TEMPLATE, "metadata": {"name": "one", "namespace": "demo"}})

    assert [each["metadata"]["name"] for each in demo.templates("demo")] == ["one"]
    assert demo.template("demo", "one")["objects"] == TEMPLATE["objects"]
    done = demo.process("demo", TEMPLATE)
    assert done["objects"][0]["metadata"]["name"] == "a"


def test_a_project_has_the_namespaces_of_the_settings_and_of_its_label(place):
    namespace = {"apiVersion": "v1", "kind": "Namespace"}
    admin = place.client().resources.get(api_version="v1", kind="Namespace")
    admin.create(body={**namespace, "metadata": {"name": "shop", "labels": {PROJECT_LABEL: "p1"}}})
    binding = {
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": "RoleBinding",
        "metadata": {"name": "demo-edits"},
        "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "edit"},
        "subjects": [{"kind": "Group", "apiGroup": "rbac.authorization.k8s.io", "name": "tripleo-ui:project:p1"}],
    }
    roles = place.client().resources.get(api_version="rbac.authorization.k8s.io/v1", kind="RoleBinding")
    roles.create(body=binding, namespace="shop")
    made = clusters_of(place)
    mine = made.namespaces(made.cluster(place.name, DEMO), DEMO)
    toms = made.namespaces(made.cluster(place.name, TOM), TOM)

    assert [mine.allows(each) for each in ("demo", "shop", "other", "default", "mars", "")] == [
        True,
        True,
        *[False] * 4,
    ]
    assert [toms.allows(each) for each in ("demo", "shop", "other")] == [False, False, True]
    assert mine.names() == (["demo", "shop"] if place.name == "openshift" else ["demo"])


def test_a_namespace_is_asked_for_and_belongs_to_the_project(openshift):
    made = clusters_of(openshift)
    mine = made.namespaces(made.cluster("openshift", DEMO), DEMO)

    uid = mine.create("fresh", "order-1")

    assert uid
    assert mine.allows("fresh")
    assert mine.adopt("fresh", "order-1") == uid
    assert mine.adopt("fresh", "order-2") == ""
    with pytest.raises(AlreadyExists):
        mine.create("other", "order-1")
