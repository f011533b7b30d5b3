"""Instances on the real services: made, cancelled at each state, deleted; nothing is left that should not be."""

import threading
import time
import uuid

import pytest

from tests.cloud import wait_until
from tests.fault_proxy import delay, drop, fault_proxy, hang, hold
from tests.instances import Tenant, conducting, new_project
from tests.orchestration import database, wait_for
from tripleo_ui.orchestration import api
from tripleo_ui.orchestration.api import State
from tripleo_ui.orchestration.flows.instance import CREATE
from tripleo_ui.services.breaker import Breakers
from tripleo_ui.services.nova import HEADERS

__all__ = ["database", "fault_proxy"]

NETWORK = {"network": "ctlplane"}
VOLUME = {"size": 1, "type": "memory", "delete": True}
#: How long the services get to answer where calls are disturbed, in seconds.
SHORT = 4.0
CREATES = {
    "placement": r"/allocations$",
    "neutron": r"/v2.0/ports$",
    "cinder": r"/volumes$",
    "nova": r"/servers$",
}


@pytest.fixture(scope="module")
def project(admin):
    with new_project(admin) as made:
        yield made


@pytest.fixture
def tenant(cloud, admin, project, database):
    """A tenant that has nothing before a test, and nothing after it."""
    made = Tenant(cloud, admin, project)
    yield made
    left = made.everything()
    made.clear()
    assert not any(left.values())


@pytest.fixture
def name():
    return f"t-{uuid.uuid4().hex[:6]}"


@pytest.fixture
def conductor(tenant):
    with conducting(tenant.under_way) as made:
        yield made


@pytest.fixture
def wire(tenant, fault_proxy):
    """A conductor that reaches the services through a proxy."""
    breakers = Breakers()
    with conducting(lambda request: tenant.under_way(request, fault_proxy.url, SHORT, breakers)):
        yield fault_proxy


def port(cloud, service):
    return int(cloud.layout.url(service).rsplit(":", 1)[1])


def delete(tenant, done):
    gone = tenant.submit("instance.delete", servers=[each["id"] for each in done.outputs["servers"]])
    ended = tenant.ended(gone)
    assert ended.state is State.SUCCEEDED, ended


@pytest.mark.timeout(400)
@pytest.mark.usefixtures("conductor")
def test_ten_instances_with_two_ports_and_a_volume_each_become_active(tenant, name):
    done = tenant.ended(
        tenant.create(name, count=10, networks=[NETWORK, NETWORK], volumes=[VOLUME], security_groups=["default"])
    )

    assert done.state is State.SUCCEEDED, (done.error, done.message)
    assert [each["name"] for each in done.outputs["servers"]] == [f"{name}-{number}" for number in range(1, 11)]
    servers = {each.id: each for each in tenant.cloud.nova.marked(done.id)}
    for told in done.outputs["servers"]:
        server = servers[told["id"]]
        assert server.status == "ACTIVE"
        assert len(server.addresses["ctlplane"]) == 2
        assert len(server.volumes) == 1
        assert len(tenant.cloud.neutron.ports_of(server.id)) == 2
    delete(tenant, done)


@pytest.mark.timeout(300)
@pytest.mark.usefixtures("conductor")
@pytest.mark.parametrize("phase", CREATE.phases)
def test_instance_cancelled_at_each_state_leaves_nothing(tenant, name, phase):
    request = tenant.create(name, count=3, networks=[NETWORK], volumes=[VOLUME])
    while (now := api.get(request.id, tenant.person.project_id)).phase != phase:
        assert now.active, now
        time.sleep(0.005)
    if phase == "build":
        wait_until(lambda: tenant.cloud.nova.marked(request.id), "Nova has begun", pause=0.05)
    api.cancel(request.id, tenant.person)
    done = tenant.ended(request)

    assert done.state in {State.CANCELLED, State.SUCCEEDED}, (done.error, done.message)
    if done.state is State.SUCCEEDED:
        delete(tenant, done)
    assert all(entry.state == "DELETED" for entry in api.ledger(request.id, tenant.person.project_id))


@pytest.mark.timeout(300)
def test_hung_cinder_stalls_the_instance_and_then_it_goes_on(tenant, cloud, wire, name):
    with wire.fault(hang(), port=port(cloud, "cinder"), method="POST", path=CREATES["cinder"]):
        request = tenant.create(name, count=2, networks=[NETWORK], volumes=[VOLUME])
        stalled = wait_for(request, State.STALLED, seconds=90)
        assert stalled.message == "cinder does not answer; waiting for it."
        assert len(tenant.everything()["ports"]) == 2
    done = tenant.ended(request)

    assert done.state is State.SUCCEEDED, (done.error, done.message)
    assert sorted(tenant.everything()["volumes"]) == [f"{name}-1-volume-1", f"{name}-2-volume-1"]
    delete(tenant, done)


