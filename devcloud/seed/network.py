"""The provisioning network."""

from openstack.connection import Connection

from devcloud.layout import Layout
from devcloud.seed.hardware import NETWORK


def run(connection: Connection, _layout: Layout) -> None:
    """Make the flat provider network and its subnet."""
    api = connection.network
    network = api.find_network(NETWORK) or api.create_network(
        name=NETWORK,
        is_shared=True,
        provider_network_type="flat",
        provider_physical_network=NETWORK,
    )
    if not api.find_subnet(NETWORK, network_id=network.id):
        api.create_subnet(
            name=NETWORK,
            network_id=network.id,
            ip_version=4,
            cidr="192.168.24.0/24",
            gateway_ip="192.168.24.1",
            allocation_pools=[{"start": "192.168.24.10", "end": "192.168.24.250"}],
            is_dhcp_enabled=True,
        )
