"""Networks, ports and what bounds them, in Neutron."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tripleo_ui.services.nova import Limit
from tripleo_ui.services.rest import Rest

#: A port's description that says which request of ours made it: this, then the request's id.
MARK = "tripleo-ui:"


@dataclass(frozen=True)
class Network:
    """A network that the project may use."""

    id: str
    name: str
    up: bool = True
    subnets: tuple[str, ...] = ()
    qos_policy: str = ""
    physical_network: str = ""


@dataclass(frozen=True)
class Subnet:
    """A subnet; ``pools`` are first and last addresses that Neutron gives by itself."""

    id: str
    name: str
    network: str
    cidr: str
    gateway: str = ""
    pools: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Port:
    """A port; ``device`` is the server that has it, ``request`` the request of ours that made it, or empty."""

    id: str
    name: str
    network: str
    status: str
    device: str
    addresses: tuple[str, ...]
    request: str


class Neutron:
    """Calls to Neutron."""

    def __init__(self, rest: Rest) -> None:
        self._rest = rest

    def networks(self) -> tuple[Network, ...]:
        """The networks that the project may plug servers into, by name."""
        found = [
            Network(
                item["id"],
                item["name"],
                item["admin_state_up"],
                tuple(item["subnets"]),
                item.get("qos_policy_id") or "",
                item.get("provider:physical_network") or "",
            )
            for item in self._list("networks")
        ]
        return tuple(sorted(found, key=lambda network: network.name))

    def subnets(self) -> tuple[Subnet, ...]:
        """All subnets that the project sees."""
        return tuple(
            Subnet(
                item["id"],
                item["name"],
                item["network_id"],
                item["cidr"],
                item["gateway_ip"] or "",
                tuple((pool["start"], pool["end"]) for pool in item["allocation_pools"]),
            )
            for item in self._list("subnets")
        )

    def security_groups(self, project_id: str) -> dict[str, str]:
        """The ids and names of a project's security groups."""
        return {item["id"]: item["name"] for item in self._list("security-groups", project_id=project_id)}

    def bandwidth(self, policy: str) -> dict[str, int]:
        """The least bandwidth that a QoS policy promises, in kbit/s by direction: "egress", "ingress"."""
        path = f"/v2.0/qos/policies/{policy}"
        rules = self._rest.call("show QoS policy", "GET", path).json()["policy"]["rules"]
        return {rule["direction"]: rule["min_kbps"] for rule in rules if rule["type"] == "minimum_bandwidth"}

    def port_limit(self, project_id: str) -> Limit:
        """The project's quota of ports."""
        path = f"/v2.0/quotas/{project_id}/details.json"
        found = self._rest.call("show quota", "GET", path).json()["quota"]["port"]
        return Limit(found["used"] + found["reserved"], found["limit"])

    def ports_with(self, network: str, address: str) -> tuple[Port, ...]:
        """The project's ports that have an address."""
        query = {"network_id": network, "fixed_ips": f"ip_address={address}"}
        return tuple(map(_port, self._list("ports", **query)))

    def marked(self, request_id: str) -> tuple[Port, ...]:
        """The project's ports that a request made."""
        return tuple(map(_port, self._list("ports", description=f"{MARK}{request_id}")))

    def ports_of(self, server_id: str) -> tuple[Port, ...]:
        """The ports that a server has."""
        return tuple(map(_port, self._list("ports", device_id=server_id)))

    def create_port(self, request_id: str, body: Mapping[str, Any]) -> str:
        """Make a port with a request's mark; ``body`` is Neutron's. Answers its id."""
        port = {**body, "description": f"{MARK}{request_id}"}
        answer = self._rest.call("create port", "POST", "/v2.0/ports", json={"port": port})
        return str(answer.json()["port"]["id"])

    def delete_port(self, port_id: str) -> None:
        """Delete a port; one that is gone is no error."""
        self._rest.call("delete port", "DELETE", f"/v2.0/ports/{port_id}", expect=(404,))

    def _list(self, kind: str, **query: str) -> list[dict[str, Any]]:
        answer = self._rest.call(f"list {kind.replace('-', ' ')}", "GET", f"/v2.0/{kind}", params=query)
        found: list[dict[str, Any]] = answer.json()[kind.replace("-", "_")]
        return found


def _port(item: Mapping[str, Any]) -> Port:
    mark = item.get("description") or ""
    return Port(
        item["id"],
        item["name"],
        item["network_id"],
        item["status"],
        item["device_id"],
        tuple(each["ip_address"] for each in item["fixed_ips"]),
        mark.removeprefix(MARK) if mark.startswith(MARK) else "",
    )
