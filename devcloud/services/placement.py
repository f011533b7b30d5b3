"""Placement: what each compute host and node has left."""

from devcloud.probe import Probe, require
from devcloud.services.base import Service


def check(probe: Probe) -> None:
    """Resource providers can be listed."""
    require("resource_providers" in probe.get("placement", "/resource_providers"), "no resource providers")


SERVICE = Service("placement", check, ports=("placement",))
