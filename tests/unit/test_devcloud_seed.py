"""The seed's steps: complete, and harmless when they run again."""

import importlib
import types

import pytest
from openstack import exceptions

from devcloud import schema, seed, services
from devcloud.seed import compute, identity, images, network, nodes, volumes
from devcloud.seed.hardware import KINDS


class Records(list):
    """Stands in for one kind of thing of a service: what was made is found again by its name."""

    def make(self, **attributes):
        made = types.SimpleNamespace(id=f"id-{len(self)}", **attributes)
        self.append(made)
        return made

    def find(self, name, **_query):
        return next((item for item in self if item.name == name), None)


def test_each_step_is_a_module_and_comes_after_something_known():
    known = {service.name for service in services.ALL} | {f"seed-{step.name}" for step in seed.STEPS}
    for step in seed.STEPS:
        assert callable(importlib.import_module(f"devcloud.seed.{step.name}").run)
        assert set(step.after) <= known
        assert step.of in known


def test_each_service_with_a_database_has_a_maker():
    assert {service.name for service in services.ALL if service.database} == set(schema.MAKERS)


def test_sixteen_nodes_of_four_kinds():
    assert sum(kind.count for kind in KINDS) == 16
    assert len({kind.placement_class for kind in KINDS}) == len(KINDS) == 4
    for kind in KINDS:
        # Placement's name of what Ironic calls baremetal.x
        assert kind.placement_class == "CUSTOM_" + kind.resource_class.upper().replace(".", "_")


def test_bare_metal_flavors_ask_for_a_whole_node_and_nothing_else():
    for kind in KINDS:
        specs = compute.extra_specs(kind)
        assert {specs[f"resources:{name}"] for name in ("VCPU", "MEMORY_MB", "DISK_GB")} == {"0"}
        assert specs[f"resources:{kind.placement_class}"] == "1"
        assert specs[f"trait:{kind.trait}"] == "required"


def test_flavors_are_made_once():
    flavors, extra = Records(), {}
    api = types.SimpleNamespace(
        flavors=lambda **_query: flavors,
        create_flavor=flavors.make,
        create_flavor_extra_specs=lambda flavor, specs: extra.update({flavor.name: specs}),
    )
    cloud = types.SimpleNamespace(compute=api)
    for _ in range(2):
        compute.run(cloud, None)
    assert sorted(f.name for f in flavors) == sorted([*(kind.name for kind in KINDS), "m1.small", "m1.medium"])
    assert set(extra) == {kind.name for kind in KINDS}


def test_images_are_made_once_and_again_when_an_upload_was_cut_off():
    made = Records()
    api = types.SimpleNamespace(images=lambda: made, create_image=lambda **a: made.make(status="active", **a))
    cloud = types.SimpleNamespace(image=api)
    for _ in range(2):
        images.run(cloud, None)
    assert len(made) == len(images.OVERCLOUD) + 1
    assert all(len(image.data) == 1024 for image in made)
    made[0].status = "queued"
    images.run(cloud, None)
    assert [image.name for image in made].count(made[0].name) == 2


def test_network_is_flat_shared_and_made_once():
    networks, subnets = Records(), Records()
    api = types.SimpleNamespace(
        find_network=networks.find,
        create_network=networks.make,
        find_subnet=subnets.find,
        create_subnet=subnets.make,
    )
    for _ in range(2):
        network.run(types.SimpleNamespace(network=api), None)
    assert [(n.name, n.provider_network_type, n.is_shared) for n in networks] == [("ctlplane", "flat", True)]
    assert [(s.cidr, s.network_id) for s in subnets] == [("192.168.24.0/24", networks[0].id)]


def test_volume_type_is_made_once():
    types_ = Records()
    api = types.SimpleNamespace(find_type=types_.find, create_type=types_.make)
    for _ in range(2):
        volumes.run(types.SimpleNamespace(block_storage=api), None)
    assert [t.name for t in types_] == ["memory"]


class Ironic:
    """Nodes that go where they are told at once."""

    TARGETS = {"manage": "manageable", "inspect": "manageable", "provide": "available"}

    def __init__(self):
        self.made = Records()
        self.macs = set()
        self.steps = []
        self.traits = {}

    def nodes(self, **_query):
        return list(self.made)

    def get_node(self, node_id):
        return next(node for node in self.made if node.id == node_id)

    def create_node(self, **attributes):
        return self.made.make(**attributes)

    def create_port(self, address, **_attributes):
        if address in self.macs:
            raise exceptions.ConflictException
        self.macs.add(address)

    def set_node_traits(self, node, traits):
        self.traits[node.name] = traits

    def set_node_provision_state(self, node, target, wait, timeout):
        assert wait
        assert timeout
        self.steps.append((node.name, target))
        node.provision_state = self.TARGETS[target]
        return node


def test_nodes_are_brought_up_once():
    ironic = Ironic()
    cloud = types.SimpleNamespace(baremetal=ironic)
    nodes.run(cloud, None)
    assert {node.provision_state for node in ironic.made} == {"available"}
    assert len(ironic.macs) == 2 * len(ironic.made) == 32
    assert [target for name, target in ironic.steps if name == "gpu-0"] == ["manage", "inspect", "provide"]
    for kind in KINDS:
        assert ironic.traits[f"{kind.name}-0"][0] == kind.trait
    done = len(ironic.steps)
    nodes.run(cloud, None)
    assert len(ironic.steps) == done
    assert len(ironic.made) == 16


@pytest.mark.parametrize(
    ("state", "steps"),
    [("enroll", ["manage", "inspect", "provide"]), ("manageable", ["inspect", "provide"]), ("active", [])],
)
def test_a_node_goes_on_from_where_it_is(state, steps):
    ironic = Ironic()
    nodes.run(types.SimpleNamespace(baremetal=ironic), None)
    ironic.steps.clear()
    node = ironic.made.find("control-0")
    node.provision_state = state
    nodes.run(types.SimpleNamespace(baremetal=ironic), None)
    assert ironic.steps == [("control-0", step) for step in steps]


def test_a_node_that_fails_fails_the_step():
    ironic = Ironic()
    ironic.set_node_provision_state = lambda *_args, **_kw: (_ for _ in ()).throw(
        exceptions.ResourceFailure("inspection failed")
    )
    with pytest.raises(exceptions.ResourceFailure, match="inspection failed"):
        nodes.run(types.SimpleNamespace(baremetal=ironic), None)


def test_catalog_names_each_type_once_and_a_port_that_exists():
    from devcloud.layout import PORTS

    kinds = [kind for kind, _name, _port, _path in identity.CATALOG]
    assert len(kinds) == len(set(kinds))
    assert {port for _kind, _name, port, _path in identity.CATALOG} <= set(PORTS)
    assert {"orchestration", "object-store", "baremetal", "metric", "alarming", "placement"} <= set(kinds)
    assert "tripleo_ui" not in identity.SERVICE_USERS
