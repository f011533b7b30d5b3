"""Glance: images."""

from devcloud.probe import Probe, require
from devcloud.services.base import Service


def check(probe: Probe) -> None:
    """Images can be listed."""
    require("images" in probe.get("glance", "/v2/images?limit=1"), "the list of images is empty of meaning")


SERVICE = Service(
    "glance",
    check,
    ports=("glance",),
    folders=tuple(f"glance/{name}" for name in ("images", "staging", "tasks", "cache", "locks")),
)
