"""What only a simulated cluster can show: faults, forgotten changes, broken watches, restarts, and time that jumps."""

import json
import threading
import time

import pytest
import urllib3
from kubernetes.client import ApiException
from kubernetes.dynamic.exceptions import ResourceNotFoundError

from devcloud.cluster import users
from tests.cluster import running
from tests.devcloud.test_cluster_conformance import refused

MAPS = "configmaps"


# Faults


def test_a_fault_hits_the_third_and_no_other(space):
    space.cluster.fault(method="POST", path=f"{space.namespace}/{MAPS}", status=500, skip=2, times=1)
    space.make("ConfigMap", "a")
    space.make("ConfigMap", "b")
    with refused(500, "InternalError"):
        space.make("ConfigMap", "c")
    space.make("ConfigMap", "d")
    assert {"a", "b", "d"} <= set(space.names("ConfigMap"))
    assert "c" not in space.names("ConfigMap")


def test_a_refusal_says_when_to_come_again(space):
    space.cluster.fault(path=MAPS, status=429, reason="TooManyRequests", retry_after=7, times=1)
    with refused(429, "TooManyRequests") as caught:
        space.make("ConfigMap", "a")
    assert caught.value.headers["Retry-After"] == "7"


@pytest.mark.parametrize(("drop", "there"), [("before", False), ("after", True)])
def test_an_answer_that_gets_lost_leaves_the_object_or_not(space, drop, there):
    space.cluster.fault(method="POST", path=f"{space.namespace}/{MAPS}", drop=drop)
    with pytest.raises((urllib3.exceptions.HTTPError, ApiException)):
        space.make("ConfigMap", "a")
    space.cluster.works_again()
    assert ("a" in space.names("ConfigMap")) is there


def test_a_delay_makes_an_answer_late(space):
    space.cluster.fault(path=MAPS, delay=0.3, times=1)
    began = time.monotonic()
    space.names("ConfigMap")
    assert time.monotonic() - began >= 0.3


def test_faults_and_requests_can_be_read(space):
    space.cluster.steer("requests", method="DELETE")
    space.cluster.fault(method="POST", path=MAPS, status=503, reason="ServiceUnavailable")
    with refused(503, "ServiceUnavailable"):
        space.make("ConfigMap", "a")
    assert [fault["hits"] for fault in space.cluster.steer("faults", method="GET")] == [1]
    posts = [r for r in space.cluster.steer("requests", method="GET") if r["method"] == "POST"]
    assert [(r["user"], r["status"]) for r in posts] == [("admin", 503)]


@pytest.mark.parametrize("fault", [{"nonsense": 1}, {"drop": "never"}, {"path": "("}, "text"])
def test_a_fault_that_makes_no_sense_is_refused(space, fault):
    with pytest.raises(OSError, match="400"):
        space.cluster.steer("faults", fault)


# Watches


def test_a_watch_from_a_forgotten_version_ends_with_410(space):
    maps = space.kind("ConfigMap")
    version = maps.get(namespace=space.namespace).metadata.resourceVersion
    space.make("ConfigMap", "a")
    space.cluster.steer("compact")
    with pytest.raises(ApiException) as caught:
        list(maps.watch(namespace=space.namespace, resource_version=version, timeout=2))
    assert (caught.value.status, caught.value.reason.partition(":")[0]) == (410, "Expired")


def test_a_list_that_is_continued_too_late_has_expired(space):
    for name in "abc":
        space.make("ConfigMap", name)
    maps = space.kind("ConfigMap")
    page = maps.get(namespace=space.namespace, limit=1)
    space.make("ConfigMap", "d")
    space.cluster.steer("compact")
    with refused(410, "Expired"):
        maps.get(namespace=space.namespace, limit=1, _continue=page.metadata["continue"])


def test_a_version_that_is_yet_to_come_cannot_be_watched(space):
    with refused_event(504):
        list(space.kind("ConfigMap").watch(namespace=space.namespace, resource_version="999999999", timeout=1))


def refused_event(code):
    return pytest.raises(ApiException, check=lambda error: error.status == code)