@pytest.mark.timeout(300)
@pytest.mark.parametrize("service", CREATES)
@pytest.mark.parametrize("action", [drop(), delay(SHORT + 2)], ids=["dropped", "late"])
def test_create_whose_answer_is_lost_leaves_no_double(tenant, cloud, wire, name, service, action):
    with wire.fault(action, port=port(cloud, service), method="POST", path=CREATES[service], times=2) as fault:
        request = tenant.create(name, count=2, networks=[NETWORK], volumes=[VOLUME])
        done = tenant.ended(request)
        assert fault.wait().method == "POST"

    assert done.state is State.SUCCEEDED, (done.error, done.message)
    rest = tenant.cloud.rest("neutron", "network").call("list", "GET", "/v2.0/ports").json()["ports"]
    assert sorted(each["name"] for each in rest) == [f"{name}-1-port-1", f"{name}-2-port-1"]
    assert len(tenant.cloud.cinder.marked(request.id)) == 2
    assert len(tenant.cloud.nova.marked(request.id)) == 2
    assert tenant.everything()["claimed"]["VCPU"] == 2
    delete(tenant, done)


@pytest.mark.timeout(300)
def test_server_group_keeps_instances_apart_and_says_so(tenant, admin, name):
    body = {"server_group": {"name": name, "policy": "anti-affinity"}}
    nova = tenant.cloud.rest("nova", "compute")
    group = nova.call("group", "POST", "/os-server-groups", json=body, headers=HEADERS).json()["server_group"]["id"]
    with conducting(tenant.under_way):
        done = tenant.ended(tenant.create(name, count=3, server_group=name))
        assert done.state is State.SUCCEEDED, (done.error, done.message)
        hosts = {admin.compute.get_server(each["id"]).hypervisor_hostname for each in done.outputs["servers"]}
        assert len(hosts) == 3
        assert hosts == {each["host"] for each in done.outputs["servers"]}

        more = tenant.ended(tenant.create(f"{name}-more", server_group=name))
        assert more.state is State.FAILED
        assert more.error["cause"] == "There is room for 0 of 1 instances."
        told = {each["host"]: each["why"] for each in more.outputs["why"]}
        assert {told[host] for host in hosts} == {"The server group has 1 here already, and its rule allows no more."}
        delete(tenant, done)
    nova.call("group", "DELETE", f"/os-server-groups/{group}")


@pytest.mark.timeout(300)
@pytest.mark.usefixtures("conductor")
def test_instance_boots_from_a_volume_that_goes_with_it(tenant, name):
    text = "#cloud-config\npassword: hush"
    request = tenant.create(
        name,
        boot_volume={"size": 1, "type": "memory", "delete": True},
        volumes=[{"size": 1, "type": "memory", "delete": False}],
        user_data_ref=tenant.cloud.userdata.put(text),
        availability_zone="nova",
        metadata={"role": "web"},
    )
    done = tenant.ended(request)
    assert done.state is State.SUCCEEDED, (done.error, done.message)
    (server,) = tenant.cloud.nova.marked(request.id)
    assert (server.status, len(server.volumes), server.metadata["role"]) == ("ACTIVE", 2, "web")
    assert tenant.everything()["claimed"].get("DISK_GB", 0) == 0
    delete(tenant, done)
    (kept,) = tenant.cloud.cinder.marked(request.id)
    assert (kept.name, kept.status) == (f"{name}-volume-1", "available")
    tenant.cloud.cinder.delete(kept.id)
    wait_until(lambda: tenant.cloud.cinder.volume(kept.id) is None, "the volume is gone")


@pytest.mark.timeout(300)
def test_host_that_goes_away_before_the_build_is_left_for_another(tenant, cloud, admin, wire, name):
    release = threading.Event()
    with wire.fault(hold(release), port=port(cloud, "nova"), method="POST", path=CREATES["nova"], times=1) as fault:
        request = tenant.create(name, networks=[NETWORK], volumes=[VOLUME])
        fault.wait(60)
        (chosen,) = api.get(request.id, tenant.person.project_id).outputs["hosts"]
        (gone,) = [each for each in admin.compute.services(host=chosen["host"]) if each.binary == "nova-compute"]
        admin.compute.disable_service(gone)
        try:
            release.set()
            done = tenant.ended(request)
        finally:
            admin.compute.enable_service(gone)

    assert done.state is State.SUCCEEDED, (done.error, done.message)
    (server,) = done.outputs["servers"]
    assert server["host"] != chosen["host"]
    assert admin.compute.get_server(server["id"]).hypervisor_hostname == server["host"]
    told = [event.message for event in api.events(request.id, tenant.person.project_id) if event.kind == "placement"]
    assert any(f"could not be built on {chosen['host']}: No valid host" in message for message in told)
    assert len(tenant.cloud.nova.marked(request.id)) == len(tenant.cloud.cinder.marked(request.id)) == 1
    delete(tenant, done)
