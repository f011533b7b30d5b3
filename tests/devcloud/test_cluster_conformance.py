"""What clients rely on, asked by real clients: of the simulated clusters, or of a real one.

With KUBECONFIG and TRIPLEO_UI_TEST_NAMESPACE set, everything runs in that namespace of that cluster instead.
"""

import contextlib
import json
import os
import shutil
import subprocess
import time
import uuid
from dataclasses import dataclass
from pathlib import Path

import pytest
from kubernetes.client import ApiException
from kubernetes.dynamic import DynamicClient
from kubernetes.dynamic.exceptions import ResourceNotFoundError

from tests.cloud import wait_until
from tests.cluster import dynamic, running

REAL = os.environ.get("KUBECONFIG") if os.environ.get("TRIPLEO_UI_TEST_NAMESPACE") else None
MARK = "tripleo-ui.example/test"


@dataclass
class Here:
    """A namespace of a cluster, for one test."""

    client: DynamicClient
    kubeconfig: Path
    namespace: str
    mark: str

    def kind(self, kind, api_version="v1", **more):
        return self.client.resources.get(api_version=api_version, kind=kind, **more)

    @property
    def maps(self):
        return self.kind("ConfigMap")

    def name(self, stem="a"):
        return f"{stem}-{self.mark}"

    def body(self, kind="ConfigMap", stem="a", api_version="v1", labels=None, **content):
        metadata = {"name": self.name(stem), "labels": {MARK: self.mark, **(labels or {})}}
        return {"apiVersion": api_version, "kind": kind, "metadata": metadata, **content}

    def create(self, body):
        resource = self.kind(body["kind"], body["apiVersion"])
        return resource.create(body=body, namespace=self.namespace).to_dict()

    def mine(self, more=""):
        return f"{MARK}={self.mark}{',' + more if more else ''}"

    def gone(self, resource, name):
        with refused(404, "NotFound"):
            resource.get(name=name, namespace=self.namespace)
        return True


@contextlib.contextmanager
def refused(code, reason):
    with pytest.raises(ApiException) as caught:
        yield caught
    status = json.loads(caught.value.body)
    assert (status["kind"], status["status"], status["code"]) == ("Status", "Failure", code)
    assert (caught.value.status, status["reason"]) == (code, reason), status


@pytest.fixture(scope="module", params=["real"] if REAL else ["kubernetes", "openshift"])
def place(request, tmp_path_factory):
    if request.param == "real":
        yield Path(REAL), os.environ["TRIPLEO_UI_TEST_NAMESPACE"], dynamic(Path(REAL))
        return
    with running(request.param, tmp_path_factory.mktemp("cluster")) as cluster:
        yield cluster.kubeconfig, "demo", cluster.client()


@pytest.fixture
def here(place):
    kubeconfig, namespace, client = place
    found = Here(client, kubeconfig, namespace, uuid.uuid4().hex[:8])
    yield found
    for api_version, kind in (("apps/v1", "Deployment"), ("batch/v1", "Job"), ("v1", "ConfigMap"), ("v1", "Secret")):
        resource = found.kind(kind, api_version)
        for left in resource.get(namespace=namespace, label_selector=found.mine()).items:
            if left.metadata.finalizers:
                patch = {"metadata": {"finalizers": None}}
                resource.patch(name=left.metadata.name, namespace=namespace, body=patch, content_type=MERGE)
            with contextlib.suppress(ApiException):
                resource.delete(name=left.metadata.name, namespace=namespace, body={"propagationPolicy": "Background"})


MERGE = "application/merge-patch+json"
STRATEGIC = "application/strategic-merge-patch+json"
OPERATIONS = "application/json-patch+json"


def deployment(here, stem="web", replicas=1, image="registry.k8s.io/pause:3.9"):
    labels = {"app": here.name(stem)}
    pod = {"metadata": {"labels": labels}, "spec": {"containers": [{"name": "main", "image": image}]}}
    spec = {"replicas": replicas, "selector": {"matchLabels": labels}, "template": pod}
    return here.body("Deployment", stem, "apps/v1", spec=spec)


# Discovery


def test_kinds_are_found_by_discovery(here):
    assert here.kind("Deployment", "apps/v1").namespaced
    assert "watch" in here.maps.verbs
    assert here.kind("Namespace").namespaced is False
    with pytest.raises(ResourceNotFoundError):
        here.kind("NoSuchKind")


