"""The feeder: meters that no simulated hardware has, and the history before the cloud was started."""

import sys

from devcloud.layout import Layout
from devcloud.probe import Probe
from devcloud.services.base import Service


def command(_layout: Layout) -> list[str]:
    """Return the arguments that start it."""
    return [sys.executable, "-m", "devcloud.telemetry.feeder"]


def check(probe: Probe) -> None:
    """It has no port, but says how many measures it has written."""
    probe.said("feeder", "measures")


SERVICE = Service(
    "feeder",
    check,
    # History must not be part of a saved state: it would be old when the state is restored.
    after=("gnocchi", "ironic", "nova", "golden"),
    command=command,
    shims=False,
    database=False,
)
