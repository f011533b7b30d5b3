"""Meters of Nova's servers, virtual and bare metal, as Ceilometer's compute agent names them."""

from dataclasses import dataclass

from devcloud.telemetry.load import between, count, load
from devcloud.telemetry.series import LOW_RATE, Meter, Resource


@dataclass(frozen=True)
class Server:
    """A server as far as its meters depend on it.

    Attributes:
        id: Nova's id.
        name: its display name.
        host: the compute host that runs it.
        flavor: the flavor's name.
        image: the image's id, or an empty string when it starts from a volume.
        project_id: its owner's project.
        user_id: who made it.
        created_at: seconds of the epoch.
        vcpus: processors.
        memory_mb: MiB.
        disk_gb: GiB of the root disk.
    """

    id: str
    name: str
    host: str
    flavor: str
    image: str
    project_id: str
    user_id: str
    created_at: float
    vcpus: int = 1
    memory_mb: int = 512
    disk_gb: int = 1


def resources(server: Server) -> list[Resource]:
    """Return the server, its disk and its network interface with their meters."""
    owner = {"user_id": server.user_id, "project_id": server.project_id}
    return [_instance(server, owner), _disk(server, owner), _interface(server, owner)]


def _instance(server: Server, owner: dict[str, str]) -> Resource:
    def used_memory(at: float) -> float:
        return server.memory_mb * (0.25 + 0.6 * load(f"{server.id}/memory", at))

    meters = (
        _counter(server, "cpu", "ns", 1e9 * server.vcpus),
        Meter("vcpus", "vcpu", lambda _at: server.vcpus),
        Meter("memory", "MB", lambda _at: server.memory_mb),
        Meter("memory.usage", "MB", used_memory),
        Meter("disk.root.size", "GB", lambda _at: server.disk_gb),
    )
    attributes = {
        **owner,
        "display_name": server.name,
        "host": server.host,
        "flavor_id": server.flavor,
        "flavor_name": server.flavor,
        "image_ref": server.image,
    }
    return Resource("instance", server.id, meters, attributes)


def _disk(server: Server, owner: dict[str, str]) -> Resource:
    size = server.disk_gb * 2**30
    filled = size * between(f"{server.id}/filled", 0.2, 0.7)
    meters = (
        _counter(server, "disk.device.read.bytes", "B", 4e6),
        _counter(server, "disk.device.write.bytes", "B", 7e6),
        _counter(server, "disk.device.read.requests", "request", 110),
        _counter(server, "disk.device.write.requests", "request", 190),
        Meter("disk.device.capacity", "B", lambda _at: size),
        Meter("disk.device.usage", "B", lambda _at: filled),
    )
    attributes = {**owner, "name": "vda", "instance_id": server.id}
    return Resource("instance_disk", f"{server.id}-vda", meters, attributes)


def _interface(server: Server, owner: dict[str, str]) -> Resource:
    meters = (
        _counter(server, "network.incoming.bytes", "B", 6e6),
        _counter(server, "network.outgoing.bytes", "B", 4e6),
        _counter(server, "network.incoming.packets", "packet", 5200),
        _counter(server, "network.outgoing.packets", "packet", 3900),
    )
    attributes = {**owner, "name": "eth0", "instance_id": server.id}
    return Resource("instance_network_interface", f"{server.id}-eth0", meters, attributes)


def _counter(server: Server, name: str, unit: str, rate: float) -> Meter:
    """A counter whose work came on: only what has happened since the server was made is in it."""
    key = f"{server.id}/{name.rsplit('.', 1)[0]}"

    def value(at: float) -> float:
        return count(key, at, rate) - count(key, server.created_at, rate)

    return Meter(name, unit, value, LOW_RATE)