def test_versions_and_schemas_are_served(here):
    version = here.client.version["kubernetes"]
    assert int(version["minor"].rstrip("+")) >= 25
    places = json.loads(here.client.request("get", "/openapi/v3", serialize=False).data)["paths"]
    url = places["apis/apps/v1"]["serverRelativeURL"]
    document = json.loads(here.client.request("get", url, serialize=False).data)
    kinds = [
        operation["x-kubernetes-group-version-kind"]["kind"]
        for path in document["paths"].values()
        for verb, operation in path.items()
        if verb == "patch"
    ]
    assert "Deployment" in kinds


# Create, read, list


def test_a_new_object_gets_what_the_server_alone_knows(here):
    made = here.create(here.body(data={"k": "v"}))
    metadata = made["metadata"]
    uuid.UUID(metadata["uid"])
    assert int(metadata["resourceVersion"]) > 0
    assert metadata["creationTimestamp"].endswith("Z")
    assert metadata["namespace"] == here.namespace
    assert here.maps.get(name=here.name(), namespace=here.namespace).to_dict()["data"] == {"k": "v"}


def test_a_taken_name_and_an_unknown_one_are_told_apart(here):
    here.create(here.body())
    with refused(409, "AlreadyExists"):
        here.create(here.body())
    assert here.gone(here.maps, here.name("b"))


def test_names_can_be_left_to_the_server(here):
    body = here.body()
    del body["metadata"]["name"]
    body["metadata"]["generateName"] = "some-"
    first, second = (here.maps.create(body=body, namespace=here.namespace).metadata.name for _ in range(2))
    assert first != second
    assert first.startswith("some-")


def test_a_dry_run_leaves_nothing(here):
    made = here.maps.create(body=here.body(), namespace=here.namespace, dry_run="All")
    assert made.metadata.name == here.name()
    assert here.gone(here.maps, here.name())


def test_a_bad_name_is_invalid_and_says_why(here):
    body = here.body()
    body["metadata"]["name"] = "Not_A_Name"
    with refused(422, "Invalid") as caught:
        here.create(body)
    causes = json.loads(caught.value.body)["details"]["causes"]
    assert [cause["field"] for cause in causes] == ["metadata.name"]
    assert causes[0]["reason"] == "FieldValueInvalid"


def test_what_a_kind_requires_is_named(here):
    body = deployment(here)
    del body["spec"]["template"]["spec"]["containers"]
    with refused(422, "Invalid") as caught:
        here.create(body)
    fields = [cause["field"] for cause in json.loads(caught.value.body)["details"]["causes"]]
    assert "spec.template.spec.containers" in fields


def test_a_value_of_the_wrong_type_is_a_bad_request(here):
    body = deployment(here)
    body["spec"]["replicas"] = "two"
    with refused(400, "BadRequest"):
        here.create(body)


def test_a_selector_that_misses_its_own_pods_is_invalid(here):
    body = deployment(here)
    body["spec"]["template"]["metadata"]["labels"] = {"other": "label"}
    with refused(422, "Invalid"):
        here.create(body)


def test_unknown_fields_are_refused_warned_of_or_dropped(here):
    path = f"/api/v1/namespaces/{here.namespace}/configmaps"
    body = here.body(nonsense=1)
    with refused(400, "BadRequest"):
        here.client.request("post", path, body=body, query_params=[("fieldValidation", "Strict")])
    made = here.client.request("post", path, body=body, query_params=[("fieldValidation", "Ignore")])
    assert "nonsense" not in made.to_dict()


def test_an_object_of_another_namespace_or_kind_is_a_bad_request(here):
    body = here.body()
    body["metadata"]["namespace"] = f"not-{here.namespace}"
    with refused(400, "BadRequest"):
        here.maps.create(body=body, namespace=here.namespace)
    with refused(400, "BadRequest"):
        here.maps.create(body={**here.body(), "kind": "Secret"}, namespace=here.namespace)


def test_secrets_take_plain_text_and_keep_base64(here):
    here.create(here.body("Secret", stringData={"k": "v"}))
    kept = here.kind("Secret").get(name=here.name(), namespace=here.namespace).to_dict()
    assert (kept["data"], kept["type"], "stringData" in kept) == ({"k": "dg=="}, "Opaque", False)


