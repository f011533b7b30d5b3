"""The undercloud's main promise: Heat's servers land on Ironic's nodes, beside virtual machines."""

import os
import signal
import uuid

import pytest

from devcloud.render import COMPUTE_HOSTS
from devcloud.seed.hardware import KINDS
from tests.cloud import wait_until

SERVERS = """
heat_template_version: 2021-04-16
resources:
  group:
    type: OS::Heat::ResourceGroup
    properties:
      count: 2
      resource_def:
        type: OS::Nova::Server
        properties:
          name: NAME-%index%
          flavor: control
          image: overcloud-control
          config_drive: true
          user_data_format: RAW
          user_data: "#cloud-config"
          networks: [{network: ctlplane}]
  virtual:
    type: OS::Nova::Server
    properties:
      name: NAME-virtual
      flavor: m1.small
      image: tiny
      networks: [{network: ctlplane}]
outputs:
  servers: {value: {get_attr: [group, refs]}}
  addresses: {value: {get_attr: [group, first_address]}}
  virtual: {value: {get_resource: virtual}}
"""


@pytest.fixture
def stack(admin):
    """A stack of two bare metal servers and one virtual one; it is gone at the end."""
    name = f"test-{uuid.uuid4().hex[:8]}"
    api = admin.orchestration
    made = api.create_stack(name=name, template=SERVERS.replace("NAME", name))
    yield made
    api.delete_stack(made, ignore_missing=True)
    wait_until(lambda: _gone(api, made.id), f"stack {name} deleted")


def _gone(api, stack_id):
    found = api.find_stack(stack_id, ignore_missing=True)
    assert found is None or not found.status.endswith("FAILED"), found.status_reason
    return found is None or found.status == "DELETE_COMPLETE"


def _created(api, stack_id):
    found = api.get_stack(stack_id)
    assert not found.status.endswith("FAILED"), found.status_reason
    return found if found.status == "CREATE_COMPLETE" else None


def _nodes(admin, **query):
    return [n for n in admin.baremetal.nodes(details=True) if all(getattr(n, k) == v for k, v in query.items())]


def test_sixteen_nodes_of_four_kinds_are_there(admin):
    for kind in KINDS:
        nodes = _nodes(admin, resource_class=kind.resource_class)
        assert len(nodes) == kind.count
        for node in nodes:
            assert node.driver == "simulated"
            assert kind.trait in node.traits
            assert node.properties["vendor"]
            assert admin.baremetal.get_node_inventory(node)["inventory"]["cpu"]
    ports = list(admin.baremetal.ports(details=True))
    assert len(ports) >= 2 * sum(kind.count for kind in KINDS)
    assert {port.physical_network for port in ports} >= {"ctlplane"}


def test_placement_knows_each_node_by_class_and_trait(admin):
    for kind in KINDS:
        found = admin.placement.get(
            f"/resource_providers?resources={kind.placement_class}:1&required={kind.trait}",
            headers={"OpenStack-API-Version": "placement 1.39"},
        ).json()["resource_providers"]
        free = [n for n in _nodes(admin, resource_class=kind.resource_class) if not n.instance_id]
        assert len(found) <= kind.count
        assert {provider["uuid"] for provider in found} <= {node.id for node in free}


@pytest.mark.timeout(600)
def test_stack_lands_on_nodes_and_gives_them_back(admin, stack):
    made = wait_until(lambda: _created(admin.orchestration, stack.id), "stack created", seconds=240)
    outputs = {output["output_key"]: output["output_value"] for output in made.outputs}

    assert len(outputs["servers"]) == 2
    assert all(address.startswith("192.168.24.") for address in outputs["addresses"])
    taken = {node.instance_id: node for node in _nodes(admin, resource_class="baremetal.control")}
    for server_id in outputs["servers"]:
        server = admin.compute.get_server(server_id)
        node = taken[server_id]
        assert server.status == "ACTIVE"
        assert server.hypervisor_hostname == node.id
        assert node.provision_state == "active"
        assert node.power_state == "power on"
        port = next(iter(admin.network.ports(device_id=server_id)))
        assert port.status == "ACTIVE"
        assert port.mac_address in {p.address for p in admin.baremetal.ports(node=node.id)}

    virtual = admin.compute.get_server(outputs["virtual"])
    assert virtual.status == "ACTIVE"
    assert virtual.hypervisor_hostname in COMPUTE_HOSTS

    nodes = [taken[server_id].id for server_id in outputs["servers"]]
    admin.orchestration.delete_stack(stack)
    wait_until(lambda: _gone(admin.orchestration, stack.id), "stack deleted", seconds=180)
    wait_until(
        lambda: all(
            (n := admin.baremetal.get_node(node)).provision_state == "available" and not n.instance_id for node in nodes
        ),
        "nodes available again",
    )


