"""Who may say where a server goes: administrators, and who comes with a service's token."""

import uuid

import pytest

from devcloud.render import COMPUTE_HOSTS
from devcloud.seed.connection import connect
from tests.cloud import wait_until

PLACEMENT = {"OpenStack-API-Version": "placement 1.39"}


@pytest.fixture(scope="module")
def demo(cloud):
    return cloud.connect("demo")


@pytest.fixture(scope="module")
def conductor(cloud):
    """The conductor's own user."""
    return connect(cloud.layout, project="service", user="tripleo_ui")


@pytest.fixture
def ask(admin, demo):
    """Asks Nova, as a person, for a server somewhere; what comes of it goes again."""
    made = []
    body = {
        "name": f"test-{uuid.uuid4().hex[:8]}",
        "imageRef": demo.image.find_image("tiny", ignore_missing=False).id,
        "flavorRef": demo.compute.find_flavor("m1.small", ignore_missing=False).id,
        "networks": [{"uuid": demo.network.find_network("ctlplane", ignore_missing=False).id}],
    }

    def post(token=None, **where):
        headers = {"X-Service-Token": token} if token else {}
        reply = demo.compute.post("/servers", json={"server": {**body, **where}}, headers=headers, microversion="2.74")
        if reply.status_code == 202:
            made.append(reply.json()["server"]["id"])
        return reply

    yield post
    for server in made:
        admin.compute.delete_server(server)
    wait_until(lambda: not set(made) & {found.id for found in demo.compute.servers(details=False)}, "they are gone")


@pytest.mark.parametrize("where", [{"host": COMPUTE_HOSTS[1]}, {"hypervisor_hostname": COMPUTE_HOSTS[1]}])
def test_a_person_may_not_say_where(ask, demo, where):
    assert ask(**where).status_code == 403
    # A token without the role "service" is none of a service.
    assert ask(token=demo.session.get_token(), **where).status_code in {401, 403}


@pytest.mark.parametrize("key", ["host", "hypervisor_hostname"])
def test_with_a_services_token_the_server_goes_where_it_is_told(ask, admin, conductor, key):
    asked = {host: ask(token=conductor.session.get_token(), **{key: host}) for host in COMPUTE_HOSTS}
    assert {host: reply.status_code for host, reply in asked.items()} == dict.fromkeys(COMPUTE_HOSTS, 202)
    for host, reply in asked.items():
        server = reply.json()["server"]["id"]
        wait_until(lambda server=server: admin.compute.get_server(server).status == "ACTIVE", "the server runs")
        assert admin.compute.get_server(server).hypervisor_hostname == host


def test_a_destination_that_does_not_exist_is_refused_at_once(ask, conductor):
    assert ask(token=conductor.session.get_token(), host="nowhere").status_code == 400


@pytest.mark.parametrize("path", ["/resource_providers", "/allocation_candidates?resources=VCPU:1", "/traits"])
def test_placement_answers_the_conductors_user(conductor, demo, path):
    assert conductor.placement.get(path, headers=PLACEMENT).status_code == 200
    assert demo.placement.get(path, headers=PLACEMENT).status_code == 403