@pytest.mark.parametrize(
    ("selector", "found"),
    [
        ("color=red", "a"),
        ("color!=red", "bc"),
        ("color in (red, blue)", "ab"),
        ("color notin (red)", "bc"),
        ("color", "ab"),
        ("!color", "c"),
        ("color,size=2", "b"),
    ],
)
def test_lists_by_label(here, selector, found):
    here.create(here.body(stem="a", labels={"color": "red", "size": "1"}))
    here.create(here.body(stem="b", labels={"color": "blue", "size": "2"}))
    here.create(here.body(stem="c"))
    listed = here.maps.get(namespace=here.namespace, label_selector=here.mine(selector))
    assert [item.metadata.name for item in listed.items] == [here.name(stem) for stem in found]


def test_lists_by_field(here):
    for stem in "ab":
        here.create(here.body(stem=stem))
    selector = f"metadata.name={here.name('b')}"
    listed = here.maps.get(namespace=here.namespace, field_selector=selector)
    assert [item.metadata.name for item in listed.items] == [here.name("b")]
    with refused(400, "BadRequest"):
        here.maps.get(namespace=here.namespace, field_selector="data.k=v")


def test_lists_come_in_pages(here):
    for stem in "abcde":
        here.create(here.body(stem=stem))
    found, token, versions = [], None, set()
    while token != "":
        page = here.maps.get(namespace=here.namespace, label_selector=here.mine(), limit=2, _continue=token)
        found += [item.metadata.name for item in page.items]
        versions.add(page.metadata.resourceVersion)
        token = page.metadata["continue"] or ""
        assert len(page.items) <= 2
    assert found == [here.name(stem) for stem in "abcde"]
    assert len(versions) == 1
    assert page.kind == "ConfigMapList"


# Change


def test_an_update_of_what_changed_since_is_a_conflict(here):
    here.create(here.body(data={"k": "1"}))
    read = here.maps.get(name=here.name(), namespace=here.namespace).to_dict()
    changed = here.maps.replace(body={**read, "data": {"k": "2"}}, namespace=here.namespace)
    assert changed.metadata.resourceVersion != read["metadata"]["resourceVersion"]
    with refused(409, "Conflict"):
        here.maps.replace(body={**read, "data": {"k": "3"}}, namespace=here.namespace)


def test_an_update_that_changes_nothing_makes_no_new_version(here):
    made = here.create(here.body(data={"k": "1"}))
    again = here.maps.replace(body=made, namespace=here.namespace)
    assert again.metadata.resourceVersion == made["metadata"]["resourceVersion"]


def test_the_generation_counts_what_was_wished_for(here):
    here.create(deployment(here))
    resource, name = here.kind("Deployment", "apps/v1"), here.name("web")
    patch = {"metadata": {"labels": {"more": "1"}}}
    labelled = resource.patch(name=name, namespace=here.namespace, body=patch)
    scaled = resource.patch(name=name, namespace=here.namespace, body={"spec": {"replicas": 2}})
    assert (labelled.metadata.generation, scaled.metadata.generation) == (1, 2)


def test_a_selector_cannot_be_changed(here):
    made = here.create(deployment(here))
    labels = {"app": "other"}
    made["spec"]["selector"] = {"matchLabels": labels}
    made["spec"]["template"]["metadata"]["labels"] = labels
    del made["metadata"]["resourceVersion"]
    with refused(422, "Invalid"):
        here.kind("Deployment", "apps/v1").replace(body=made, namespace=here.namespace)


def test_a_merge_patch_merges_and_removes(here):
    here.create(here.body(data={"a": "1", "b": "2"}))
    patch = {"data": {"a": None, "c": "3"}}
    changed = here.maps.patch(name=here.name(), namespace=here.namespace, body=patch, content_type=MERGE)
    assert changed.data.to_dict() == {"b": "2", "c": "3"}


def test_a_json_patch_tests_and_changes(here):
    here.create(here.body(data={"a": "1"}))
    patch = [{"op": "test", "path": "/data/a", "value": "1"}, {"op": "add", "path": "/data/b", "value": "2"}]
    changed = here.maps.patch(name=here.name(), namespace=here.namespace, body=patch, content_type=OPERATIONS)
    assert changed.data.to_dict() == {"a": "1", "b": "2"}
    wrong = [{"op": "test", "path": "/data/a", "value": "9"}]
    with refused(422, "Invalid"):
        here.maps.patch(name=here.name(), namespace=here.namespace, body=wrong, content_type=OPERATIONS)


