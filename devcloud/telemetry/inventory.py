"""What there is to meter: Ironic's nodes and Nova's servers, each with one paged list."""

import datetime as dt
import typing
from collections.abc import Mapping

from openstack.connection import Connection

from devcloud.telemetry.hosts import Node
from devcloud.telemetry.servers import Server

_NODE_FIELDS = ("uuid", "name", "power_state", "provision_state", "driver_info")


def nodes(connection: Connection) -> list[Node]:
    """Return every node of Ironic with what its meters follow from."""
    return [node(found.to_dict()) for found in connection.baremetal.nodes(fields=list(_NODE_FIELDS))]


def node(found: Mapping[str, typing.Any]) -> Node:
    """Read one node of Ironic's."""
    return Node(
        uuid=found["id"],
        name=found["name"] or found["id"],
        powered=found["power_state"] == "power on",
        busy=found["provision_state"] == "active",
        heat=_number((found["driver_info"] or {}).get("sim_heat")),
    )


def servers(connection: Connection) -> list[Server]:
    """Return the running servers of all projects."""
    found = connection.compute.servers(details=True, all_projects=True, status="ACTIVE")
    return [server(entry.to_dict()) for entry in found]


def server(found: Mapping[str, typing.Any]) -> Server:
    """Read one server of Nova's; its flavor comes embedded, as it was when the server was made."""
    flavor = found["flavor"]
    return Server(
        id=found["id"],
        name=found["name"],
        host=found["compute_host"] or "",
        flavor=flavor.get("original_name") or flavor.get("name") or "",
        image=(found["image"] or {}).get("id") or "",
        project_id=found["project_id"],
        user_id=found["user_id"],
        created_at=dt.datetime.fromisoformat(found["created_at"]).timestamp(),
        vcpus=flavor.get("vcpus") or 1,
        memory_mb=flavor.get("ram") or 512,
        disk_gb=flavor.get("disk") or 1,
    )


def _number(value: object) -> float:
    try:
        return float(str(value))
    except ValueError:
        return 0.0
