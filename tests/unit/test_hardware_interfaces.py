"""The interfaces of the hardware type, with a task that has no conductor behind it."""

import importlib
import types

import pytest
from ironic.common import exception, states

from devcloud.hardware import control, operations, provision
from devcloud.hardware.hardware import Simulated
from devcloud.shims import entry_points


class Node(types.SimpleNamespace):
    def save(self):
        self.saved += 1

    def set_driver_internal_info(self, key, value):
        self.driver_internal_info[key] = value


class Network:
    def __init__(self):
        self.calls = []

    def configure_tenant_networks(self, task):
        self.calls.append(("configure", task.node.power_state))

    def unconfigure_tenant_networks(self, task):
        self.calls.append(("unconfigure", task.node.power_state))


@pytest.fixture
def slept(monkeypatch):
    """Seconds that operations wanted to take; they take none."""
    seconds = []
    monkeypatch.setattr(operations.time, "sleep", seconds.append)
    return seconds


@pytest.fixture
def task(slept):
    node = Node(
        id=7,
        uuid="6f9619ff-8b86-4d01-b42d-00c04fc964ff",
        name="compute-0",
        resource_class="baremetal.compute",
        power_state=None,
        provision_state=states.AVAILABLE,
        driver_info={},
        driver_internal_info={},
        raid_config={},
        target_raid_config={},
        saved=0,
    )
    driver = types.SimpleNamespace(power=control.Power(), network=Network(), management=control.Management())
    return types.SimpleNamespace(node=node, driver=driver, context=None)


def test_every_entry_point_is_an_interface_that_the_hardware_type_supports():
    prefix = "ironic.hardware.interfaces."
    groups = {group: names for group, names in entry_points.collect().items() if group.startswith(prefix)}
    assert len(groups) == 8
    for group, names in groups.items():
        module, _, attribute = names["simulated"].partition(":")
        interface = getattr(importlib.import_module(module), attribute)
        supported = getattr(Simulated(), f"supported_{group.removeprefix(prefix)}_interfaces")
        assert supported[0] is interface
        assert interface().get_properties().keys() >= {"sim_fail", "sim_heat"}


def test_a_machine_nobody_has_touched_is_off(task):
    assert task.driver.power.get_power_state(task) == states.POWER_OFF


@pytest.mark.parametrize(
    ("wanted", "after"),
    [
        (states.POWER_ON, states.POWER_ON),
        (states.POWER_OFF, states.POWER_OFF),
        (states.SOFT_POWER_OFF, states.POWER_OFF),
        (states.SOFT_REBOOT, states.POWER_ON),
        (states.REBOOT, states.POWER_ON),
    ],
)
def test_power_ends_in_a_state_that_lasts(task, wanted, after):
    task.driver.power.set_power_state(task, wanted)
    assert task.driver.power.get_power_state(task) == after


def test_a_reboot_leaves_the_machine_on(task):
    task.driver.power.reboot(task)
    assert task.node.power_state == states.POWER_ON


def test_deployment_moves_the_network_before_power_and_the_way_back_is_the_reverse(task, slept):
    deploy = provision.Deploy()
    deploy.deploy(task)
    assert task.node.power_state == states.POWER_ON
    assert deploy.tear_down(task) == states.DELETED
    assert task.node.power_state == states.POWER_OFF
    assert task.driver.network.calls == [("configure", None), ("unconfigure", states.POWER_OFF)]
    assert len(slept) == 2
    assert all(1 <= seconds <= 2 for seconds in slept)


def test_an_operation_takes_as_long_as_the_node_says(task, slept):
    task.node.driver_info["sim_delay"] = "7"
    provision.Deploy().prepare_cleaning(task)
    assert slept == [7.0]


