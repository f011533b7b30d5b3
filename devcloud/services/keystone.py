"""Keystone: identity and the catalog."""

from devcloud.probe import Probe
from devcloud.services.base import Service


def check(probe: Probe) -> None:
    """A new token can be had."""
    probe.token()


SERVICE = Service(
    "keystone",
    check,
    ports=("keystone",),
    after=(),
    folders=("keystone/fernet", "keystone/receipts", "keystone/credential"),
)
