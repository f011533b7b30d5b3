"""Cinder: volumes, of which only the records exist."""

from devcloud.probe import Probe, require
from devcloud.services.base import Service


def check(probe: Probe) -> None:
    """Scheduler and volume service are up."""
    services = probe.get("cinder", "/v3/{project}/os-services")["services"]
    up = {service["binary"] for service in services if service["state"] == "up"}
    missing = {"cinder-scheduler", "cinder-volume"} - up
    require(not missing, f"not up: {', '.join(sorted(missing))}")


SERVICE = Service("cinder", check, ports=("cinder",), folders=("cinder/coord", "cinder/locks"))