def test_a_strategic_patch_merges_lists_by_their_key(here):
    here.create(deployment(here))
    resource, name = here.kind("Deployment", "apps/v1"), here.name("web")
    side = {"name": "side", "image": "registry.k8s.io/pause:3.9"}

    def patch(containers):
        body = {"spec": {"template": {"spec": {"containers": containers}}}}
        changed = resource.patch(name=name, namespace=here.namespace, body=body, content_type=STRATEGIC)
        return {c.name: c.image for c in changed.spec.template.spec.containers}

    assert set(patch([side])) == {"main", "side"}
    assert patch([{"name": "main", "image": "registry.k8s.io/pause:3.10"}])["main"].endswith("3.10")
    assert set(patch([{"name": "side", "$patch": "delete"}])) == {"main"}


def apply(here, body, manager, force=False):
    return here.kind(body["kind"], body["apiVersion"]).server_side_apply(
        body=body, name=body["metadata"]["name"], namespace=here.namespace, field_manager=manager, force_conflicts=force
    )


def test_apply_makes_changes_and_takes_back_what_it_no_longer_wants(here):
    apply(here, here.body(data={"a": "1", "b": "2"}), "one")
    again = apply(here, here.body(data={"a": "1", "b": "2"}), "one")
    left = apply(here, here.body(data={"b": "3"}), "one")
    assert left.data.to_dict() == {"b": "3"}
    assert again.metadata.managedFields[0].manager == "one"


def test_apply_keeps_what_others_manage_and_tells_conflicts(here):
    apply(here, here.body(data={"a": "1"}), "one")
    apply(here, here.body(data={"b": "2"}), "two")
    with refused(409, "Conflict") as caught:
        apply(here, here.body(data={"a": "9"}), "two")
    causes = json.loads(caught.value.body)["details"]["causes"]
    assert [(c["reason"], c["field"]) for c in causes] == [("FieldManagerConflict", ".data.a")]
    forced = apply(here, here.body(data={"a": "9"}), "two", force=True)
    assert forced.data.to_dict() == {"a": "9"}


def test_apply_needs_to_know_who_applies(here):
    path = f"/api/v1/namespaces/{here.namespace}/configmaps/{here.name()}"
    with pytest.raises(ApiException) as caught:
        here.client.request("patch", path, body=here.body(), content_type="application/apply-patch+yaml")
    assert caught.value.status in {400, 422}


# Delete


def test_deletion_is_of_the_object_that_was_meant(here):
    made = here.create(here.body())
    options = {"kind": "DeleteOptions", "apiVersion": "v1", "preconditions": {"uid": str(uuid.uuid4())}}
    with refused(409, "Conflict"):
        here.maps.delete(name=here.name(), namespace=here.namespace, body=options)
    options["preconditions"]["uid"] = made["metadata"]["uid"]
    here.maps.delete(name=here.name(), namespace=here.namespace, body=options)
    assert here.gone(here.maps, here.name())
    with refused(404, "NotFound"):
        here.maps.delete(name=here.name(), namespace=here.namespace)


def test_a_finalizer_holds_an_object_that_is_leaving(here):
    body = here.body()
    body["metadata"]["finalizers"] = ["example.com/hold"]
    here.create(body)
    here.maps.delete(name=here.name(), namespace=here.namespace)
    leaving = here.maps.get(name=here.name(), namespace=here.namespace)
    assert leaving.metadata.deletionTimestamp
    patch = {"metadata": {"finalizers": None}}
    here.maps.patch(name=here.name(), namespace=here.namespace, body=patch, content_type=MERGE)
    assert here.gone(here.maps, here.name())


def child_of(here, owner, stem="child", blocks=True):
    body = here.body(stem=stem)
    reference = {key: owner["metadata"][key] for key in ("name", "uid")}
    kind = {"apiVersion": owner["apiVersion"], "kind": owner["kind"]}
    body["metadata"]["ownerReferences"] = [{**reference, **kind, "blockOwnerDeletion": blocks}]
    return body