def lines(space, query, seconds=3):
    """Return the events of a watch as they come."""
    api = space.client().client
    url = f"{space.cluster.url}/api/v1/namespaces/{space.namespace}/{MAPS}?watch=1&{query}&timeoutSeconds={seconds}"
    headers = {"Authorization": f"Bearer {users.token(space.user)}"}
    answer = api.rest_client.pool_manager.request("GET", url, headers=headers, preload_content=False, timeout=30)
    return (json.loads(line) for line in answer.read().splitlines())


def test_bookmarks_mark_where_the_beginning_ends(space):
    space.make("ConfigMap", "a")
    query = "sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true"
    events = list(lines(space, query, 1))
    kinds = [event["type"] for event in events]
    first = kinds.index("BOOKMARK")
    mark = events[first]["object"]["metadata"]
    assert set(kinds[:first]) == {"ADDED"}
    assert mark["annotations"] == {"k8s.io/initial-events-end": "true"}
    assert int(mark["resourceVersion"]) >= max(int(e["object"]["metadata"]["resourceVersion"]) for e in events)


def test_who_resumes_after_a_broken_watch_misses_nothing(space):
    maps = space.kind("ConfigMap")
    version = maps.get(namespace=space.namespace).metadata.resourceVersion
    broken = threading.Event()

    def follow():
        try:
            for _event in maps.watch(namespace=space.namespace, resource_version=version, timeout=20):
                pass
        except urllib3.exceptions.HTTPError:
            broken.set()

    thread = threading.Thread(target=follow)
    thread.start()
    while not space.cluster.steer("disconnect")["closed"]:
        time.sleep(0.05)
    thread.join(10)
    assert broken.is_set()
    space.make("ConfigMap", "a")
    seen = maps.watch(namespace=space.namespace, resource_version=version, timeout=1)
    assert [event["object"].metadata.name for event in seen if event["type"] == "ADDED"][-1] == "a"


# Restarts


def test_objects_versions_and_tokens_survive_a_restart(tmp_path):
    with running("kubernetes", tmp_path) as first:
        maps = first.client().resources.get(api_version="v1", kind="ConfigMap")
        made = maps.create(body={"metadata": {"name": "a"}, "data": {"k": "v"}}, namespace="demo").to_dict()
        maps.create(body={"metadata": {"name": "b"}}, namespace="demo")
        maps.delete(name="b", namespace="demo")
        first.client().resources.get(api_version="apiextensions.k8s.io/v1", kind="CustomResourceDefinition").create(
            body=DEFINITION
        )
        before = maps.get(namespace="demo").metadata.resourceVersion
    with running("kubernetes", tmp_path) as second:
        client = second.client("demo")
        maps = client.resources.get(api_version="v1", kind="ConfigMap")
        assert maps.get(name="a", namespace="demo").to_dict() == made
        with refused(404, "NotFound"):
            maps.get(name="b", namespace="demo")
        assert int(maps.get(namespace="demo").metadata.resourceVersion) >= int(before)
        assert client.resources.get(api_version="example.com/v1", kind="Template").name == "templates"


# Kinds that a definition brings

