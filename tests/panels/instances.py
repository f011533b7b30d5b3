"""What tests of the instances panel share: a filled-in form, requests in any state."""

from tests.fakes.virtual import FLAVOR, IMAGE, NETWORK
from tests.panels.plans import ALICE
from tripleo_ui.orchestration import api
from tripleo_ui.services.nova import MARK

URL = "/infrastructure/instances/"
FORM = {
    "nonce": "0" * 32,
    "name": "web",
    "count": "1",
    "min_count": "",
    "flavor": FLAVOR,
    "source": "image",
    "image": IMAGE,
    "boot_volume.size": "",
    "boot_volume.type": "",
    "boot_volume.delete": "on",
    "networks.0.network": NETWORK,
    "networks.0.fixed_ip": "",
    "key_name": "",
    "server_group": "",
    "availability_zone": "",
    "metadata": "",
    "user_data": "",
}
PARAMS = {"name": "web", "count": 2, "flavor": FLAVOR, "image": IMAGE}


def ask(requester=ALICE, **more):
    """A request for instances, in the queue."""
    return api.submit("instance.create", requester, PARAMS | more, trust_id="trust-0")


def delete(*servers, requester=ALICE):
    """A request that deletes them, in the queue."""
    return api.submit("instance.delete", requester, {"servers": list(servers)}, trust_id="trust-0")


def add_servers(cloud, number, **more):
    """Servers as Nova lists them, newest first."""
    for index in range(number):
        add_server(cloud, f"vm-{index:04}", **more)


def add_server(cloud, name, request="", **more):
    """One server on a network, of our making where a request is named."""
    shown = {
        "created": "2026-11-01T10:00:00Z",
        "flavor": {"original_name": "small"},
        "addresses": {"private": [{"addr": f"10.0.0.{len(cloud.compute.servers) % 250}"}]},
        "metadata": {MARK: request} if request else {},
    }
    cloud.compute.add_server(name, **(shown | more))


def requests():
    """The project's requests for instances, newest first."""
    return api.find("p1", workflow="instance.create").items
