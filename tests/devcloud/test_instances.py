"""Instances on the real services: made, cancelled at each state, deleted; nothing is left that should not be."""

import time
import uuid

import pytest

from tests.instances import Tenant, conducting, new_project
from tests.orchestration import database
from tripleo_ui.orchestration import api
from tripleo_ui.orchestration.api import State
from tripleo_ui.orchestration.flows.instance import CREATE

__all__ = ["database"]

NETWORK = {"network": "ctlplane"}
VOLUME = {"size": 1, "type": "memory", "delete": True}


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
    api.cancel(request.id, tenant.person)
    done = tenant.ended(request)

    assert done.state in {State.CANCELLED, State.SUCCEEDED}, (done.error, done.message)
    if done.state is State.SUCCEEDED:
        delete(tenant, done)
    assert all(entry.state == "DELETED" for entry in api.ledger(request.id, tenant.person.project_id))
