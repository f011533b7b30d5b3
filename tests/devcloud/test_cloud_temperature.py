"""The node that is hot in history is hot now: the real Ironic's sensors, through Ceilometer, in the real Gnocchi."""

import statistics

import pytest

from devcloud.telemetry import history
from tests.cloud import wait_until


@pytest.mark.timeout(420)
def test_live_sensors_show_the_hot_node(cloud, admin):
    nodes = {node.name: node for node in admin.baremetal.nodes(details=True) if node.driver == "simulated"}
    (hot,) = (name for name, story in history.stories(nodes).items() if story == history.HOT)

    def hotter():
        """Whether it is above those that do the same just now, by most of what its knob adds."""
        now = {node.name: node for node in admin.baremetal.nodes(details=True)}
        read = _temperatures(cloud, admin)
        same = [read[n] for n in nodes if n in read and n != hot and _does(now[n]) == _does(now[hot])]
        return same and hot in read and read[hot] > statistics.median(same) + history.HOT_DEGREES - 10

    wait_until(hotter, "the hot node is above its neighbours", seconds=360, pause=3)


def _does(node):
    return node.power_state, node.provision_state


def _temperatures(cloud, admin):
    """Degrees Celsius of each node's first processor, by its name: what its sensor said last."""
    names = {node.id: node.name for node in admin.baremetal.nodes()}
    gnocchi = cloud.layout.url("gnocchi")
    found = {}
    for sensor in admin.session.get(f"{gnocchi}/v1/resource/ipmi_sensor", params={"limit": 1000}, timeout=30).json():
        if "cpu0_temp" in sensor["original_resource_id"] and sensor["node"] in names:
            metric = sensor["metrics"]["hardware.ipmi.temperature"]
            measures = admin.session.get(f"{gnocchi}/v1/metric/{metric}/measures", timeout=30).json()
            if measures:
                found[names[sensor["node"]]] = measures[-1][2]
    return found
