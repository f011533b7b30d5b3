"""What inspection finds fits what the node's properties say, and stays the same."""

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devcloud.hardware import inventory
from devcloud.hardware.inventory import KINDS, Subject
from devcloud.seed import hardware

SUBJECT = Subject(
    uuid="6f9619ff-8b86-4d01-b42d-00c04fc964ff",
    name="compute-0",
    kind="compute",
    properties={"cpus": 64, "memory_mb": 262144, "local_gb": 480, "cpu_arch": "x86_64"},
    addresses=("52:54:00:00:00:01", "52:54:00:00:01:01"),
)


@given(st.integers(1, 512), st.integers(1024, 2**22), st.integers(10, 20000), st.sampled_from(sorted(KINDS)))
def test_sizes_are_those_of_the_properties_and_survive_inspection(cpus, memory, disk, kind):
    known = {"cpus": cpus, "memory_mb": memory, "local_gb": disk, "cpu_arch": "x86_64"}
    found = inventory.inventory(dataclasses.replace(SUBJECT, kind=kind, properties=known))
    assert found["cpu"]["count"] == cpus
    assert found["memory"]["total"] == memory * 2**20
    assert found["disks"][0]["size"] == disk * 2**30
    after = inventory.properties(found, known)
    assert {name: after[name] for name in known} == known


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_a_node_that_says_nothing_gets_the_sizes_of_its_kind(kind):
    found = inventory.inventory(dataclasses.replace(SUBJECT, kind=kind, properties={}, addresses=()))
    assert found["cpu"]["count"] == KINDS[kind].cpus
    assert found["memory"]["physical_mb"] == KINDS[kind].memory_mb
    assert len(found["disks"]) == 1 + KINDS[kind].data_disks
    assert len({interface["mac_address"] for interface in found["interfaces"]}) == 2


def test_interfaces_are_the_ports_and_the_first_boots():
    found = inventory.inventory(SUBJECT)
    assert tuple(interface["mac_address"] for interface in found["interfaces"]) == SUBJECT.addresses
    assert found["boot"]["pxe_interface"] == SUBJECT.addresses[0]
    assert found["hostname"] == "compute-0"


def test_an_inventory_is_always_the_same_and_no_other_node_s():
    assert inventory.inventory(SUBJECT) == inventory.inventory(SUBJECT)
    other = dataclasses.replace(SUBJECT, uuid="00000000-0000-4000-8000-000000000001")
    serials = [inventory.inventory(subject)["system_vendor"]["serial_number"] for subject in (SUBJECT, other)]
    assert serials[0] != serials[1]


def test_only_data_disks_of_storage_turn():
    disks = inventory.inventory(dataclasses.replace(SUBJECT, kind="storage"))["disks"]
    assert [disk["rotational"] for disk in disks] == [False] + [True] * 12
    assert len({disk["serial"] for disk in disks}) == 13


def test_only_the_odd_machine_has_accelerators():
    by_kind = {kind: len(inventory.inventory(dataclasses.replace(SUBJECT, kind=kind))["pci_devices"]) for kind in KINDS}
    assert by_kind == {"controller": 0, "compute": 0, "storage": 0, "odd": 2}


def test_every_kind_of_the_seed_is_a_kind_of_machine_of_its_own():
    kinds = [inventory.kind_of("", kind.resource_class) for kind in hardware.KINDS]
    assert sorted(kinds) == sorted(KINDS)


def test_the_knob_decides_before_the_resource_class():
    assert inventory.kind_of("storage", "baremetal.compute") == "storage"
    assert inventory.kind_of("", None) == "odd"


def test_an_unknown_kind_is_refused_with_those_there_are():
    with pytest.raises(ValueError, match="no kind mainframe; there are controller, compute, storage, odd"):
        inventory.kind_of("mainframe", None)


def test_inspection_keeps_what_it_cannot_know():
    known = {"capabilities": "boot_mode:bios", "rack": "7"}
    after = inventory.properties(inventory.inventory(dataclasses.replace(SUBJECT, properties=known)), known)
    assert after["capabilities"] == "boot_mode:bios"
    assert after["rack"] == "7"
    assert after["vendor"] == "Example Machines"
