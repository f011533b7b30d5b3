"""Flavors and servers in Nova."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from tripleo_ui.services.rest import Rest

# 2.61 shows a flavor's extra specs in the list of flavors.
HEADERS = {"OpenStack-API-Version": "compute 2.61", "X-OpenStack-Nova-API-Version": "2.61"}
LIMIT = 1000


@dataclass(frozen=True)
class Flavor:
    """A flavor; ``ram`` in MiB, ``disk`` in GiB. The resource class is that of bare metal, empty for virtual ones."""

    id: str
    name: str
    vcpus: int
    ram: int
    disk: int
    resource_class: str = ""
    traits: frozenset[str] = frozenset()

    @property
    def bare_metal(self) -> bool:
        """Whether servers of this flavor land on nodes of Ironic."""
        return bool(self.resource_class)


@dataclass(frozen=True)
class Server:
    """A server; ``hypervisor`` is the node's id for bare metal."""

    id: str
    name: str
    status: str
    hypervisor: str = ""
    fault: str = ""
    addresses: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


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
        marker = ""
        while missing:
            query = f"/servers/detail?limit={LIMIT}{marker}"
            body = self._rest.call("list servers", "GET", query, headers=HEADERS).json()
            page = body["servers"]
            found += [_server(item) for item in page if item["id"] in missing]
            missing -= {item["id"] for item in page}
            if not page or not body.get("servers_links"):
                break
            marker = f"&marker={page[-1]['id']}"
        return tuple(found)


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
    )


def _server(item: Mapping[str, object]) -> Server:
    fault: Mapping[str, str] = item.get("fault") or {}  # type: ignore[assignment]
    networks: Mapping[str, list[Mapping[str, str]]] = item.get("addresses") or {}  # type: ignore[assignment]
    return Server(
        id=str(item["id"]),
        name=str(item["name"]),
        status=str(item["status"]),
        hypervisor=str(item.get("OS-EXT-SRV-ATTR:hypervisor_hostname") or ""),
        fault=fault.get("message", ""),
        addresses={name: tuple(each["addr"] for each in found) for name, found in networks.items()},
    )