ONE = """
heat_template_version: 2021-04-16
resources:
  server:
    type: OS::Nova::Server
    properties:
      name: NAME
      flavor: storage
      image: overcloud-block-storage
      networks: [{network: ctlplane}]
outputs:
  server: {value: {get_resource: server}}
"""


@pytest.mark.timeout(600)
def test_a_member_of_a_project_gets_a_node_too(cloud, admin):
    demo = cloud.connect("demo")
    name = f"test-{uuid.uuid4().hex[:8]}"
    stack = demo.orchestration.create_stack(name=name, template=ONE.replace("NAME", name))
    try:
        made = wait_until(lambda: _created(demo.orchestration, stack.id), "stack created", seconds=240)
        server = made.outputs[0]["output_value"]
        (node,) = [node for node in _nodes(admin) if node.instance_id == server]
        assert node.resource_class == "baremetal.storage"
        assert node.provision_state == "active"
        assert demo.compute.get_server(server).status == "ACTIVE"
    finally:
        demo.orchestration.delete_stack(stack)
        wait_until(lambda: _gone(demo.orchestration, stack.id), "stack deleted", seconds=180)


def test_more_than_there_are_fails_with_a_reason(admin):
    """The one node of its kind: a second server of the flavor finds no host."""
    name = f"test-{uuid.uuid4().hex[:8]}"
    template = ONE.replace("NAME", name).replace("flavor: storage", "flavor: gpu").replace("block-storage", "compute")
    second = template.replace("  server:\n    type", "  other:\n    type").partition("outputs:")[0]
    both = template.replace("outputs:", second.partition("resources:\n")[2] + "outputs:")
    stack = admin.orchestration.create_stack(name=name, template=both)
    try:

        def failed():
            found = admin.orchestration.get_stack(stack.id)
            assert found.status != "CREATE_COMPLETE"
            return found if found.status == "CREATE_FAILED" else None

        reason = wait_until(failed, "stack failed", seconds=240).status_reason
        assert "No valid host was found" in reason
    finally:
        admin.orchestration.delete_stack(stack)
        wait_until(lambda: _gone(admin.orchestration, stack.id), "stack deleted", seconds=180)
    wait_until(
        lambda: all(n.provision_state == "available" for n in _nodes(admin, resource_class="baremetal.gpu")),
        "the node is available again",
    )


@pytest.mark.timeout(600)
def test_servers_survive_novas_death(cloud, admin):
    network = admin.network.find_network("ctlplane")
    name = f"test-{uuid.uuid4().hex[:8]}"
    servers = [
        admin.compute.create_server(
            name=f"{name}-{flavor}",
            flavor_id=admin.compute.find_flavor(flavor).id,
            image_id=admin.image.find_image(image).id,
            networks=[{"uuid": network.id}],
        )
        for flavor, image in (("m1.small", "tiny"), ("storage", "overcloud-block-storage"))
    ]
    try:
        for server in servers:
            admin.compute.wait_for_server(server, wait=180)
        before = cloud.status()["services"]["nova"]
        os.kill(before["pid"], signal.SIGKILL)
        wait_until(
            lambda: (
                (now := cloud.status()["services"]["nova"])["restarts"] > before["restarts"]
                and now["state"] == "healthy"
            ),
            "nova is back",
            seconds=180,
        )
        for server in servers:
            assert admin.compute.get_server(server).status == "ACTIVE"
    finally:
        for server in servers:
            admin.compute.delete_server(server)
        for server in servers:
            admin.compute.wait_for_delete(server, wait=180)
    wait_until(lambda: not [n for n in _nodes(admin) if n.instance_id in {s.id for s in servers}], "the node is free")
