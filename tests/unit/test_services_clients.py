"""Clients of the services: what they ask, what they make of the answers, and how failures are told."""

import pytest
import requests

from tests.fakes import FakeCloud
from tripleo_ui.services import nodes
from tripleo_ui.services.errors import Conflict, Forbidden, NotFound, ServiceError, Unavailable
from tripleo_ui.services.fanout import gather, successes
from tripleo_ui.services.nodes import Node
from tripleo_ui.services.nova import Flavor
from tripleo_ui.services.rest import TimeoutSession, cause_in

FILES = {"plan.yaml": "heat_template_version: 2021-04-16\n", "environment.yaml": "{}", "provider-A-1.yaml": "x"}


@pytest.fixture
def fake():
    return FakeCloud()


@pytest.fixture
def cloud(fake):
    return fake.cloud()


def test_no_client_is_asked_for_a_token(fake, cloud):
    cloud.nova.flavors()
    assert fake.calls == {"nova": 1}


@pytest.mark.parametrize(
    ("status", "kind"),
    [(400, ServiceError), (401, Forbidden), (403, Forbidden), (404, NotFound), (409, Conflict), (503, Unavailable)],
)
def test_failure_names_service_operation_cause_request_and_next_step(fake, cloud, status, kind):
    fake.failures["heat"] = status
    with pytest.raises(kind) as failed:
        cloud.heat.list()

    error = failed.value
    assert error.as_dict() == {
        "service": "heat",
        "operation": "list stacks",
        "cause": "heat was told to fail",
        "request_id": "req-heat",
        "next_step": error.next_step,
    }
    assert error.next_step
    assert error.status == status


@pytest.mark.parametrize(("failure", "cause"), [("timeout", "in time"), ("refuse", "no connection")])
def test_silent_service_is_unavailable(fake, cloud, failure, cause):
    fake.failures["ironic"] = failure
    with pytest.raises(Unavailable, match=cause):
        cloud.nodes.list()


def test_service_without_an_endpoint_is_said_to_have_none(fake):
    cloud = fake.cloud()
    cloud.session.auth._catalog = ()
    with pytest.raises(ServiceError, match="catalog") as failed:
        cloud.glance.images()
    assert type(failed.value) is ServiceError


def test_every_call_has_timeouts(monkeypatch):
    seen = []
    monkeypatch.setattr(requests.Session, "request", lambda _self, *_names, **more: seen.append(more["timeout"]))
    session = TimeoutSession(3.0, 7.0)
    session.request("GET", "http://x")
    session.request("GET", "http://x", timeout=None)
    session.request("GET", "http://x", timeout=1)
    assert seen == [(3.0, 7.0), (3.0, 7.0), 1]


@pytest.mark.parametrize(
    ("body", "cause"),
    [
        ('{"error": {"message": "No quota.", "type": "X"}}', "No quota."),
        ('{"error_message": "{\\"faultstring\\": \\"Node is locked.\\"}"}', "Node is locked."),
        ('{"badRequest": {"message": "Bad flavor.", "code": 400}}', "Bad flavor."),
        ('{"errors": [{"detail": "No inventory."}]}', "No inventory."),
        ("<html>proxy</html>", "HTTP 500 Oops"),
        ("plain text", "plain text"),
        ("", "HTTP 500 Oops"),
    ],
)
def test_cause_is_found_in_each_form_of_error(body, cause):
    response = requests.Response()
    response.status_code, response.reason, response._content = 500, "Oops", body.encode()
    assert cause_in(response) == cause


def test_heat_lists_only_our_stacks_and_only_those_asked_for(fake, cloud):
    fake.heat.add("one")
    fake.heat.add("two")
    fake.heat.add("foreign", tags=())

    assert {stack.name for stack in cloud.heat.list()} == {"one", "two"}
    assert [stack.name for stack in cloud.heat.list(names=["two", "none"])] == ["two"]


def test_deepest_failed_resource_holds_the_reason(fake, cloud):
    fake.heat.add(
        "oc", "CREATE_FAILED", roles={"Compute": [("CREATE_COMPLETE", ""), ("CREATE_FAILED", "No valid host.")]}
    )
    failed = cloud.heat.failure(cloud.heat.find("oc"))

    assert failed.path == ("Compute", "1", "server")
    assert failed.reason == "No valid host."


def test_stacks_come_in_pages_newest_first(fake, cloud):
    for number in range(5):
        fake.heat.add(f"s{number}")
    first = cloud.heat.list(limit=3)

    assert [stack.name for stack in first] == ["s4", "s3", "s2"]
    assert [stack.name for stack in cloud.heat.list(limit=3, marker=first[-1].id)] == ["s1", "s0"]


def test_resource_that_was_only_stopped_is_not_the_reason(fake, cloud):
    members = [("CREATE_FAILED", "CREATE aborted (Task create from Server timed out)"), ("CREATE_FAILED", "No quota.")]
    fake.heat.add("oc", "CREATE_FAILED", roles={"Compute": members})
    assert cloud.heat.failure(cloud.heat.find("oc")).reason == "No quota."


def test_stack_that_failed_without_a_failed_resource_has_none(fake, cloud):
    fake.heat.add("oc", "CREATE_FAILED", roles={"Compute": [("CREATE_COMPLETE", "")]})
    assert cloud.heat.failure(cloud.heat.find("oc")) is None


