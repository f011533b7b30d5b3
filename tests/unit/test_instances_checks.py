"""Requests for instances: their shape, and what the services say to them; all problems at once, by field."""

import pytest

from tests.fakes.infrastructure import InstanceCloud
from tripleo_ui.orchestration.instances import checks, states
from tripleo_ui.orchestration.instances.demand import DISABLED, demand
from tripleo_ui.orchestration.instances.model import Model
from tripleo_ui.orchestration.instances.request import parse
from tripleo_ui.orchestration.instances.states import InstanceState
from tripleo_ui.orchestration.states import State
from tripleo_ui.services.errors import Unavailable
from tripleo_ui.services.glance import Image
from tripleo_ui.services.neutron import Network
from tripleo_ui.services.nova import Aggregate, Flavor

GOOD = {"name": "web", "flavor": "small", "image": "tiny"}


@pytest.fixture
def fake():
    return InstanceCloud()


def problems(fake, **params):
    request, wrong = parse(GOOD | params)
    assert not wrong
    return {problem.field: problem.message for problem in checks.check(request, fake.cloud()).problems}


@pytest.mark.parametrize(
    ("params", "field"),
    [
        ({"name": ""}, "name"),
        ({"name": "a\nb"}, "name"),
        ({"name": "x" * 252}, "name"),
        ({"count": 0}, "count"),
        ({"count": 101}, "count"),
        ({"count": "2"}, "count"),
        ({"count": True}, "count"),
        ({"count": 2, "min_count": 3}, "min_count"),
        ({"flavor": None}, "flavor"),
        ({"image": ""}, "image"),
        ({"boot_volume": {"size": 0}}, "boot_volume.size"),
        ({"boot_volume": {}}, "boot_volume.size"),
        ({"boot_volume": "big"}, "boot_volume"),
        ({"networks": ["blue"]}, "networks.0"),
        ({"volumes": [{"size": 1}, {"size": -1}]}, "volumes.1.size"),
        ({"volumes": [{"size": 1, "delete": "yes"}]}, "volumes.0.delete"),
        ({"volumes": {"size": 1}}, "volumes"),
        ({"networks": [{"network": "a"}, {}]}, "networks.1.network"),
        ({"networks": [{"network": "a", "fixed_ip": "10.0.0.300"}]}, "networks.0.fixed_ip"),
        ({"security_groups": ["a"]}, "security_groups"),
        ({"metadata": {"a": 1}}, "metadata.a"),
        ({"metadata": [1]}, "metadata"),
        ({"config_drive": "no"}, "config_drive"),
    ],
)
def test_wrong_shapes_are_named_by_field(params, field):
    request, wrong = parse(GOOD | params)
    assert request is None
    assert [problem.field for problem in wrong] == [field]


def test_all_wrong_shapes_are_told_at_once():
    _request, wrong = parse({"count": -1, "networks": [{}], "metadata": {"": "x"}})
    fields = {problem.field for problem in wrong}
    assert {"name", "flavor", "image", "count", "networks.0.network", "metadata."} <= fields


def test_many_instances_are_numbered():
    request, _wrong = parse(GOOD | {"count": 3})
    assert request.names == ("web-1", "web-2", "web-3")
    assert request.min_count == 3
    assert parse(GOOD)[0].names == ("web",)


def test_good_request_has_no_problems_and_one_model(fake):
    request, _wrong = parse(
        GOOD
        | {
            "networks": [{"network": "net-2", "fixed_ip": "10.1.0.9"}],
            "security_groups": ["default"],
            "volumes": [{"size": 1, "type": "fast"}],
            "availability_zone": "nova",
        }
    )
    findings = checks.check(request, fake.cloud())
    assert findings.problems == ()
    model = findings.model
    assert (model.flavor.id, model.image.name, model.security_groups) == ("flavor-small", "tiny", ("sg-1",))
    assert (model.nics[0].network.id, model.nics[0].subnet, model.volume_zone) == ("net-2", "sub-2", "nova")


