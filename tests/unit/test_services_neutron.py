"""The client of Neutron: marks on ports, quotas, bandwidth."""

import pytest

from tests.fakes.infrastructure import InstanceCloud
from tripleo_ui.services.neutron import Network
from tripleo_ui.services.nova import Limit


@pytest.fixture
def fake():
    return InstanceCloud()


@pytest.fixture
def neutron(fake):
    return fake.cloud().neutron


def test_ports_are_found_by_their_mark_and_no_others(fake, neutron):
    ours = neutron.create_port("r1", {"name": "web", "network_id": "net-1"})
    neutron.create_port("r2", {"name": "web", "network_id": "net-1"})
    fake.made.ports["x"] = {**fake.made.ports[ours], "id": "x", "description": "tripleo-ui", "device_id": "s1"}
    assert [(port.id, port.name, port.request) for port in neutron.marked("r1")] == [(ours, "web", "r1")]
    assert [(port.id, port.request) for port in neutron.ports_of("s1")] == [("x", "")]


def test_port_that_is_gone_needs_no_deletion(neutron):
    port = neutron.create_port("r1", {"name": "web", "network_id": "net-1"})
    neutron.delete_port(port)
    neutron.delete_port(port)
    assert neutron.marked("r1") == ()


def test_ports_with_an_address(neutron):
    address = {"subnet_id": "sub-1", "ip_address": "10.0.0.9"}
    port = neutron.create_port("r1", {"name": "web", "network_id": "net-1", "fixed_ips": [address]})
    assert [each.id for each in neutron.ports_with("net-1", "10.0.0.9")] == [port]
    assert neutron.ports_with("net-2", "10.0.0.9") == ()


def test_quota_bandwidth_and_networks(fake, neutron):
    fake.made.port_quota = 5
    fake.made.policies["q"] = [
        {"type": "minimum_bandwidth", "direction": "egress", "min_kbps": 100},
        {"type": "bandwidth_limit", "direction": "egress", "max_kbps": 9},
    ]
    assert neutron.port_limit("p1") == Limit(0, 5)
    assert neutron.bandwidth("q") == {"egress": 100}
    assert neutron.networks()[0] == Network("net-1", "blue", True, ("sub-1",))
    assert [(each.network, each.gateway) for each in neutron.subnets()] == [
        ("net-1", "10.0.0.1"),
        ("net-2", "10.1.0.1"),
    ]
    assert neutron.security_groups("p1") == {"sg-1": "default"}
