"""Bare metal nodes: enrolled, inspected and available."""

import concurrent.futures
import typing

from openstack.connection import Connection

from devcloud.layout import Layout
from devcloud.seed.hardware import KINDS, NETWORK, Kind
from devcloud.seed.making import make
from devcloud.telemetry import history

_WORKERS = 8
_SECONDS = 120


def run(connection: Connection, _layout: Layout) -> None:
    """Bring every node to ``available``, several at once."""
    present = {node.name: node for node in connection.baremetal.nodes(fields=["uuid", "name"])}
    wanted = [(kind, number) for kind in KINDS for number in range(kind.count)]
    with concurrent.futures.ThreadPoolExecutor(_WORKERS) as pool:
        jobs = [
            pool.submit(_bring_up, connection, kind, number, index, present)
            for index, (kind, number) in enumerate(wanted)
        ]
        for job in concurrent.futures.as_completed(jobs):
            job.result()


def _bring_up(connection: Connection, kind: Kind, number: int, index: int, present: dict[str, typing.Any]) -> None:
    api = connection.baremetal
    name = f"{kind.name}-{number}"
    node = api.get_node(present[name].id) if name in present else _enroll(connection, kind, name, index)
    if node.provision_state == "enroll":
        node = api.set_node_provision_state(node, "manage", wait=True, timeout=_SECONDS)
    if node.provision_state == "manageable":
        api.set_node_traits(node, [kind.trait, *kind.traits])
        node = api.set_node_provision_state(node, "inspect", wait=True, timeout=_SECONDS)
        api.set_node_provision_state(node, "provide", wait=True, timeout=_SECONDS)


def knobs(name: str) -> dict[str, str]:
    """Return a node's ``driver_info``: whose history is hot, that one is hot now."""
    heat = history.stories(f"{kind.name}-{number}" for kind in KINDS for number in range(kind.count))[name].heat
    return {"sim_heat": f"{heat:g}"} if heat else {}


def _enroll(connection: Connection, kind: Kind, name: str, index: int) -> typing.Any:
    api = connection.baremetal
    wanted = {
        "name": name,
        "driver": "simulated",
        "resource_class": kind.resource_class,
        "network_interface": "flat",
        "provision_state": "enroll",
        "properties": {
            "cpus": kind.cpus,
            "memory_mb": kind.memory_mb,
            "local_gb": kind.local_gb,
            "cpu_arch": "x86_64",
            "capabilities": "boot_mode:uefi",
        },
        "driver_info": knobs(name),
    }
    node = make(lambda: api.create_node(**wanted), lambda: api.find_node(name))
    for number in range(2):
        _add_port(connection, node, f"52:54:00:00:{number:02x}:{index:02x}", provisions=number == 0)
    return node


def _add_port(connection: Connection, node: typing.Any, address: str, provisions: bool) -> None:
    api = connection.baremetal
    wanted = {"node_id": node.id, "address": address, "is_pxe_enabled": provisions, "physical_network": NETWORK}
    make(lambda: api.create_port(**wanted), lambda: next(iter(api.ports(address=address)), None))