def test_all_problems_come_in_one_answer(fake):
    ref = fake.cloud().userdata.put("x" * 60_000)
    found = problems(
        fake,
        flavor="none",
        image="none",
        networks=[{"network": "none"}, {"network": "blue", "fixed_ip": "10.9.0.1"}],
        security_groups=["none"],
        key_name="none",
        server_group="none",
        availability_zone="none",
        volumes=[{"size": 1, "type": "none"}],
        metadata={"a/b": "c", "tripleo_ui_request": "x", "c": "x" * 256, "d": ""},
        user_data_ref=ref,
    )
    assert set(found) == {
        *("flavor", "image", "networks.0.network", "networks.1.fixed_ip", "security_groups", "key_name"),
        *("server_group", "availability_zone", "volumes.0.type", "metadata", "metadata.a/b", "metadata.c"),
        *("metadata.tripleo_ui_request", "user_data_ref"),
    }


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("10.0.0.1", "gateway"),
        ("10.0.0.0", "own address"),
        ("10.0.0.255", "own address"),
        ("10.1.0.5", "no subnet of blue"),
        ("10.0.0.9", "The port theirs has it"),
    ],
)
def test_addresses_that_cannot_be_had(fake, address, message):
    fake.made.ports["p"] = {
        "id": "p", "name": "theirs", "network_id": "net-1", "status": "ACTIVE", "device_id": "s", "description": "",
        "fixed_ips": [{"ip_address": "10.0.0.9"}],
    }  # fmt: skip
    assert message in problems(fake, networks=[{"network": "blue", "fixed_ip": address}])["networks.0.fixed_ip"]


def test_address_is_for_one_instance_and_once(fake):
    nic = {"network": "blue", "fixed_ip": "10.0.0.7"}
    assert "many" in problems(fake, count=2, networks=[nic])["networks.0.fixed_ip"]
    assert "twice" in problems(fake, networks=[nic, nic])["networks.1.fixed_ip"]


def test_quotas_count_the_whole_group(fake):
    fake.made.unlimited = {"maxTotalInstances": 9, "maxTotalCores": 9, "maxTotalRAMSize": 512 * 9}
    fake.made.port_quota, fake.made.volume_quota, fake.made.gigabyte_quota = 9, 9, 19
    params = {"networks": [{"network": "blue"}], "volumes": [{"size": 2}]}
    assert problems(fake, count=9, **params) == {}
    found = problems(fake, count=10, **params)
    assert set(found) == {"count", "flavor", "networks", "volumes"}
    assert found["count"] == "10 instances are asked, and 9 of the quota of 9 are free."


def test_image_has_to_fit(fake):
    image = fake.compute.images[-1]
    image |= {"min_ram": 1024}
    assert "1024 MiB of RAM" in problems(fake)["flavor"]
    image |= {"min_ram": 0, "min_disk": 6}
    assert "disk of 6 GiB" in problems(fake)["flavor"]
    assert problems(fake, boot_volume={"size": 6}) == {}
    assert "6 GiB" in problems(fake, boot_volume={"size": 5})["boot_volume.size"]
    image |= {"min_disk": 0, "virtual_size": 3 * 1024**3 + 1}
    assert "4 GiB" in problems(fake, boot_volume={"size": 3})["boot_volume.size"]
    image |= {"status": "queued"}
    assert problems(fake, boot_volume={"size": 4}) == {"image": "It is queued, not active."}
    image |= {"status": "active", "disk_format": "ari"}
    assert "ari" in problems(fake, boot_volume={"size": 4})["image"]


def test_names_that_are_not_unique_want_an_id(fake):
    fake.made.networks.append({"id": "net-3", "name": "blue", "admin_state_up": True, "subnets": ["s"]})
    assert "give the id" in problems(fake, networks=[{"network": "blue"}])["networks.0.network"]
    assert problems(fake, networks=[{"network": "net-1"}]) == {}


def test_service_that_is_away_is_no_problem_of_the_request(fake):
    fake.failures["neutron"] = "refuse"
    request, _wrong = parse(GOOD | {"networks": [{"network": "blue"}]})
    with pytest.raises(Unavailable):
        checks.check(request, fake.cloud())


