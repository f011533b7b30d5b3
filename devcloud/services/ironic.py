"""Ironic: bare metal nodes of a simulated hardware type, and their sensors on the way to Gnocchi."""

from devcloud.probe import Probe, require
from devcloud.services.base import Service

_HEADERS = {"X-OpenStack-Ironic-API-Version": "1.99"}


def check(probe: Probe) -> None:
    """A conductor is alive and offers the simulated hardware."""
    conductors = probe.get("ironic", "/v1/conductors", scope="system", headers=_HEADERS)["conductors"]
    require(any(conductor["alive"] for conductor in conductors), "no conductor is alive")
    drivers = probe.get("ironic", "/v1/drivers", scope="system", headers=_HEADERS)["drivers"]
    require(any(driver["name"] == "simulated" for driver in drivers), "no driver named simulated")


SERVICE = Service("ironic", check, ports=("ironic",), folders=("ironic/locks",))
