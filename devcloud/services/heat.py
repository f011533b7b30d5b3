"""Heat: orchestration, API and engine."""

from devcloud.probe import Probe, require
from devcloud.services.base import Service


def check(probe: Probe) -> None:
    """Heat lists an engine that is up."""
    services = probe.get("heat", "/v1/{project}/services")["services"]
    require(any(s["binary"] == "heat-engine" and s["status"] == "up" for s in services), "no engine is up")


SERVICE = Service("heat", check, ports=("heat", "heat_cfn"), folders=("heat/locks",))
