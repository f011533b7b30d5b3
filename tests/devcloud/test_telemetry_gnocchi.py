"""Measures in the real Gnocchi: sensors through Ceilometer's pipeline, and the feeder's history and present."""

import datetime as dt
import itertools

import pytest

from devcloud.telemetry import feeder, history, schema
from tests.cloud import wait_until

pytestmark = pytest.mark.timeout(400)

_UTIL = feeder.MARK
_TEMPERATURE = "hardware.ipmi.node.temperature"


@pytest.fixture(scope="module")
def gnocchi(cloud, admin):
    """GET from Gnocchi as the administrator; the feeder has finished its first round."""

    def get(path, **params):
        url = cloud.layout.url("gnocchi") + path
        answer = admin.session.get(url, params=params, timeout=30)
        return answer.json()

    def fed():
        log = (cloud.layout.log / "feeder.log").read_text()
        return "measures written" in log

    wait_until(fed, "the feeder's first round", seconds=240)
    return get


@pytest.fixture(scope="module")
def nodes(admin):
    """The seed's nodes by name."""
    found = {node.name: node for node in admin.baremetal.nodes(details=True)}
    return {name: node for name, node in found.items() if node.driver == "simulated"}


@pytest.fixture(scope="module")
def told(nodes):
    """The story of each node."""
    return history.stories(nodes)


def _who(told, story):
    return next(name for name, own in told.items() if own == story)


def _measures(gnocchi, resource_id, metric, **params):
    found = gnocchi(f"/v1/resource/generic/{resource_id}/metric/{metric}/measures", granularity=300, **params)
    return {dt.datetime.fromisoformat(at).timestamp(): value for at, _granularity, value in found}


def _day(gnocchi, node, metric=_UTIL):
    """Measures of the last 24 hours, once Gnocchi has aggregated them."""
    start = (dt.datetime.now(dt.UTC) - dt.timedelta(hours=24)).replace(tzinfo=None).isoformat()
    return wait_until(lambda: _measures(gnocchi, node.id, metric, start=start), f"measures of {node.name}")


def _longest_silence(times):
    ordered = sorted(times)
    return max(later - earlier for earlier, later in itertools.pairwise(ordered))


def test_policies_and_types_are_ceilometers(gnocchi):
    policies = {policy["name"]: policy for policy in gnocchi("/v1/archive_policy")}
    assert policies["ceilometer-low"]["back_window"] == schema.BACK_WINDOW
    assert policies["ceilometer-low-rate"]["aggregation_methods"]
    types = {entry["name"] for entry in gnocchi("/v1/resource_type")}
    assert {"ipmi", "ipmi_sensor", "instance", "instance_disk", "host_disk", "host_network_interface"} <= types


def test_each_node_has_a_day_of_history(gnocchi, nodes, told):
    for name, node in nodes.items():
        measures = _day(gnocchi, node)
        silent = 12 * (history.GAP[0] - history.GAP[1]) if told[name] == history.GAPPED else 0
        silent = 12 * history.DEATH if told[name] == history.DEAD else silent
        assert len(measures) >= 288 - silent - 15, name
        assert all(0 <= value <= 100 for value in measures.values())
        assert max(measures.values()) - min(measures.values()) > 25, "a day has its highs and lows"


def test_history_has_one_gap(gnocchi, nodes, told):
    since, until = history.GAP
    gapped = _day(gnocchi, nodes[_who(told, history.GAPPED)])
    assert _longest_silence(gapped) == pytest.approx(3600 * (since - until), abs=900)
    plain = _day(gnocchi, nodes[_who(told, history.PLAIN)])
    assert _longest_silence(plain) < 1800


def test_one_node_runs_hot(gnocchi, nodes, told):
    hot = _day(gnocchi, nodes[_who(told, history.HOT)], _TEMPERATURE)
    plain = _day(gnocchi, nodes[_who(told, history.PLAIN)], _TEMPERATURE)
    both = sorted(set(hot) & set(plain))[:200]
    assert sum(hot[at] - plain[at] for at in both) / len(both) > 10


def test_the_dead_node_is_silent_unless_it_is_switched_on(gnocchi, nodes, told):
    node = nodes[_who(told, history.DEAD)]
    measures = _day(gnocchi, node)
    if node.power_state != "power on":
        assert _longest_silence([*measures, dt.datetime.now(dt.UTC).timestamp()]) > 3600 * 5


def test_the_present_goes_on(gnocchi, nodes, told):
    node = nodes[_who(told, history.PLAIN)]
    before = dt.datetime.now(dt.UTC).timestamp()
    wait_until(
        lambda: max(_measures(gnocchi, node.id, _UTIL)) >= before - 300,
        "a measure of the running period",
        seconds=150,
    )


def test_sensors_of_each_node_arrive_through_ceilometer(gnocchi, nodes):
    found = wait_until(
        lambda: _sensors_of(gnocchi, nodes),
        "sensors of all nodes",
        seconds=180,
    )
    for name, node in nodes.items():
        kinds = {metric for sensor in found[node.id] for metric in sensor["metrics"]}
        assert kinds == {f"hardware.ipmi.{kind}" for kind in ("temperature", "fan", "voltage", "current")}, name


def _sensors_of(gnocchi, nodes):
    by_node = {}
    for sensor in gnocchi("/v1/resource/ipmi_sensor", limit=1000):
        by_node.setdefault(sensor["node"], []).append(sensor)
    return by_node if {node.id for node in nodes.values()} <= set(by_node) else None


def test_history_and_present_of_a_sensor_are_one_series(gnocchi, nodes, told):
    """The feeder and Ceilometer write as one user: Gnocchi makes the same resource of the same name."""
    node = nodes[_who(told, history.PLAIN)]
    sensors = [
        sensor for sensor in _sensors_of(gnocchi, nodes)[node.id] if "cpu0_temp" in sensor["original_resource_id"]
    ]
    (sensor,) = sensors
    metric = sensor["metrics"]["hardware.ipmi.temperature"]
    now = dt.datetime.now(dt.UTC).timestamp()

    def seen():
        found = gnocchi(f"/v1/metric/{metric}/measures", granularity=300)
        times = [dt.datetime.fromisoformat(at).timestamp() for at, _granularity, _value in found]
        return times if times and max(times) >= now - 600 else None

    times = wait_until(seen, "the sensor's present", seconds=150)
    assert len([at for at in times if at >= now - 86400]) > 270
    assert min(times) <= now - 3600 * 22
