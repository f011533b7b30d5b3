"""What a cluster does by itself, with its clock in the test's hands."""

import time

import pytest

from tests.devcloud.test_cluster_conformance import refused
from tests.devcloud.test_cluster_simulation import pods, until

LABELS = {"app": "web"}


@pytest.fixture
def stopped(space):
    """A namespace of a cluster whose clock stands still; everything takes ten seconds."""
    space.cluster.steer("readiness", {"seconds": 10.0})
    space.cluster.steer("clock", {"stop": True})
    yield space
    space.cluster.steer("readiness", {"seconds": 1.0})


def workload(kind, replicas=1, outcome="", **more):
    annotations = {"devcloud/outcome": outcome} if outcome else {}
    spec = {"replicas": replicas, "selector": {"matchLabels": LABELS}, "template": pods(LABELS), **more}
    return {"metadata": {"annotations": annotations}, "spec": spec}


def status(space, kind, name, api_version="v1"):
    return space.get(kind, name, api_version).to_dict().get("status") or {}


def conditions(space, kind, name, api_version):
    return {c["type"]: (c["status"], c["reason"]) for c in status(space, kind, name, api_version).get("conditions", [])}


def test_a_deployment_waits_for_its_pods_and_they_for_the_clock(stopped):
    stopped.make("Deployment", "web", "apps/v1", **workload("Deployment", 2))
    until(lambda: len(stopped.names("Pod")) == 2)
    stopped.cluster.advance(9)
    until(lambda: {p.status.phase for p in stopped.kind("Pod").get(namespace=stopped.namespace).items} == {"Pending"})
    assert conditions(stopped, "Deployment", "web", "apps/v1")["Available"][0] == "False"
    stopped.cluster.advance(1.5)
    until(lambda: status(stopped, "Deployment", "web", "apps/v1").get("readyReplicas") == 2)
    until(
        lambda: conditions(stopped, "Deployment", "web", "apps/v1")["Progressing"] == ("True", "NewReplicaSetAvailable")
    )


def test_a_new_template_replaces_the_pods(stopped):
    stopped.make("Deployment", "web", "apps/v1", **workload("Deployment"))
    stopped.cluster.advance(11)
    until(lambda: status(stopped, "Deployment", "web", "apps/v1").get("readyReplicas") == 1)
    old = stopped.names("Pod")
    patch = {"spec": {"template": {"spec": {"containers": [{"name": "main", "image": "pause:2"}]}}}}
    stopped.kind("Deployment", "apps/v1").patch(name="web", namespace=stopped.namespace, body=patch)
    until(lambda: len(stopped.names("Pod")) == 2)
    stopped.cluster.advance(11)
    until(lambda: len(stopped.names("Pod")) == 1 and stopped.names("Pod") != old)
    assert len(stopped.names("ReplicaSet", "apps/v1")) == 2


@pytest.mark.parametrize("outcome", ["fail", "never"])
def test_a_deployment_that_does_not_get_ready_says_so(stopped, outcome):
    stopped.make("Deployment", "web", "apps/v1", **workload("Deployment", outcome=outcome))
    until(lambda: stopped.names("Pod"))
    stopped.cluster.advance(25)
    failed = ("False", "ProgressDeadlineExceeded")
    if outcome == "never":
        until(lambda: conditions(stopped, "Deployment", "web", "apps/v1")["Progressing"][0] == "True")
        stopped.cluster.advance(600)
    until(lambda: conditions(stopped, "Deployment", "web", "apps/v1").get("Progressing") == failed)


def test_one_object_may_take_its_own_time(stopped):
    slow = workload("Deployment")
    slow["metadata"]["annotations"]["devcloud/ready-after"] = "100"
    stopped.make("Deployment", "web", "apps/v1", **slow)
    until(lambda: stopped.names("Pod"))
    stopped.cluster.advance(50)
    time.sleep(0.2)
    assert not status(stopped, "Deployment", "web", "apps/v1").get("readyReplicas")
    stopped.cluster.advance(51)
    until(lambda: status(stopped, "Deployment", "web", "apps/v1").get("readyReplicas") == 1)


