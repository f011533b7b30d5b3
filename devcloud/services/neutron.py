"""Neutron: networks, subnets and ports."""

from devcloud.probe import Probe, require
from devcloud.services.base import Service


def check(probe: Probe) -> None:
    """Networks can be listed."""
    require("networks" in probe.get("neutron", "/v2.0/networks?fields=id"), "no list of networks")


SERVICE = Service("neutron", check, ports=("neutron",), folders=("neutron/locks",))
