"""Swift: where plans are kept."""

from devcloud.probe import Probe
from devcloud.services.base import Service

_CONTAINER = "/v1/AUTH_{project}/devcloud-check"


def check(probe: Probe) -> None:
    """A container can be made, which needs the proxy and two of the three servers, and removed."""
    probe.request("PUT", "swift", _CONTAINER, scope="service")
    probe.request("PUT", "swift", f"{_CONTAINER}/object", scope="service", data=b"here")
    probe.request("DELETE", "swift", f"{_CONTAINER}/object", scope="service")


SERVICE = Service(
    "swift",
    check,
    ports=("swift", "swift_account", "swift_container", "swift_object"),
    folders=("swift/devices/d1", "swift/rings"),
)