def test_pods_of_a_stateful_set_come_one_after_the_other_with_their_claims(stopped):
    claim = {"metadata": {"name": "data"}, "spec": {"resources": {"requests": {"storage": "1Gi"}}}}
    body = workload("StatefulSet", 2, serviceName="web", volumeClaimTemplates=[claim])
    stopped.make("StatefulSet", "web", "apps/v1", **body)
    until(lambda: stopped.names("Pod") == ["web-0"])
    stopped.cluster.advance(11)
    until(lambda: stopped.names("Pod") == ["web-0", "web-1"])
    stopped.cluster.advance(11)
    until(lambda: status(stopped, "StatefulSet", "web", "apps/v1").get("readyReplicas") == 2)
    assert stopped.names("PersistentVolumeClaim") == ["data-web-0", "data-web-1"]
    until(lambda: status(stopped, "PersistentVolumeClaim", "data-web-1")["phase"] == "Bound")


@pytest.mark.parametrize(("outcome", "said"), [("", ("Complete", "completionTime")), ("fail", ("Failed", "failed"))])
def test_a_job_completes_or_fails(stopped, outcome, said):
    template = pods({})
    template["spec"]["restartPolicy"] = "Never"
    annotations = {"devcloud/outcome": outcome} if outcome else {}
    body = {"metadata": {"annotations": annotations}, "spec": {"template": template, "backoffLimit": 0}}
    stopped.make("Job", "once", "batch/v1", **body)
    until(lambda: status(stopped, "Job", "once", "batch/v1").get("active") == 1)
    stopped.cluster.advance(11)
    until(lambda: [p.status.phase for p in stopped.kind("Pod").get(namespace=stopped.namespace).items] != ["Pending"])
    stopped.cluster.advance(10)
    until(lambda: said[0] in conditions(stopped, "Job", "once", "batch/v1"))
    assert said[1] in status(stopped, "Job", "once", "batch/v1")


def test_a_load_balancer_gets_an_address_and_keeps_its_own(stopped):
    service = stopped.make("Service", "web", spec={"type": "LoadBalancer", "ports": [{"port": 80}]})
    assert service.spec.clusterIP.startswith("10.96.")
    stopped.cluster.advance(11)
    until(lambda: status(stopped, "Service", "web")["loadBalancer"].get("ingress"))
    replaced = service.to_dict()
    del replaced["spec"]["clusterIP"], replaced["metadata"]["resourceVersion"]
    again = stopped.kind("Service").replace(body=replaced, namespace=stopped.namespace)
    assert again.spec.clusterIP == service.spec.clusterIP


# OpenShift


def test_a_deployment_config_rolls_out_numbered_controllers(stopped):
    api = "apps.openshift.io/v1"
    spec = {"replicas": 1, "selector": LABELS, "template": pods(LABELS)}
    stopped.make("DeploymentConfig", "web", api, spec=spec)
    until(lambda: stopped.names("ReplicationController") == ["web-1"])
    until(lambda: stopped.names("Pod"))
    stopped.cluster.advance(11)
    wanted = ("True", "NewReplicationControllerAvailable")
    until(lambda: conditions(stopped, "DeploymentConfig", "web", api).get("Progressing") == wanted)
    patch = {"spec": {"template": {"spec": {"containers": [{"name": "main", "image": "pause:2"}]}}}}
    stopped.kind("DeploymentConfig", api).patch(name="web", namespace=stopped.namespace, body=patch)
    until(lambda: status(stopped, "DeploymentConfig", "web", api)["latestVersion"] == 2)
    stopped.kind("DeploymentConfig", api).delete(name="web", namespace=stopped.namespace)
    until(lambda: not stopped.names("Pod"))


