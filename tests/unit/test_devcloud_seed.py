"""The seed's steps: complete, and harmless when they run again."""

import importlib
import tempfile
import types
from pathlib import Path

import pytest
from openstack import exceptions

from devcloud import schema, seed, services
from devcloud.layout import Layout
from devcloud.seed import compute, identity, images, making, network, nodes, volumes
from devcloud.seed.hardware import KINDS
from devcloud.telemetry import history


class Records(list):
    """Stands in for one kind of thing of a service: what was made is found again by its name."""

    def make(self, **attributes):
        made = types.SimpleNamespace(id=f"id-{len(self)}", **attributes)
        self.append(made)
        return made

    def make_twice(self, **attributes):
        """The request arrives twice: what comes back is the answer to the second one."""
        self.make(**attributes)
        raise exceptions.ConflictException("Duplicate")

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

    def find_node(self, name):
        return self.made.find(name)

    def create_port(self, address, **_attributes):
        if address in self.macs:
            raise exceptions.ConflictException
        self.macs.add(address)

    def ports(self, address):
        return iter([address] if address in self.macs else [])

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


def test_who_is_hot_in_history_is_hot_now():
    told = history.stories(f"{kind.name}-{number}" for kind in KINDS for number in range(kind.count))
    ironic = Ironic()
    nodes.run(types.SimpleNamespace(baremetal=ironic), None)
    heated = {node.name: node.driver_info["sim_heat"] for node in ironic.made if "sim_heat" in node.driver_info}
    assert heated == {name: f"{history.HOT_DEGREES:g}" for name, story in told.items() if story == history.HOT}
    assert len(heated) == 1


def test_what_an_unheard_answer_left_is_used():
    found = object()

    def refuse():
        raise exceptions.BadRequestException("it overlaps with itself")

    assert making.make(refuse, lambda: found) is found
    with pytest.raises(exceptions.BadRequestException, match="overlaps"):
        making.make(refuse, lambda: None)


def _compute(things):
    api = types.SimpleNamespace(
        flavors=lambda **_query: [],
        find_flavor=things.find,
        create_flavor=things.make_twice,
        create_flavor_extra_specs=lambda flavor, _specs: flavor.id,
    )
    compute.run(types.SimpleNamespace(compute=api), None)


def _network(things):
    subnets = Records()
    api = types.SimpleNamespace(
        find_network=things.find,
        create_network=things.make_twice,
        find_subnet=subnets.find,
        create_subnet=subnets.make_twice,
    )
    network.run(types.SimpleNamespace(network=api), None)
    assert len(subnets) == 1


def _volumes(things):
    api = types.SimpleNamespace(find_type=things.find, create_type=things.make_twice)
    volumes.run(types.SimpleNamespace(block_storage=api), None)


def _nodes(things):
    ironic = Ironic()
    ironic.made, ironic.create_node = things, things.make_twice
    nodes.run(types.SimpleNamespace(baremetal=ironic), None)
    assert {node.provision_state for node in things} == {"available"}


def _identity(things):
    kinds = {"user": things, **{kind: Records() for kind in ("project", "role", "domain", "service", "endpoint")}}
    calls = {f"create_{kind}": made.make_twice for kind, made in kinds.items()}
    calls |= {f"find_{kind}": made.find for kind, made in kinds.items()}
    calls |= {f"{kind}s": lambda **_query: [] for kind in kinds}
    # Keystone knows no service or endpoint by its name: it takes a second one.
    calls |= {f"create_{kind}": kinds[kind].make for kind in ("service", "endpoint")}
    grants = dict.fromkeys(
        (
            "assign_project_role_to_user",
            "assign_system_role_to_user",
            "assign_domain_role_to_user",
        ),
        lambda *_who: None,
    )
    kinds["domain"].make(name="Default")
    calls["find_domain"] = lambda name, **_query: kinds["domain"].find(name)
    with tempfile.TemporaryDirectory() as folder:
        layout = Layout(Path(folder), 30000)
        identity.run(types.SimpleNamespace(identity=types.SimpleNamespace(**calls, **grants)), layout)
        assert layout.service_user_id.read_text()
    for kind in ("project", "role", "domain"):
        names = [thing.name for thing in kinds[kind]]
        assert len(names) == len(set(names)) > 1


@pytest.mark.parametrize("seeds", [_compute, _network, _volumes, _nodes, _identity])
def test_a_request_that_arrives_twice_is_no_failure(seeds):
    things = Records()
    seeds(things)
    names = [thing.name for thing in things]
    assert len(names) == len(set(names)) > 0


def test_catalog_names_each_type_once_and_a_port_that_exists():
    from devcloud.layout import PORTS

    kinds = [kind for kind, _name, _port, _path in identity.CATALOG]
    assert len(kinds) == len(set(kinds))
    assert {port for _kind, _name, port, _path in identity.CATALOG} <= set(PORTS)
    assert {"orchestration", "object-store", "baremetal", "metric", "alarming", "placement"} <= set(kinds)
    assert "tripleo_ui" not in identity.SERVICE_USERS
