"""Nova: servers, on fake hypervisors and on Ironic's nodes."""

from devcloud.probe import Probe, require
from devcloud.render import COMPUTE_HOST, COMPUTE_HOSTS
from devcloud.services.base import Service

# Newer versions ask each compute service for its uptime, which neither driver knows.
_HEADERS = {"OpenStack-API-Version": "compute 2.53"}
_NEEDED = {
    ("nova-conductor", COMPUTE_HOST),
    ("nova-scheduler", COMPUTE_HOST),
    *(("nova-compute", host) for host in COMPUTE_HOSTS),
    ("nova-compute", "undercloud"),
}


def check(probe: Probe) -> None:
    """Its services are up and both kinds of hypervisor are listed."""
    services = probe.get("nova", "/v2.1/os-services", headers=_HEADERS)["services"]
    up = {(service["binary"], service["host"]) for service in services if service["state"] == "up"}
    missing = sorted(f"{binary} on {host}" for binary, host in _NEEDED - up)
    require(not missing, f"not up: {', '.join(missing)}")
    hypervisors = probe.get("nova", "/v2.1/os-hypervisors/detail", headers=_HEADERS)["hypervisors"]
    kinds = {hypervisor["hypervisor_type"] for hypervisor in hypervisors}
    require({"fake", "ironic"} <= kinds, f"hypervisors listed: {', '.join(sorted(kinds)) or 'none'}")


SERVICE = Service(
    "nova",
    check,
    ports=("nova",),
    # Nova looks for nodes when it starts, so they come first.
    after=("placement", "neutron", "ironic", "glance", "seed-nodes"),
    folders=("nova/instances", "nova/locks"),
)