@pytest.mark.parametrize(("outcome", "phase"), [("", "Complete"), ("fail", "Failed")])
def test_a_build_config_builds(stopped, outcome, phase):
    api = "build.openshift.io/v1"
    annotations = {"devcloud/outcome": outcome} if outcome else {}
    spec = {"strategy": {"type": "Docker"}, "triggers": [{"type": "ConfigChange"}]}
    stopped.make("BuildConfig", "app", api, metadata={"annotations": annotations}, spec=spec)
    until(lambda: stopped.names("Build", api) == ["app-1"])
    assert status(stopped, "BuildConfig", "app", api)["lastVersion"] == 1
    stopped.cluster.advance(11)
    until(lambda: status(stopped, "Build", "app-1", api)["phase"] == phase)
    build = stopped.get("Build", "app-1", api)
    assert build.metadata.annotations["openshift.io/build.number"] == "1"


def test_a_route_has_a_host_at_once_and_is_admitted_later(stopped):
    api = "route.openshift.io/v1"
    route = stopped.make("Route", "web", api, spec={"to": {"kind": "Service", "name": "web"}})
    assert route.spec.host == f"web-{stopped.namespace}.apps.openshift.test"
    stopped.make("Route", "taken", api, spec={"host": route.spec.host, "to": {"kind": "Service", "name": "web"}})
    stopped.cluster.advance(11)

    def admitted(name):
        ingress = status(stopped, "Route", name, api).get("ingress")
        return ingress and ingress[0]["conditions"][0]["status"]

    until(lambda: admitted("web"))
    until(lambda: admitted("taken"))
    assert sorted([admitted("web"), admitted("taken")]) == ["False", "True"]
    with refused(422, "Invalid"):
        stopped.make("Route", "nowhere", api, spec={})


def test_template_instances_are_kept(space):
    api = "template.openshift.io/v1"
    space.make("TemplateInstance", "i", api, spec={"template": {"objects": []}})
    assert space.get("TemplateInstance", "i", api).spec.to_dict() == {"template": {"objects": []}}


# Templates


def processed(space, **content):
    kind = space.kind("Template", "template.openshift.io/v1", name="processedtemplates")
    body = {"apiVersion": "template.openshift.io/v1", "kind": "Template", "metadata": {"name": "t"}, **content}
    return kind.create(body=body, namespace=space.namespace).to_dict()


def config_map(**data):
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "${NAME}", "namespace": "x"}, "data": data}


def test_a_template_is_processed_and_nothing_is_created(space):
    before = space.names("ConfigMap")
    parameters = [
        {"name": "NAME", "value": "web"},
        {"name": "KEY", "generate": "expression", "from": "[a-z]{8}"},
        {"name": "COUNT", "value": "3"},
    ]
    objects = [config_map(key="${KEY}", count="${{COUNT}}", left="${OTHER}")]
    result = processed(space, parameters=parameters, objects=objects, labels={"l": "${NAME}"}, message="${NAME}!")
    key = next(p["value"] for p in result["parameters"] if p["name"] == "KEY")
    made = result["objects"][0]
    assert made["metadata"] == {"name": "web", "labels": {"l": "web"}}
    assert made["data"] == {"key": key, "count": 3, "left": "${OTHER}"}
    assert (len(key), result["message"], result["labels"]) == (8, "web!", {"l": "web"})
    assert space.names("ConfigMap") == before


def test_a_template_without_a_required_value_is_invalid(space):
    with refused(422, "Invalid") as caught:
        processed(space, parameters=[{"name": "NAME", "required": True}], objects=[])
    assert "parameter NAME is required and must be specified" in caught.value.body


def test_a_number_as_a_value_is_a_bad_request(space):
    with refused(400, "BadRequest"):
        processed(space, parameters=[{"name": "NAME", "value": 1}], objects=[])


def test_a_template_of_another_namespace_is_a_bad_request(space):
    with refused(400, "BadRequest"):
        processed(space, metadata={"name": "t", "namespace": "default"}, objects=[])