@pytest.mark.parametrize("policy", ["Background", "Foreground"])
def test_dependents_go_with_their_owner(here, policy):
    owner = here.create(here.body())
    here.create(child_of(here, owner))
    here.maps.delete(name=here.name(), namespace=here.namespace, body={"propagationPolicy": policy})
    for name in (here.name(), here.name("child")):
        wait_until(lambda name=name: _absent(here, name), f"{name} goes", 60)


def test_orphans_stay_without_an_owner(here):
    owner = here.create(here.body())
    here.create(child_of(here, owner))
    here.maps.delete(name=here.name(), namespace=here.namespace, body={"propagationPolicy": "Orphan"})
    wait_until(lambda: _absent(here, here.name()), "the owner goes", 60)
    left = here.maps.get(name=here.name("child"), namespace=here.namespace)
    assert not left.metadata.ownerReferences


def test_a_dependent_that_stays_holds_its_owner_in_the_foreground(here):
    owner = here.create(here.body())
    child = child_of(here, owner)
    child["metadata"]["finalizers"] = ["example.com/hold"]
    here.create(child)
    here.maps.delete(name=here.name(), namespace=here.namespace, body={"propagationPolicy": "Foreground"})
    wait_until(lambda: _leaving(here, here.name("child")), "the child is leaving", 60)
    assert _leaving(here, here.name())
    patch = {"metadata": {"finalizers": None}}
    here.maps.patch(name=here.name("child"), namespace=here.namespace, body=patch, content_type=MERGE)
    wait_until(lambda: _absent(here, here.name()), "the owner goes", 60)


def _leaving(here, name):
    return bool(here.maps.get(name=name, namespace=here.namespace).metadata.deletionTimestamp)


def _absent(here, name):
    try:
        here.maps.get(name=name, namespace=here.namespace)
    except ApiException as error:
        return error.status == 404
    return False


def test_many_are_deleted_by_label(here):
    for stem in "ab":
        here.create(here.body(stem=stem))
    here.maps.delete(namespace=here.namespace, label_selector=here.mine())
    assert not here.maps.get(namespace=here.namespace, label_selector=here.mine()).items


# Watch


def watch(here, version, seconds=1, **more):
    return [
        (event["type"], event["raw_object"])
        for event in here.maps.watch(
            namespace=here.namespace, label_selector=here.mine(), resource_version=version, timeout=seconds, **more
        )
    ]


def test_a_watch_repeats_what_happened_since_a_version(here):
    start = here.maps.get(namespace=here.namespace).metadata.resourceVersion
    here.create(here.body())
    here.maps.patch(name=here.name(), namespace=here.namespace, body={"data": {"k": "v"}}, content_type=MERGE)
    here.maps.delete(name=here.name(), namespace=here.namespace)
    seen = watch(here, start)
    assert [kind for kind, _object in seen] == ["ADDED", "MODIFIED", "DELETED"]
    versions = [int(content["metadata"]["resourceVersion"]) for _kind, content in seen]
    assert versions == sorted(versions)
    assert len(set(versions)) == 3


def test_a_watch_without_a_version_begins_with_what_is_there(here):
    here.create(here.body())
    assert [(kind, c["metadata"]["name"]) for kind, c in watch(here, "0")] == [("ADDED", here.name())]


def test_what_no_longer_matches_looks_deleted(here):
    start = here.maps.get(namespace=here.namespace).metadata.resourceVersion
    here.create(here.body())
    patch = {"metadata": {"labels": {MARK: "other"}}}
    here.maps.patch(name=here.name(), namespace=here.namespace, body=patch, content_type=MERGE)
    assert [kind for kind, _object in watch(here, start)] == ["ADDED", "DELETED"]
    patch["metadata"]["labels"][MARK] = here.mark
    here.maps.patch(name=here.name(), namespace=here.namespace, body=patch, content_type=MERGE)


def test_a_watch_ends_in_time(here):
    began = time.monotonic()
    watch(here, here.maps.get(namespace=here.namespace).metadata.resourceVersion, seconds=1)
    assert 0.5 < time.monotonic() - began < 10


# Reviews


def test_who_may_do_what_can_be_asked(here):
    review = here.kind("SelfSubjectAccessReview", "authorization.k8s.io/v1")
    asked = {"namespace": here.namespace, "verb": "create", "resource": "configmaps"}
    body = {"apiVersion": "authorization.k8s.io/v1", "kind": "SelfSubjectAccessReview"}
    answer = review.create(body={**body, "spec": {"resourceAttributes": asked}})
    assert answer.status.allowed is True


