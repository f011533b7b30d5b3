"""Gnocchi: measures of nodes and servers."""

from devcloud.probe import Probe, require
from devcloud.services.base import Service


def check(probe: Probe) -> None:
    """Its status can be read and it has archive policies."""
    require("storage" in probe.get("gnocchi", "/v1/status?details=false"), "the status says nothing of storage")
    require(bool(probe.get("gnocchi", "/v1/archive_policy")), "no archive policies")


SERVICE = Service("gnocchi", check, ports=("gnocchi",), folders=("gnocchi/data", "gnocchi/incoming", "gnocchi/coord"))