def test_services_that_are_not_needed_are_not_asked(fake):
    problems(fake)
    assert set(fake.calls) == {"nova", "glance"}


def ask(flavor=None, image=None, networks=(), **params):
    request, _wrong = parse(GOOD | params)
    flavor = Flavor("f", "f", 4, 2048, 20, **(flavor or {}))
    nics = tuple(checks.network_checks.Nic(network, bandwidth=bandwidth) for network, bandwidth in networks)
    return Model(request, flavor, Image("i", "i", 1, **(image or {})), nics)


def test_demand_is_the_flavors_resources_and_traits():
    specs = {
        "resources:VCPU": "0",
        "resources:CUSTOM_GOLD": "1",
        "trait:CUSTOM_FAST": "required",
        "trait:CUSTOM_OLD": "forbidden",
        "resources1:VGPU": "1",
        "trait1:CUSTOM_GPU": "required",
        "resources_2:SRIOV_NET_VF": "2",
        "group_policy": "isolate",
    }
    flavor = {"ephemeral": 5, "swap": 1500, "extra_specs": specs}
    query = demand(ask(flavor, {"traits": frozenset({"HW_X"})})).query()
    assert query == {
        "resources": "CUSTOM_GOLD:1,DISK_GB:27,MEMORY_MB:2048",
        "required": f"CUSTOM_FAST,HW_X,!{DISABLED},!CUSTOM_OLD",
        "resources1": "VGPU:1",
        "required1": "CUSTOM_GPU",
        "resources_2": "SRIOV_NET_VF:2",
        "group_policy": "isolate",
    }


def test_volume_to_boot_from_takes_no_disk_of_the_host_and_dedicated_cpus_are_others():
    query = demand(ask({"extra_specs": {"hw:cpu_policy": "dedicated"}}, boot_volume={"size": 9})).query()
    assert query["resources"] == "MEMORY_MB:2048,PCPU:4"


def test_ports_bandwidth_is_asked_of_their_physical_network():
    network = Network("n", "n", physical_network="rack-1")
    query = demand(ask(networks=[(network, {"egress": 1000}), (network, {})])).query()
    assert query["resources_port0"] == "NET_BW_EGR_KILOBIT_PER_SEC:1000"
    assert query["required_port0"] == "CUSTOM_PHYSNET_RACK_1,CUSTOM_VNIC_TYPE_NORMAL"
    assert "resources_port1" not in query


def test_zone_is_its_aggregates_and_the_default_one_is_none_of_them():
    aggregates = [Aggregate("a1", "x", "east"), Aggregate("a2", "y", "east"), Aggregate("a3", "z", "")]
    assert demand(ask(availability_zone="east"), aggregates).query()["member_of"] == ["in:a1,a2"]
    assert demand(ask(availability_zone="nova"), aggregates).query()["member_of"] == ["!in:a1,a2"]
    assert "member_of" not in demand(ask(), aggregates).query()


@pytest.mark.parametrize(
    ("phase", "state", "shown"),
    [
        ("", State.QUEUED, InstanceState.VALIDATING),
        ("validate", State.RUNNING, InstanceState.VALIDATING),
        ("reserve_hosts", State.STALLED, InstanceState.VALIDATING),
        ("reserve_ports", State.RUNNING, InstanceState.HOST_RESERVED),
        ("reserve_volumes", State.CANCELLING, InstanceState.PORTS_RESERVED),
        ("build_specification", State.RUNNING, InstanceState.VOLUMES_RESERVED),
        ("build", State.REVERTING, InstanceState.SPEC_BUILT),
        ("build", State.RUNNING, InstanceState.BUILDING),
        ("", State.SUCCEEDED, InstanceState.ACTIVE),
        ("build", State.PARTIAL, InstanceState.ACTIVE),
    ],
)
def test_state_that_is_shown_is_the_last_one_reached(phase, state, shown):
    assert states.of(phase, state) is shown
