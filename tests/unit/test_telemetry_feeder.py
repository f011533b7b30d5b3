"""Rounds of the feeder: history once, the present each time, and services that are away cost rounds only."""

import dataclasses

import pytest
from gnocchiclient import exceptions as gnocchi_errors
from keystoneauth1 import exceptions as keystone_errors
from openstack import exceptions as sdk_errors

from devcloud.telemetry import feeder, history, inventory, retry
from devcloud.telemetry.feeder import MARK, Feeder
from devcloud.telemetry.hosts import Node
from devcloud.telemetry.servers import Server

NOW = 1_800_000_123.0
DAY = 24 * 3600
SERVER = Server("11111111-0000-4000-8000-000000000000", "web", "cloudlet", "m1", "i", "p", "u", NOW - 3600)
TOLD = history.stories(f"node-{number}" for number in range(4))
# The seed sets the knob of the one that is hot.
NODES = [
    Node(f"00000000-0000-4000-8000-{number:012}", name, heat=story.heat)
    for number, (name, story) in enumerate(TOLD.items())
]


class Memory:
    """A store that keeps measures by resource and metric."""

    def __init__(self):
        self.series, self.order, self.ended, self.error = {}, [], [], None

    def newest(self, resource_id, metric, since):
        return max((at for at in self.series.get((resource_id, metric), {}) if at >= since), default=None)

    def write(self, rows):
        if self.error:
            error, self.error = self.error, None
            raise error
        written = 0
        for resource, meter, points in rows:
            found = list(points)
            assert [at for at, _value in found] == sorted(at for at, _value in found)
            written += len(found)
            self.order.append((resource.id, meter.name))
            self.series.setdefault((resource.id, meter.name), {}).update(found)
        return written

    def end(self, kind, resource_id, at):
        self.ended.append((kind, resource_id, at))


class World:
    def __init__(self, nodes=(), servers=()):
        self.nodes, self.servers, self.now, self.memory = list(nodes), list(servers), NOW, Memory()

    def feeder(self):
        return Feeder(self.memory, lambda: self.nodes, lambda: self.servers, lambda: self.now)

    def times(self, node, metric=MARK):
        return sorted(self.memory.series.get((node.uuid, metric), {}))


def _named(story):
    (node,) = (node for node in NODES if TOLD[node.name] == story)
    return node


def test_first_round_fills_a_day_and_writes_the_present():
    world = World(NODES)
    world.feeder().round()
    times = world.times(_named(history.PLAIN))
    assert len(times) in {288, 289}
    assert NOW - DAY <= times[0] <= NOW - DAY + 300
    assert times[-1] == NOW


def test_gap_and_death_are_in_what_is_stored():
    world = World([dataclasses.replace(node, powered=False, busy=False) for node in NODES])
    world.feeder().round()
    since, until = history.GAP
    gapped = world.times(_named(history.GAPPED))
    assert not [at for at in gapped if NOW - 3600 * since <= at < NOW - 3600 * until]
    assert gapped[-1] == NOW
    assert world.times(_named(history.DEAD))[-1] < NOW - 3600 * history.DEATH


def test_the_hot_node_is_hot_in_history_and_now():
    world = World(NODES)
    world.feeder().round()
    hot, plain = _named(history.HOT), _named(history.PLAIN)
    for at in (world.times(plain)[0], NOW):
        metric = "hardware.ipmi.node.temperature"
        assert world.memory.series[hot.uuid, metric][at] > world.memory.series[plain.uuid, metric][at] + 10


def test_sensors_have_history_but_their_present_is_ironics():
    world = World(NODES)
    world.feeder().round()
    times = sorted(world.memory.series[f"{_named(history.PLAIN).uuid}-fan1_(0x30)", "hardware.ipmi.fan"])
    assert len(times) in {287, 288}
    assert times[-1] < NOW


def test_the_mark_is_written_last():
    world = World(NODES[:1])
    world.feeder().round()
    first = world.memory.order.index((NODES[0].uuid, MARK))
    assert {name for _id, name in world.memory.order[:first]} >= {"hardware.ipmi.fan", "network.incoming.bytes"}
    assert (NODES[0].uuid, "hardware.ipmi.node.power") in world.memory.order[:first]


def test_a_second_round_writes_the_present_only():
    world = World(NODES, [SERVER])
    loop = world.feeder()
    loop.round()
    before = {key: set(points) for key, points in world.memory.series.items()}
    world.now += 60
    loop.round()
    added = {at for key, points in world.memory.series.items() for at in set(points) - before[key]}
    assert added == {world.now}


def test_a_restarted_feeder_repeats_nothing():
    world = World(NODES)
    world.feeder().round()
    count = sum(len(points) for points in world.memory.series.values())
    world.now += 20
    world.feeder().round()
    added = sum(len(points) for points in world.memory.series.values()) - count
    assert added == sum(1 for key in world.memory.series if world.now in world.memory.series[key])


def test_a_restart_hours_later_fills_what_was_missed():
    world = World(NODES)
    world.feeder().round()
    world.now += 3 * 3600
    world.feeder().round()
    missed = [at for at in world.times(_named(history.PLAIN)) if NOW < at < world.now]
    assert len(missed) == 36


def test_what_a_restart_fills_in_shows_the_node_as_it_is_now():
    plain = _named(history.PLAIN)
    world = World([dataclasses.replace(node, powered=False, busy=False) for node in NODES])
    world.feeder().round()
    world.now += 3600
    world.feeder().round()
    power = world.memory.series[plain.uuid, "hardware.ipmi.node.power"]
    assert min(watts for at, watts in power.items() if at < NOW) > 100, "at work before the first start"
    assert {watts < 30 for at, watts in power.items() if at >= NOW} == {True}, "off since then"
    received = world.memory.series[f"{plain.uuid}.eno1", "network.incoming.bytes"]
    assert max(received) < NOW


