"""Aodh: alarms."""

from devcloud.probe import Probe, require
from devcloud.services.base import Service


def check(probe: Probe) -> None:
    """Alarms can be listed."""
    require(isinstance(probe.get("aodh", "/v2/alarms"), list), "no list of alarms")


SERVICE = Service("aodh", check, ports=("aodh",))