@pytest.mark.parametrize(
    ("operation", "act", "error"),
    [
        ("power", lambda task: control.Power().set_power_state(task, states.POWER_ON), exception.IronicException),
        ("power", lambda task: control.Power().get_power_state(task), exception.IronicException),
        ("sensors", lambda task: control.Management().get_sensors_data(task), exception.FailedToGetSensorData),
        ("console", lambda task: control.Console().start_console(task), exception.ConsoleError),
        ("inspect", lambda task: provision.Inspect().inspect_hardware(task), exception.HardwareInspectionFailure),
        ("deploy", lambda task: provision.Deploy().deploy(task), exception.InstanceDeployFailure),
        ("clean", lambda task: provision.Deploy().erase_devices_metadata(task), exception.NodeCleaningFailure),
        ("clean", lambda task: provision.Deploy().erase_devices(task), exception.NodeCleaningFailure),
        ("clean", lambda task: provision.RAID().create_configuration(task), exception.NodeCleaningFailure),
    ],
)
def test_an_injected_failure_names_node_and_operation(task, operation, act, error):
    task.node.driver_info["sim_fail"] = operation
    with pytest.raises(error, match=f"compute-0 was told to fail: {operation}"):
        act(task)
    assert task.node.power_state is None
    assert task.driver.network.calls == []


def test_a_failure_of_one_operation_spares_the_others(task):
    task.node.driver_info["sim_fail"] = "deploy,clean"
    task.driver.power.set_power_state(task, states.POWER_ON)
    assert task.driver.management.get_sensors_data(task)["Fan"]


@pytest.mark.parametrize("info", [{"sim_delay": "soon"}, {"sim_kind": "mainframe"}, {"sim_fail": "explode"}])
@pytest.mark.parametrize("interface", [control.Power, control.Management, provision.Deploy, provision.RAID])
def test_validation_refuses_a_knob_that_cannot_be(task, info, interface):
    interface().validate(task)
    task.node.driver_info.update(info)
    with pytest.raises(exception.InvalidParameterValue, match=next(iter(info))):
        interface().validate(task)


def test_the_vendor_method_sets_the_knob_and_an_empty_one_heals(task):
    vendor = control.Vendor()
    assert vendor.inject_failure(task, http_method="POST", what="deploy") == {"sim_fail": "deploy"}
    assert task.node.driver_info["sim_fail"] == "deploy"
    vendor.inject_failure(task, http_method="POST", what="")
    assert operations.read_knobs(task).failing == frozenset()
    assert task.node.saved == 2


def test_the_vendor_method_refuses_an_unknown_operation(task):
    with pytest.raises(exception.InvalidParameterValue, match="no operation explode"):
        control.Vendor().validate(task, method="inject_failure", what="explode")


def test_sensors_follow_power_and_deployment(task):
    def current():
        reading = task.driver.management.get_sensors_data(task)["Current"]["PS1 Current (0x60)"]
        return float(reading["Sensor Reading"].split()[0])

    off = current()
    task.driver.power.set_power_state(task, states.POWER_ON)
    idle = current()
    task.node.provision_state = states.ACTIVE
    assert off < idle < current()


def test_the_boot_device_is_remembered_and_an_impossible_one_refused(task):
    management = task.driver.management
    assert management.get_boot_device(task)["boot_device"] == "pxe"
    management.set_boot_device(task, "disk", persistent=True)
    assert management.get_boot_device(task) == {"boot_device": "disk", "persistent": True}
    with pytest.raises(exception.InvalidParameterValue):
        management.set_boot_device(task, "floppy")


def test_raid_takes_on_the_volumes_that_are_asked_for(task):
    root, data = {"size_gb": 100, "is_root_volume": True}, {"size_gb": 900}
    task.node.target_raid_config = {"logical_disks": [root, data]}
    raid = provision.RAID()
    raid.create_configuration(task)
    assert task.node.raid_config["logical_disks"] == [root, data]
    raid.create_configuration(task, create_nonroot_volumes=False)
    assert task.node.raid_config["logical_disks"] == [root]
    assert task.node.raid_config["last_updated"].endswith("+00:00")
    raid.delete_configuration(task)
    assert task.node.raid_config == {}


def test_two_nodes_have_two_consoles(task):
    first = control.Console().get_console(task)
    task.node.id = 8
    assert first["type"] == "socat"
    assert first["url"] != control.Console().get_console(task)["url"]
