"""What inspection finds in a simulated machine: four kinds of it, each of the size that the node's properties say.

Makers, products and serial numbers are invented. Serial numbers follow from the node's UUID.
"""

import random
import typing
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

_MIB = 2**20
_GIB = 2**30


@dataclass(frozen=True)
class Kind:
    """A kind of machine.

    Attributes:
        product: what its maker calls it.
        processor: name of its processors.
        sockets: how many there are.
        mhz: their clock.
        cpus: logical processors where the node's properties say none.
        memory_mb: MiB where the node's properties say none.
        disk_gb: GiB of the root disk where the node's properties say none.
        data_disks: disks beside the root disk.
        rotational: whether those turn.
        link_mbps: speed of its interfaces.
        flags: features of its processors.
        devices: PCI devices, as class, vendor and product.
    """

    product: str
    processor: str
    sockets: int
    mhz: int
    cpus: int
    memory_mb: int
    disk_gb: int
    data_disks: int
    rotational: bool
    link_mbps: int
    flags: tuple[str, ...]
    devices: tuple[tuple[str, str, str], ...] = ()


KINDS = {
    "controller": Kind("C1000", "Example C16 2.4 GHz", 1, 2400, 16, 65536, 200, 1, False, 10000, ("vmx", "avx2")),
    "compute": Kind("N2000", "Example N32 2.0 GHz", 2, 2000, 64, 262144, 480, 1, False, 25000, ("vmx", "avx2")),
    "storage": Kind("S3000", "Example C16 2.4 GHz", 1, 2400, 16, 65536, 480, 12, True, 25000, ("avx2",)),
    "odd": Kind(
        "G4000",
        "Example G32 2.8 GHz",
        2,
        2800,
        64,
        524288,
        1920,
        4,
        False,
        100000,
        ("vmx", "avx2", "avx512f"),
        (("030200", "10de", "2335"), ("030200", "10de", "2335")),
    ),
}
_BY_CLASS = {"control": "controller", "controller": "controller", "compute": "compute", "storage": "storage"}


@dataclass(frozen=True)
class Subject:
    """The node that is inspected.

    Attributes:
        uuid: its UUID.
        name: its name, or an empty string.
        kind: a key of ``KINDS``.
        properties: what Ironic knows of it already.
        addresses: MAC addresses of its ports; none makes two up.
    """

    uuid: str
    name: str
    kind: str
    properties: Mapping[str, typing.Any]
    addresses: Sequence[str] = ()


def kind_of(wanted: str, resource_class: str | None) -> str:
    """Return the kind of machine: the one that is wanted, else the one its resource class names, else ``odd``.

    Raises:
        ValueError: there is no such kind.
    """
    if wanted:
        if wanted not in KINDS:
            raise ValueError(f"sim_kind: no kind {wanted}; there are {', '.join(KINDS)}")
        return wanted
    return _BY_CLASS.get((resource_class or "").rpartition(".")[2].lower(), "odd")


def inventory(subject: Subject) -> dict[str, typing.Any]:
    """Return the inventory in the form that Ironic's inspection agent sends."""
    kind = KINDS[subject.kind]
    luck = random.Random(subject.uuid)  # noqa: S311 - a simulation
    addresses = list(subject.addresses) or [_address(luck) for _ in range(2)]
    memory = int(subject.properties.get("memory_mb") or kind.memory_mb)
    return {
        "interfaces": [_interface(kind, number, address) for number, address in enumerate(addresses)],
        "cpu": {
            "model_name": kind.processor,
            "frequency": f"{kind.mhz}.0",
            "count": int(subject.properties.get("cpus") or kind.cpus),
            "architecture": subject.properties.get("cpu_arch") or "x86_64",
            "flags": list(kind.flags),
            "socket_count": kind.sockets,
        },
        "memory": {"total": memory * _MIB, "physical_mb": memory},
        "disks": _disks(kind, int(subject.properties.get("local_gb") or kind.disk_gb), luck),
        "pci_devices": [_device(number, device) for number, device in enumerate(kind.devices)],
        "bmc_address": f"10.0.{luck.randrange(256)}.{luck.randrange(1, 255)}",
        "bmc_v6address": "::/0",
        "hostname": subject.name,
        "system_vendor": {
            "manufacturer": "Example Machines",
            "product_name": kind.product,
            "serial_number": f"{luck.getrandbits(28):07X}",
            "firmware": {"vendor": "Example Machines", "version": "2.3.5", "build_date": "09/10/2026"},
        },
        "boot": {"current_boot_mode": "uefi", "pxe_interface": addresses[0]},
    }


def properties(found: Mapping[str, typing.Any], known: Mapping[str, typing.Any]) -> dict[str, typing.Any]:
    """Return a node's properties as an inventory makes them; what Ironic knows already stays beside it."""
    return {
        **known,
        "cpus": found["cpu"]["count"],
        "memory_mb": found["memory"]["physical_mb"],
        "local_gb": found["disks"][0]["size"] // _GIB,
        "cpu_arch": found["cpu"]["architecture"],
        "vendor": found["system_vendor"]["manufacturer"],
        "capabilities": known.get("capabilities") or f"boot_mode:{found['boot']['current_boot_mode']}",
    }


def _address(luck: random.Random) -> str:
    return "52:54:" + ":".join(f"{luck.randrange(256):02x}" for _ in range(4))


def _interface(kind: Kind, number: int, address: str) -> dict[str, typing.Any]:
    return {
        "name": f"eno{number + 1}",
        "mac_address": address,
        "ipv4_address": None,
        "has_carrier": True,
        "lldp": None,
        "vendor": "0x15b3",
        "product": "0x101d",
        "speed_mbps": kind.link_mbps,
    }


def _disks(kind: Kind, root_gb: int, luck: random.Random) -> list[dict[str, typing.Any]]:
    sizes = [root_gb] + [kind.disk_gb * 4] * kind.data_disks
    return [
        {
            "name": f"/dev/sd{chr(ord('a') + number)}",
            "model": "Example D1",
            "size": size * _GIB,
            "rotational": kind.rotational and number > 0,
            "serial": f"D{luck.randrange(10**10):010d}",
            "wwn": f"0x{luck.getrandbits(64):016x}",
            "vendor": "Example Disks",
        }
        for number, size in enumerate(sizes)
    ]


def _device(number: int, device: tuple[str, str, str]) -> dict[str, str]:
    device_class, vendor, product = device
    return {
        "class": device_class,
        "vendor_id": vendor,
        "product_id": product,
        "revision": "a1",
        "bus": f"0000:{number + 1:02x}:00.0",
    }