def test_heat_gives_an_update_as_much_time_as_a_creation(cloud, monkeypatch):
    sent = []
    call = type(cloud.heat._rest).call

    def record(rest, operation, method, path, **more):
        sent.append(more.get("json"))
        return call(rest, operation, method, path, **more)

    monkeypatch.setattr(type(cloud.heat._rest), "call", record)
    cloud.heat.create("oc", FILES)
    stack = cloud.heat.find("oc")
    cloud.heat.update(stack, FILES, tags=["tripleo-ui:2"])
    created, updated = sent[0], sent[-1]

    assert created["timeout_mins"] == updated["timeout_mins"] == 240
    assert created["disable_rollback"]
    assert updated["disable_rollback"]
    assert updated["files"] == {"provider-A-1.yaml": "x"}
    assert updated["tags"] == "tripleo-ui,tripleo-ui:2"


def test_bodies_are_never_logged(cloud, caplog):
    caplog.set_level("DEBUG")
    cloud.heat.create("oc", FILES | {"environment.yaml": "parameters: {Password: hush-hush}"})
    cloud.plans.save("oc", {"plan.yaml": "hush-hush"})
    cloud.plans.read("oc")
    assert "hush-hush" not in caplog.text


def test_stack_that_is_not_there_is_none(cloud):
    assert cloud.heat.find("nothing") is None


def test_create_twice_is_a_conflict(cloud):
    cloud.heat.create("oc", FILES, tags=["tripleo-ui:1"])
    assert cloud.heat.find("oc").tags == ("tripleo-ui", "tripleo-ui:1")
    with pytest.raises(Conflict):
        cloud.heat.create("oc", FILES)


def test_package_without_a_template_never_reaches_heat(fake, cloud):
    with pytest.raises(ServiceError, match=r"no plan\.yaml"):
        cloud.heat.validate({"environment.yaml": ""})
    assert not fake.calls


def test_nodes_come_in_pages_however_many_there_are(fake, cloud):
    fake.compute.nodes.clear()
    for number in range(2500):
        fake.compute.add_node(f"n{number}", "compute")

    assert len(cloud.nodes.list()) == 2500
    assert fake.calls["ironic"] == 3


def node(**changes):
    fields = {
        "id": "n",
        "name": "n",
        "resource_class": "baremetal.gpu-large",
        "traits": frozenset({"CUSTOM_A", "CUSTOM_B"}),
        "provision_state": "available",
        "power_state": "power off",
    }
    return Node(**(fields | changes))


FLAVOR = Flavor("f", "gpu", 1, 1, 1, "CUSTOM_BAREMETAL_GPU_LARGE", frozenset({"CUSTOM_A"}))


@pytest.mark.parametrize(
    ("changes", "free", "matching"),
    [
        ({}, 1, 1),
        ({"maintenance": True}, 0, 1),
        ({"provision_state": "active"}, 0, 1),
        ({"instance_id": "s"}, 0, 1),
        ({"fault": "power failure"}, 0, 1),
        ({"power_state": ""}, 0, 1),
        ({"traits": frozenset()}, 0, 0),
        ({"resource_class": "baremetal.compute"}, 0, 0),
        ({"resource_class": ""}, 0, 0),
    ],
)
def test_supply_leaves_out_what_a_deployment_cannot_take(changes, free, matching):
    assert nodes.supply([node(**changes)], [FLAVOR]) == {"gpu": nodes.Supply(free, matching)}


def test_servers_come_in_pages_until_all_are_found(fake, cloud):
    for number in range(2500):
        fake.compute.add_server(f"s{number}")

    assert [server.name for server in cloud.nova.servers(["server-s3"])] == ["s3"]
    assert fake.calls["nova"] == 1
    assert len(cloud.nova.servers([f"server-s{number}" for number in range(0, 2500, 100)])) == 25
    assert fake.calls["nova"] == 4
    assert cloud.nova.servers(["gone"]) == ()
    assert fake.calls["nova"] == 7
    assert cloud.nova.servers([]) == ()
    assert fake.calls["nova"] == 7


def test_counts_show_maintenance_as_a_state_of_its_own():
    found = nodes.counts([node(), node(maintenance=True), node(provision_state="active")])
    assert found == {"available": 1, "maintenance": 1, "active": 1}


def test_one_part_that_fails_takes_no_other_with_it(fake, cloud):
    fake.failures["ironic"] = 500
    found = gather({"nodes": cloud.nodes.list, "images": cloud.glance.images, "flavors": cloud.nova.flavors})

    assert isinstance(found["nodes"], ServiceError)
    assert set(successes(found)) == {"images", "flavors"}


def test_parts_that_are_no_service_failures_are_bugs_and_raise():
    with pytest.raises(ZeroDivisionError):
        gather({"bug": lambda: 1 / 0})


def test_trust_can_be_delegated_once_more_and_taken_back(fake, cloud):
    trust_id = cloud.keystone.create_trust("u1", cloud.keystone.user_id("tripleo_ui", "Default"), "p1", ["admin"])
    trust = fake.trusts[trust_id]

    assert trust["impersonation"]
    assert trust["allow_redelegation"]
    assert trust["redelegation_count"] == 1
    assert trust["trustee_user_id"] == "conductor"
    cloud.keystone.delete_trust(trust_id)
    cloud.keystone.delete_trust(trust_id)
    assert fake.trusts == {}
