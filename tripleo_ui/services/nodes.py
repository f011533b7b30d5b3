"""Bare metal nodes in Ironic."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from tripleo_ui.services.nova import Flavor
from tripleo_ui.services.rest import Rest

# 1.88 is in OpenStack 2024.1 and newer; faults, traits, descriptions and owners are all older.
HEADERS = {"X-OpenStack-Ironic-API-Version": "1.88", "OpenStack-API-Version": "baremetal 1.88"}
FIELDS = "uuid,name,resource_class,traits,provision_state,power_state,maintenance,fault,instance_uuid,last_error"
PAGE = 1000


@dataclass(frozen=True)
class Node:
    """A node; its resource class as Ironic writes it ("baremetal.control")."""

    id: str
    name: str
    resource_class: str
    traits: frozenset[str]
    provision_state: str
    power_state: str
    maintenance: bool = False
    fault: str = ""
    instance_id: str = ""
    last_error: str = ""

    @property
    def free(self) -> bool:
        """Whether a deployment may take it.

        Not in maintenance, not faulty, not taken; a node whose power state is unknown is kept away from Nova.
        """
        return (
            self.provision_state == "available"
            and not self.maintenance
            and not self.fault
            and not self.instance_id
            and bool(self.power_state)
        )

    def fits(self, flavor: Flavor) -> bool:
        """Whether a server of the flavor can land on it: Placement's rule, resource class and required traits."""
        return placement_class(self.resource_class) == flavor.resource_class and flavor.traits <= self.traits


@dataclass(frozen=True)
class Supply:
    """How many nodes fit a flavor: ``free`` now, ``matching`` in all."""

    free: int
    matching: int


class Nodes:
    """Calls to Ironic; none of them is made once for each node."""

    def __init__(self, rest: Rest) -> None:
        self._rest = rest

    def list(self, *, only: Mapping[str, str] | None = None) -> tuple[Node, ...]:
        """All nodes, a page of 1000 at a call; ``only`` are filters of Ironic's API."""
        found: list[Node] = []
        filters = "".join(f"&{name}={value}" for name, value in (only or {}).items())
        marker = ""
        while True:
            query = f"/v1/nodes?fields={FIELDS}&limit={PAGE}{filters}{marker}"
            page = self._rest.call("list nodes", "GET", query, headers=HEADERS).json()["nodes"]
            found += map(_node, page)
            if len(page) < PAGE:
                return tuple(found)
            marker = f"&marker={page[-1]['uuid']}"


def counts(nodes: Iterable[Node]) -> Counter[str]:
    """How many nodes are in each provision state; those in maintenance count as that."""
    return Counter("maintenance" if node.maintenance else node.provision_state for node in nodes)


def supply(nodes: Iterable[Node], flavors: Iterable[Flavor]) -> dict[str, Supply]:
    """For each flavor by name, how many nodes fit it."""
    known = tuple(nodes)
    result = {}
    for flavor in flavors:
        matching = [node for node in known if node.fits(flavor)]
        result[flavor.name] = Supply(sum(node.free for node in matching), len(matching))
    return result


def placement_class(resource_class: str) -> str:
    """The name that Placement has for a node's resource class (os-resource-classes' rule)."""
    return "CUSTOM_" + re.sub(r"[^A-Z0-9_]", "_", resource_class.upper()) if resource_class else ""


def _node(item: Mapping[str, Any]) -> Node:
    return Node(
        id=item["uuid"],
        name=item["name"] or item["uuid"],
        resource_class=item["resource_class"] or "",
        traits=frozenset(item.get("traits") or ()),
        provision_state=item["provision_state"] or "available",
        power_state=item["power_state"] or "",
        maintenance=bool(item["maintenance"]),
        fault=item.get("fault") or "",
        instance_id=item.get("instance_uuid") or "",
        last_error=item.get("last_error") or "",
    )
