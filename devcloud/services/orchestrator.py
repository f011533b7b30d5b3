"""The orchestrator's conductor: it carries out what the dashboard submits."""

import sys

from devcloud.layout import REPOSITORY, Layout
from devcloud.probe import Probe
from devcloud.services.base import Service


def command(_layout: Layout) -> list[str]:
    """Return the arguments that start it."""
    return [sys.executable, str(REPOSITORY / "manage.py"), "conductor", "--name", "devcloud"]


def check(probe: Probe) -> None:
    """It has no port, but says when it is ready."""
    probe.said("conductor", "is ready")


SERVICE = Service(
    "conductor",
    check,
    after=("keystone", "seed-identity", "orchestration-db"),
    command=command,
    shims=False,
    database=False,
)
