"""Flavors, servers and what bounds them, in Nova."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from tripleo_ui.services.errors import NotFound
from tripleo_ui.services.rest import Rest

# 2.61 shows a flavor's extra specs in the list of flavors, 2.64 a server group's policy, 2.74 takes a chosen host.
HEADERS = {"OpenStack-API-Version": "compute 2.74", "X-OpenStack-Nova-API-Version": "2.74"}
LIMIT = 1000
#: The metadata that marks a server as one that a request of ours made; its value is the request's id.
MARK = "tripleo_ui_request"


@dataclass(frozen=True)
class Flavor:
    """A flavor; ``ram`` and ``swap`` in MiB, ``disk`` and ``ephemeral`` in GiB.

    The resource class is that of bare metal, empty for virtual ones.
    """

    id: str
    name: str
    vcpus: int
    ram: int
    disk: int
    resource_class: str = ""
    traits: frozenset[str] = frozenset()
    ephemeral: int = 0
    swap: int = 0
    extra_specs: Mapping[str, str] = field(default_factory=dict)

    @property
    def bare_metal(self) -> bool:
        """Whether servers of this flavor land on nodes of Ironic."""
        return bool(self.resource_class)


@dataclass(frozen=True)
class Server:
    """A server; ``hypervisor`` is the node's id for bare metal, and empty where only administrators see it.

    ``volumes`` are ids of attached volumes; ``request`` is the request of ours that made it, or empty.
    """

    id: str
    name: str
    status: str
    hypervisor: str = ""
    fault: str = ""
    addresses: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    metadata: Mapping[str, str] = field(default_factory=dict)
    volumes: tuple[str, ...] = ()
    task: str = ""
    flavor: str = ""
    image: str = ""
    zone: str = ""
    key_name: str = ""
    created: str = ""

    @property
    def request(self) -> str:
        """The id of the request that made it."""
        return self.metadata.get(MARK, "")


@dataclass(frozen=True)
class Limit:
    """A quota: ``most`` is -1 where there is none."""

    used: int
    most: int

    @property
    def free(self) -> int | None:
        """What is left, or None where there is no limit."""
        return None if self.most < 0 else max(0, self.most - self.used)


@dataclass(frozen=True)
class ServerGroup:
    """A server group; ``policy`` is affinity, anti-affinity, or one of them with "soft-" before it."""

    id: str
    name: str
    policy: str
    members: tuple[str, ...] = ()
    most_per_host: int = 1


@dataclass(frozen=True)
class Aggregate:
    """An aggregate of hosts; ``id`` is the one that Placement knows too, ``zone`` empty where it makes none."""

    id: str
    name: str
    zone: str


class Nova:
    """Calls to Nova."""

    def __init__(self, rest: Rest) -> None:
        self._rest = rest

    def flavors(self) -> tuple[Flavor, ...]:
        """All flavors by name with what they ask of a node, in one call."""
        query = f"/flavors/detail?is_public=none&limit={LIMIT}"
        found = self._rest.call("list flavors", "GET", query, headers=HEADERS).json()["flavors"]
        return tuple(sorted(map(_flavor, found), key=lambda flavor: flavor.name))

    def servers(self, ids: Iterable[str]) -> tuple[Server, ...]:
        """The project's servers among ``ids``, a page of 1000 at a call."""
        missing = set(ids)
        found: list[Server] = []
        marker: str | None = ""
        while missing and marker is not None:
            page, marker = self.page(LIMIT, marker)
            found += [server for server in page if server.id in missing]
            missing -= {server.id for server in page}
        return tuple(found)

    def page(self, limit: int, marker: str = "", **only: str) -> tuple[tuple[Server, ...], str | None]:
        """The project's servers after a marker, newest first, and the next marker or None, in one call.

        ``only`` are Nova's own filters, such as ``name``, a regular expression, and ``status``.
        """
        query = {"limit": str(limit), **({"marker": marker} if marker else {}), **only}
        body = self._rest.call("list servers", "GET", "/servers/detail", params=query, headers=HEADERS).json()
        page = tuple(map(_server, body["servers"]))
        return page, page[-1].id if page and body.get("servers_links") else None

    def marked(self, request_id: str) -> tuple[Server, ...]:
        """The project's servers that a request made, a page of 1000 at a call."""
        found: list[Server] = []
        marker: str | None = ""
        while marker is not None:
            page, marker = self.page(LIMIT, marker)
            found += [server for server in page if server.request == request_id]
        return tuple(found)

    def server(self, server_id: str) -> Server | None:
        """A server, or None where it is gone."""
        try:
            answer = self._rest.call("show server", "GET", f"/servers/{server_id}", headers=HEADERS)
        except NotFound:
            return None
        return _server(answer.json()["server"])

    def create(self, body: Mapping[str, Any]) -> str:
        """Create a server from the whole body of Nova's API, "server" and "os:scheduler_hints"; answers its id."""
        answer = self._rest.call("create server", "POST", "/servers", headers=HEADERS, json=body)
        return str(answer.json()["server"]["id"])

    def delete(self, server_id: str) -> None:
        """Begin to delete a server; one that is gone is no error."""
        self._rest.call("delete server", "DELETE", f"/servers/{server_id}", headers=HEADERS, expect=(404,))

    def limits(self) -> dict[str, Limit]:
        """The project's quotas: instances, cores, ram (MiB), and metadata and group_members of one thing."""
        answer = self._rest.call("show limits", "GET", "/limits", headers=HEADERS)
        found = answer.json()["limits"]["absolute"]
        pairs = {
            "instances": ("totalInstancesUsed", "maxTotalInstances"),
            "cores": ("totalCoresUsed", "maxTotalCores"),
            "ram": ("totalRAMUsed", "maxTotalRAMSize"),
            "metadata": ("", "maxServerMeta"),
            "group_members": ("", "maxServerGroupMembers"),
        }
        return {name: Limit(found.get(used, 0), found.get(most, -1)) for name, (used, most) in pairs.items()}

    def has_key_pair(self, name: str) -> bool:
        """Whether the person has a key pair of that name."""
        path = f"/os-keypairs/{quote(name, safe='')}"
        return self._rest.call("show key pair", "GET", path, headers=HEADERS, expect=(404,)).status_code != 404

    def key_pairs(self) -> tuple[str, ...]:
        """The names of the person's key pairs."""
        found = self._rest.call("list key pairs", "GET", "/os-keypairs", headers=HEADERS).json()["keypairs"]
        return tuple(sorted(item["keypair"]["name"] for item in found))

    def server_groups(self) -> tuple[ServerGroup, ...]:
        """The project's server groups by name."""
        answer = self._rest.call("list server groups", "GET", f"/os-server-groups?limit={LIMIT}", headers=HEADERS)
        groups = [
            ServerGroup(
                item["id"],
                item["name"],
                item["policy"],
                tuple(item["members"]),
                (item.get("rules") or {}).get("max_server_per_host", 1),
            )
            for item in answer.json()["server_groups"]
        ]
        return tuple(sorted(groups, key=lambda group: group.name))

    def zones(self) -> tuple[str, ...]:
        """The names of availability zones that can be used now."""
        answer = self._rest.call("list availability zones", "GET", "/os-availability-zone", headers=HEADERS)
        found = answer.json()["availabilityZoneInfo"]
        return tuple(sorted(item["zoneName"] for item in found if item["zoneState"]["available"]))

    def aggregates(self) -> tuple[Aggregate, ...]:
        """All aggregates of hosts, for who may see them."""
        answer = self._rest.call("list aggregates", "GET", "/os-aggregates", headers=HEADERS)
        return tuple(
            Aggregate(item["uuid"], item["name"], item.get("availability_zone") or "")
            for item in answer.json()["aggregates"]
        )


