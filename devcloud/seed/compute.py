"""Flavors: one per kind of node, two for virtual machines."""

import typing

from openstack.connection import Connection

from devcloud.layout import Layout
from devcloud.seed.hardware import KINDS, Kind
from devcloud.seed.making import make

# Name, processors, MiB, GiB.
VIRTUAL = (("m1.small", 1, 512, 1), ("m1.medium", 2, 2048, 10))


def run(connection: Connection, _layout: Layout) -> None:
    """Make the flavors; the sizes of bare metal ones are what the node has, the scheduler looks elsewhere."""
    api = connection.compute
    present = {flavor.name: flavor for flavor in api.flavors(get_extra_specs=False)}

    def flavor(name: str, vcpus: int, ram: int, disk: int) -> typing.Any:
        return present.get(name) or make(
            lambda: api.create_flavor(name=name, vcpus=vcpus, ram=ram, disk=disk), lambda: api.find_flavor(name)
        )

    for kind in KINDS:
        made = flavor(kind.name, kind.cpus, kind.memory_mb, kind.local_gb)
        api.create_flavor_extra_specs(made, extra_specs(kind))
    for sizes in VIRTUAL:
        flavor(*sizes)


def extra_specs(kind: Kind) -> dict[str, str]:
    """Return what makes Placement look for one whole node of the kind and for nothing else."""
    return {
        "resources:VCPU": "0",
        "resources:MEMORY_MB": "0",
        "resources:DISK_GB": "0",
        f"resources:{kind.placement_class}": "1",
        f"trait:{kind.trait}": "required",
    }
