"""The provisioning network."""

import functools
import typing

from openstack.connection import Connection

from devcloud.layout import Layout
from devcloud.seed.hardware import NETWORK
from devcloud.seed.making import make


def run(connection: Connection, _layout: Layout) -> None:
    """Make the flat provider network and its subnet."""
    api = connection.network
    network = _network(api)
    found = functools.partial(api.find_subnet, NETWORK, network_id=network.id)
    subnet = {
        "name": NETWORK,
        "network_id": network.id,
        "ip_version": 4,
        "cidr": "192.168.24.0/24",
        "gateway_ip": "192.168.24.1",
        "allocation_pools": [{"start": "192.168.24.10", "end": "192.168.24.250"}],
        "is_dhcp_enabled": True,
    }
    if not found():
        make(lambda: api.create_subnet(**subnet), found)


def _network(api: typing.Any) -> typing.Any:
    found = functools.partial(api.find_network, NETWORK)
    wanted = {
        "name": NETWORK,
        "is_shared": True,
        "provider_network_type": "flat",
        "provider_physical_network": NETWORK,
    }
    return found() or make(lambda: api.create_network(**wanted), found)