def _flavor(item: Mapping[str, object]) -> Flavor:
    specs: Mapping[str, str] = item.get("extra_specs") or {}  # type: ignore[assignment]
    asked = [name.removeprefix("resources:") for name in specs if name.startswith("resources:CUSTOM_")]
    traits = [
        name.removeprefix("trait:")
        for name, value in specs.items()
        if name.startswith("trait:") and value == "required"
    ]
    return Flavor(
        id=str(item["id"]),
        name=str(item["name"]),
        vcpus=int(str(item["vcpus"])),
        ram=int(str(item["ram"])),
        disk=int(str(item["disk"])),
        resource_class=asked[0] if asked else "",
        traits=frozenset(traits),
        ephemeral=int(str(item.get("OS-FLV-EXT-DATA:ephemeral") or 0)),
        swap=int(str(item.get("swap") or 0)),
        extra_specs=specs,
    )


def _server(item: Mapping[str, Any]) -> Server:
    return Server(
        id=item["id"],
        name=item["name"],
        status=item["status"],
        hypervisor=item.get("OS-EXT-SRV-ATTR:hypervisor_hostname") or "",
        fault=(item.get("fault") or {}).get("message", ""),
        addresses={
            name: tuple(each["addr"] for each in found) for name, found in (item.get("addresses") or {}).items()
        },
        metadata=item.get("metadata") or {},
        volumes=tuple(each["id"] for each in item.get("os-extended-volumes:volumes_attached") or ()),
        task=item.get("OS-EXT-STS:task_state") or "",
        flavor=(item.get("flavor") or {}).get("original_name", ""),
        image=(item.get("image") or {}).get("id", ""),
        zone=item.get("OS-EXT-AZ:availability_zone") or "",
        key_name=item.get("key_name") or "",
        created=item.get("created") or "",
    )
