"""Meters of nodes and servers: Ceilometer's names, believable values, states that show."""

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devcloud.hardware import sensors
from devcloud.telemetry import history, hosts, schema, servers
from devcloud.telemetry.hosts import Node
from devcloud.telemetry.series import LOW_RATE
from devcloud.telemetry.servers import Server

NOW = 1_800_000_000.0
UUID = "6f9619ff-8b86-4d01-b42d-00c04fc964ff"
WORKING = Node(UUID, "compute-0")
IDLE = dataclasses.replace(WORKING, busy=False)
OFF = dataclasses.replace(WORKING, powered=False, busy=False)
SERVER = Server(
    id=UUID,
    name="web",
    host="cloudlet",
    flavor="m1.small",
    image="6f9619ff-8b86-4d01-b42d-00c04fc96400",
    project_id="p",
    user_id="u",
    created_at=NOW - 7200,
    vcpus=4,
    memory_mb=8192,
    disk_gb=20,
)
TIMES = st.floats(min_value=NOW, max_value=NOW + 3e7)


def _values(resources, at):
    return {meter.name: meter.value(at) for resource in resources for meter in resource.meters}


def _everything():
    return [*hosts.resources(WORKING), *hosts.sensor_resources(WORKING), *servers.resources(SERVER)]


@pytest.mark.parametrize("resource", _everything(), ids=lambda resource: resource.id)
def test_every_metric_is_one_that_the_installed_ceilometer_knows(resource):
    known = set().union(*schema.metrics().values())
    for meter in resource.meters:
        assert meter.name in known
    # The types of hosts' parts are Ceilometer's too, but it lists no metrics for them any more.
    if not resource.kind.startswith("host_"):
        assert {meter.name for meter in resource.meters} <= schema.metrics()[resource.kind]


@pytest.mark.parametrize("resource", _everything(), ids=lambda resource: resource.id)
def test_a_resource_has_the_attributes_that_its_type_requires(resource):
    from ceilometer import gnocchi_client

    types = {name: dict(attributes) for name, attributes in gnocchi_client.resources_initial.items()}
    for change in gnocchi_client.resources_update_operations:
        for step in change["data"]:
            if change["type"] == "create_resource_type":
                types[change["resource_type"]] = dict(step["attributes"])
            elif step["op"] == "add":
                types[change["resource_type"]][step["path"].rpartition("/")[2]] = step["value"]
    required = {name for name, kind in types[resource.kind].items() if kind.get("required")}
    own = set(resource.attributes) - {"user_id", "project_id"}
    assert required <= own <= set(types[resource.kind])
    assert "/" not in resource.id


@given(TIMES)
def test_a_working_node_has_shares_between_0_and_100(at):
    values = _values(hosts.resources(WORKING), at)
    for name in ("cpu_util", "mem_util", "io_util", "cups"):
        assert 0 < values[f"hardware.ipmi.node.{name}"] < 100
    assert values["hardware.ipmi.node.inlet_temperature"] < values["hardware.ipmi.node.outlet_temperature"]
    assert values["hardware.ipmi.node.outlet_temperature"] < values["hardware.ipmi.node.temperature"] < 85


@given(TIMES)
def test_power_follows_state(at):
    off, idle, working = (_values(hosts.resources(node), at) for node in (OFF, IDLE, WORKING))
    power = "hardware.ipmi.node.power"
    assert 0 < off[power] < 30 < idle[power] < working[power] < 700
    assert off["hardware.ipmi.node.cpu_util"] == 0
    assert off["hardware.ipmi.node.airflow"] == 0
    assert 0 < idle["hardware.ipmi.node.cpu_util"] < 5


def test_only_a_system_has_disk_and_network():
    kinds = [{resource.kind for resource in hosts.resources(node)} for node in (WORKING, IDLE, OFF)]
    assert kinds == [{"ipmi", "host_disk", "host_network_interface"}, {"ipmi"}, {"ipmi"}]


def test_the_hot_node_is_above_the_others_all_day():
    hot = dataclasses.replace(WORKING, heat=history.HOT.heat)
    for at in history.times(NOW):
        name = "hardware.ipmi.node.temperature"
        assert _values(hosts.resources(hot), at)[name] > _values(hosts.resources(WORKING), at)[name] + 20


def test_temperature_has_a_day_curve():
    (meter,) = (m for m in hosts.resources(WORKING)[0].meters if m.name == "hardware.ipmi.node.temperature")
    values = [meter.value(at) for at in history.times(NOW)]
    assert max(values) - min(values) > 6


def test_history_of_sensors_is_what_ceilometer_makes_of_ironics_notifications():
    """The real endpoints read a notification; names, units, ids and values must be those of our history."""
    from ceilometer.ipmi.notifications import ironic

    from devcloud.telemetry.load import ORIGIN

    at = ORIGIN + 10_000
    payload = {"node_uuid": UUID, "timestamp": "2026-01-01T00:00:00", "event_type": "hardware.simulated.metrics.update"}
    payload["payload"] = sensors.readings(WORKING.machine(at), at)
    made = set()
    for name in ("Temperature", "Fan", "Voltage", "Current"):
        endpoint = getattr(ironic, f"{name}SensorNotification").__new__(getattr(ironic, f"{name}SensorNotification"))
        for sample in endpoint.build_sample({"publisher_id": "None.None", "payload": payload}):
            made.add((sample.resource_id, sample.name, sample.unit, sample.volume))
    ours = {
        (resource.id, meter.name, meter.unit, meter.value(at))
        for resource in hosts.sensor_resources(WORKING)
        for meter in resource.meters
    }
    assert ours == made
    assert len(ours) >= 10


def test_history_of_a_node_is_the_same_each_time():
    def once():
        hosts._readings.cache_clear()
        return [meter.value(NOW) for resource in hosts.sensor_resources(WORKING) for meter in resource.meters]

    assert once() == once()


@given(TIMES, st.floats(min_value=60, max_value=86400))
def test_counters_of_servers_only_grow(at, step):
    before, after = (_values(servers.resources(SERVER), moment) for moment in (at, at + step))
    for resource in servers.resources(SERVER):
        for meter in resource.meters:
            if meter.policy == LOW_RATE:
                assert after[meter.name] > before[meter.name]


def test_counters_of_a_server_start_with_it():
    values = _values(servers.resources(SERVER), SERVER.created_at)
    assert values["cpu"] == values["network.incoming.bytes"] == values["disk.device.write.requests"] == 0


@given(TIMES)
def test_a_server_uses_no_more_than_it_has(at):
    values = _values(servers.resources(SERVER), at)
    assert 0 < values["memory.usage"] < values["memory"] == 8192
    assert 0 < values["disk.device.usage"] < values["disk.device.capacity"] == 20 * 2**30
    used = _values(servers.resources(SERVER), at + 60)["cpu"] - values["cpu"]
    assert 0 < used < 60e9 * SERVER.vcpus


def test_parts_of_a_server_name_it_and_its_owner():
    instance, *parts = servers.resources(SERVER)
    assert instance.id == UUID
    assert instance.attributes["flavor_name"] == "m1.small"
    for part in parts:
        assert part.attributes["instance_id"] == UUID
        assert part.attributes["project_id"] == "p"