DEFINITION = {
    "apiVersion": "apiextensions.k8s.io/v1",
    "kind": "CustomResourceDefinition",
    "metadata": {"name": "templates.example.com"},
    "spec": {
        "group": "example.com",
        "scope": "Namespaced",
        "names": {"plural": "templates", "singular": "template", "kind": "Template", "shortNames": ["tpl"]},
        "versions": [
            {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": {"type": "object"}}}
        ],
    },
}


def test_plain_kubernetes_has_templates_only_by_definition(tmp_path):
    with running("kubernetes", tmp_path) as cluster:
        client = cluster.client()
        with pytest.raises(ResourceNotFoundError):
            client.resources.get(api_version="template.openshift.io/v1", kind="Template")
        definitions = client.resources.get(api_version="apiextensions.k8s.io/v1", kind="CustomResourceDefinition")
        definitions.create(body=DEFINITION)
        templates = cluster.client().resources.get(api_version="example.com/v1", kind="Template")
        body = {"apiVersion": "example.com/v1", "kind": "Template", "metadata": {"name": "a"}, "objects": [{"x": 1}]}
        assert templates.create(body=body, namespace="demo").to_dict()["objects"] == [{"x": 1}]
        with pytest.raises(ApiException) as caught:
            templates.patch(name="a", namespace="demo", body={"objects": []})
        assert caught.value.status == 415
        definitions.delete(name="templates.example.com")
        with pytest.raises(ApiException) as caught:
            templates.get(name="a", namespace="demo")
        assert caught.value.status == 404
        assert not cluster.call(lambda: cluster.cluster.store.all("templates.example.com"))


# Namespaces


def test_a_namespace_goes_with_everything_but_what_is_held(space):
    space.make("ConfigMap", "free")
    space.make("ConfigMap", "held", metadata={"finalizers": ["example.com/hold"]})
    namespaces = space.kind("Namespace")
    namespaces.delete(name=space.namespace)
    leaving = namespaces.get(name=space.namespace)
    assert (leaving.status.phase, bool(leaving.metadata.deletionTimestamp)) == ("Terminating", True)
    with refused(403, "Forbidden") as caught:
        space.make("ConfigMap", "late")
    assert json.loads(caught.value.body)["details"]["causes"][0]["reason"] == "NamespaceTerminating"
    until(lambda: space.names("ConfigMap") == ["held"])
    patch = {"metadata": {"finalizers": None}}
    merge = "application/merge-patch+json"
    space.kind("ConfigMap").patch(name="held", namespace=space.namespace, body=patch, content_type=merge)
    until(lambda: space.namespace not in [item.metadata.name for item in namespaces.get().items])


def until(look, seconds=20):
    deadline = time.monotonic() + seconds
    while not look():
        assert time.monotonic() < deadline, "it did not come to that"
        time.sleep(0.02)


# Quotas


def pods(labels, **more):
    spec = {"containers": [{"name": "main", "image": "pause", **more}]}
    return {"metadata": {"labels": labels}, "spec": spec}


def test_a_quota_counts_refuses_and_says_what_is_used(space):
    space.make("ResourceQuota", "q", spec={"hard": {"secrets": "1", "count/configmaps": "3", "requests.cpu": "500m"}})
    space.make("Secret", "a")
    with refused(403, "Forbidden") as caught:
        space.make("Secret", "b")
    said = json.loads(caught.value.body)["message"]
    assert (
        said == 'secrets "b" is forbidden: exceeded quota: q, requested: secrets=1, used: secrets=1, limited: secrets=1'
    )
    space.make("Pod", "p", spec=pods({}, resources={"requests": {"cpu": "0.3"}})["spec"])
    with refused(403, "Forbidden"):
        space.make("Pod", "r", spec=pods({}, resources={"requests": {"cpu": "300m"}})["spec"])
    with refused(403, "Forbidden"):
        space.make("Pod", "s", spec=pods({})["spec"])
    until(lambda: space.get("ResourceQuota", "q").status.used["requests.cpu"] == "300m")
    assert space.get("ResourceQuota", "q").status.used.secrets == "1"


def test_a_deployment_over_quota_says_so_and_goes_on_when_there_is_room(space):
    space.make("ResourceQuota", "q", spec={"hard": {"pods": "1"}})
    labels = {"app": "web"}
    spec = {"replicas": 2, "selector": {"matchLabels": labels}, "template": pods(labels)}
    space.make("Deployment", "web", "apps/v1", spec=spec)

    def failing():
        found = space.get("Deployment", "web", "apps/v1").to_dict().get("status", {})
        return any(
            "exceeded quota" in c["message"] for c in found.get("conditions", []) if c["type"] == "ReplicaFailure"
        )

    until(failing)
    assert any("exceeded quota" in (e.message or "") for e in space.kind("Event").get(namespace=space.namespace).items)
    patch = {"spec": {"hard": {"pods": "2"}}}
    space.kind("ResourceQuota").patch(name="q", namespace=space.namespace, body=patch)
    until(lambda: space.get("Deployment", "web", "apps/v1").status.readyReplicas == 2)