# What happens by itself


def test_a_deployment_becomes_available_with_children_of_its_own(here):
    here.create(deployment(here, replicas=2))
    resource, name = here.kind("Deployment", "apps/v1"), here.name("web")

    def complete():
        found = resource.get(name=name, namespace=here.namespace).to_dict()
        status = found.get("status", {})
        conditions = {c["type"]: (c["status"], c["reason"]) for c in status.get("conditions", [])}
        return (
            status.get("observedGeneration") == found["metadata"]["generation"]
            and conditions.get("Progressing") == ("True", "NewReplicaSetAvailable")
            and conditions.get("Available", ("",))[0] == "True"
            and found
        )

    owner = wait_until(complete, "the deployment is available", 120, pause=0.2)
    sets = here.kind("ReplicaSet", "apps/v1").get(namespace=here.namespace, label_selector=f"app={name}").items
    pods = here.kind("Pod").get(namespace=here.namespace, label_selector=f"app={name}").items
    assert [s.metadata.ownerReferences[0].uid for s in sets] == [owner["metadata"]["uid"]]
    assert {p.metadata.ownerReferences[0].uid for p in pods} == {sets[0].metadata.uid}
    assert {p.status.phase for p in pods} == {"Running"}
    assert len(pods) == 2


# kubectl


@pytest.fixture
def kubectl(here, tmp_path):
    program = shutil.which("kubectl")
    if not program:
        pytest.skip("optional: kubectl is not there")

    def run(*arguments, content=None):
        sent = json.dumps(content) if content else None
        environment = {**os.environ, "KUBECONFIG": str(here.kubeconfig), "HOME": str(tmp_path)}
        command = [program, "-n", here.namespace, *arguments]
        return subprocess.run(
            command, env=environment, input=sent, capture_output=True, text=True, timeout=60, check=False
        )

    return run


def done(result):
    assert result.returncode == 0, result.stderr
    return result.stdout


def test_kubectl_applies_shows_and_waits(here, kubectl):
    body = deployment(here)
    assert "created" in done(kubectl("apply", "-f", "-", content=body))
    assert "unchanged" in done(kubectl("apply", "-f", "-", content=body))
    body["spec"]["replicas"] = 2
    assert "configured" in done(kubectl("apply", "-f", "-", content=body))
    done(kubectl("rollout", "status", f"deployment/{here.name('web')}", "--timeout=50s"))
    table = done(kubectl("get", "deployment", here.name("web")))
    assert table.splitlines()[0].split() == ["NAME", "READY", "UP-TO-DATE", "AVAILABLE", "AGE"]
    assert "2/2" in table
    done(kubectl("delete", "deployment", here.name("web"), "--cascade=foreground", "--timeout=50s"))
    assert here.gone(here.kind("Deployment", "apps/v1"), here.name("web"))


def test_kubectl_is_told_of_misspelt_fields(here, kubectl):
    refusal = kubectl("create", "-f", "-", content=here.body(dat={"k": "v"}))
    assert refusal.returncode == 1
    assert 'unknown field "dat"' in refusal.stderr


def test_kubectl_applies_on_the_server_and_reports_conflicts(here, kubectl):
    done(kubectl("apply", "--server-side", "-f", "-", content=here.body(data={"k": "1"})))
    refusal = kubectl("apply", "--server-side", "--field-manager=b", "-f", "-", content=here.body(data={"k": "2"}))
    assert "conflict" in refusal.stderr
    forced = ("apply", "--server-side", "--force-conflicts", "--field-manager=b")
    done(kubectl(*forced, "-f", "-", content=here.body(data={"k": "2"})))


def test_kubectl_patches_labels_and_explains(here, kubectl):
    here.create(here.body(data={"k": "1"}))
    done(kubectl("patch", "configmap", here.name(), "-p", '{"data": {"k": "2"}}'))
    done(kubectl("label", "configmap", here.name(), "more=1"))
    shown = json.loads(done(kubectl("get", "configmap", here.name(), "-o", "json")))
    assert (shown["data"], shown["metadata"]["labels"]["more"]) == ({"k": "2"}, "1")
    assert "replicas" in done(kubectl("explain", "deployment.spec"))