def test_the_dead_node_stays_dead_at_a_restart_and_lives_when_it_is_switched_on():
    dead = _named(history.DEAD)
    off = [dataclasses.replace(node, powered=False, busy=False) for node in NODES]
    world = World(off)
    world.feeder().round()
    death = world.times(dead)[-1]
    world.now += 3600
    world.feeder().round()
    assert world.times(dead)[-1] == death
    world.nodes = NODES
    world.feeder().round()
    assert world.times(dead)[-1] == world.now


def test_history_is_not_cut_short_by_a_failure_in_its_middle():
    world = World(NODES[:1])
    loop = world.feeder()
    world.memory.error = gnocchi_errors.ClientException(503, "busy")
    with pytest.raises(gnocchi_errors.ClientException):
        loop.round()
    loop.round()
    assert len(world.times(NODES[0])) in {288, 289}


def test_a_node_that_is_enrolled_later_has_a_present_but_no_past():
    world = World(NODES)
    loop = world.feeder()
    loop.round()
    newcomer = Node("22222222-0000-4000-8000-000000000000", "node-9")
    world.nodes = [*NODES, newcomer]
    for _round in range(2):
        world.now += 60
        loop.round()
    assert world.times(newcomer) == [NOW + 60, NOW + 120]


def test_nodes_that_come_after_an_empty_first_round_have_history():
    world = World()
    loop = world.feeder()
    loop.round()
    world.nodes = NODES
    loop.round()
    assert len(world.times(_named(history.PLAIN))) in {288, 289}


def test_a_servers_history_starts_with_it():
    world = World([], [SERVER])
    world.feeder().round()
    times = sorted(world.memory.series[SERVER.id, "cpu"])
    assert times[0] > SERVER.created_at
    assert len(times) in {12, 13}
    assert times[-1] == NOW


def test_a_server_that_is_gone_is_ended_once():
    world = World([], [SERVER])
    loop = world.feeder()
    loop.round()
    world.servers = []
    loop.round()
    loop.round()
    assert world.memory.ended == [
        ("instance", SERVER.id, NOW),
        ("instance_disk", f"{SERVER.id}-vda", NOW),
        ("instance_network_interface", f"{SERVER.id}-eth0", NOW),
    ]


class Fails:
    def __init__(self, *errors):
        self.errors, self.connections = list(errors), 0

    def connect(self):
        self.connections += 1
        return self

    def round(self):
        if self.errors and (error := self.errors.pop(0)):
            raise error
        return 7


def test_a_service_that_is_away_costs_rounds_and_the_wait_grows_until_one_succeeds(caplog):
    caplog.set_level("INFO")
    fails = Fails(
        keystone_errors.ConnectFailure("refused"),
        sdk_errors.HttpException("503"),
        gnocchi_errors.ConnectionFailure("gone"),
        None,
        OSError("reset"),
    )
    slept = []
    feeder.run(fails.connect, slept.append, rounds=6)
    assert slept == [1, 2, 4, feeder.INTERVAL_SECONDS, 1, feeder.INTERVAL_SECONDS]
    assert "ConnectFailure: refused" in caplog.text
    assert "7 measures written" in caplog.text


def test_a_failure_to_connect_is_tried_again():
    fails, attempts = Fails(), []

    def connect():
        attempts.append(1)
        if len(attempts) < 3:
            raise keystone_errors.DiscoveryFailure("not yet")
        return fails

    slept = []
    feeder.run(connect, slept.append, rounds=4)
    assert len(attempts) == 3
    assert slept == [1, 2, feeder.INTERVAL_SECONDS, feeder.INTERVAL_SECONDS]


def test_a_mistake_of_ours_is_not_hidden():
    with pytest.raises(ZeroDivisionError):
        feeder.run(Fails(ZeroDivisionError("bug")).connect, lambda _pause: None, rounds=1)


def test_pauses_double_up_to_a_limit():
    pauses = retry.pauses()
    assert [next(pauses) for _ in range(9)] == [1, 2, 4, 8, 16, 32, 60, 60, 60]


def test_a_node_is_read_with_what_its_meters_follow_from():
    found = {"id": "n", "name": None, "power_state": "power on", "provision_state": "active", "driver_info": {}}
    assert inventory.node(found) == Node("n", "n", powered=True, busy=True, heat=0.0)
    found |= {"name": "a", "power_state": None, "provision_state": "enroll", "driver_info": {"sim_heat": "30"}}
    assert inventory.node(found) == Node("n", "a", powered=False, busy=False, heat=30.0)
    assert inventory.node({**found, "driver_info": {"sim_heat": "warm"}}).heat == 0.0
    assert inventory.node({**found, "driver_info": None}).heat == 0.0


def test_a_server_is_read_with_its_embedded_flavor():
    found = {
        "id": "s",
        "name": "web",
        "compute_host": "cloudlet",
        "flavor": {"original_name": "m1.small", "vcpus": 2, "ram": 2048, "disk": 20},
        "image": None,
        "project_id": "p",
        "user_id": "u",
        "created_at": "2027-01-15T08:00:00Z",
    }
    read = inventory.server(found)
    assert read == Server("s", "web", "cloudlet", "m1.small", "", "p", "u", 1_800_000_000.0, 2, 2048, 20)
