"""Interfaces that stand in for the agent on a machine's disk: inspection, deployment, BIOS and RAID."""

import datetime as dt
import typing

from ironic import objects
from ironic.common import exception, states
from ironic.drivers import base
from ironic.drivers.modules import fake, inspect_utils

from devcloud.hardware import inventory
from devcloud.hardware.operations import Described, Task, begin, pause, read_knobs

_BIOS = {
    "BootMode": "Uefi",
    "LogicalProc": "Enabled",
    "ProcVirtualization": "Enabled",
    "SysProfile": "PerfOptimized",
}
_ARGUMENTS = {
    "create_root_volume": {"description": "Whether the root volume is made."},
    "create_nonroot_volumes": {"description": "Whether the other volumes are made."},
}


class Inspect(Described, fake.FakeInspect):
    """Finds the machine that the node's properties describe."""

    def inspect_hardware(self, task: Task) -> str:
        """Store the inventory, make missing ports, and complete the node's properties.

        Raises:
            HardwareInspectionFailure: the knobs say so.
        """
        begin(task, "inspect", lambda text: exception.HardwareInspectionFailure(error=text))
        node = task.node
        subject = inventory.Subject(
            uuid=node.uuid,
            name=node.name or "",
            kind=inventory.kind_of(read_knobs(task).kind, node.resource_class),
            properties=node.properties,
            addresses=[port.address for port in objects.Port.list_by_node_id(task.context, node.id)],
        )
        found = inventory.inventory(subject)
        addresses = [interface["mac_address"] for interface in found["interfaces"]]
        inspect_utils.create_ports_if_not_exist(task, addresses)
        extra = {"root_disk": found["disks"][0], "boot_interface": addresses[0]}
        inspect_utils.store_inspection_data(node, found, extra, task.context)
        node.properties = inventory.properties(found, node.properties)
        node.save()
        return states.MANAGEABLE


class Deploy(Described, fake.FakeDeploy):
    """Writes no image, but takes its time, moves the network and turns the machine on."""

    @base.deploy_step(priority=100)
    def deploy(self, task: Task) -> None:
        """Connect the tenant's network and turn the machine on.

        Nova leaves ports of bare metal unbound; Ironic's network interface binds them here.

        Raises:
            InstanceDeployFailure: the knobs say so.
        """
        begin(task, "deploy", lambda text: exception.InstanceDeployFailure(reason=text))
        task.driver.network.configure_tenant_networks(task)
        task.driver.power.set_power_state(task, states.POWER_ON)

    def prepare(self, task: Task) -> None:
        """Succeed at once: nothing boots."""

    def clean_up(self, task: Task) -> None:
        """Succeed at once: nothing is left."""

    def take_over(self, task: Task) -> None:
        """Succeed at once: nothing runs here."""

    def tear_down(self, task: Task) -> str:
        """Turn the machine off and disconnect the tenant's network."""
        pause(read_knobs(task))
        task.driver.power.set_power_state(task, states.POWER_OFF)
        task.driver.network.unconfigure_tenant_networks(task)
        return states.DELETED

    def prepare_cleaning(self, task: Task) -> None:
        """Take the time that booting an agent takes."""
        pause(read_knobs(task))

    @base.clean_step(priority=10)
    def erase_devices_metadata(self, task: Task) -> None:
        """Erase nothing, quickly."""
        self._erase(task)

    @base.clean_step(priority=0)
    def erase_devices(self, task: Task) -> None:
        """Erase nothing, thoroughly."""
        self._erase(task)

    def _erase(self, task: Task) -> None:
        uuid = task.node.uuid
        begin(task, "clean", lambda text: exception.NodeCleaningFailure(node=uuid, reason=text))


class BIOS(Described, fake.FakeBIOS):
    """Settings that can be read and changed."""

    def cache_bios_settings(self, task: Task) -> None:
        """Add the settings that Ironic does not know yet; what was changed stays."""
        known = {setting.name for setting in objects.BIOSSettingList.get_by_node_id(task.context, task.node.id)}
        new = [{"name": name, "value": value} for name, value in _BIOS.items() if name not in known]
        if new:
            objects.BIOSSettingList.create(task.context, task.node.id, new)


class RAID(Described, fake.FakeRAID):
    """Takes on the configuration that is wanted."""

    @base.clean_step(priority=0, argsinfo=_ARGUMENTS)
    def create_configuration(
        self, task: Task, create_root_volume: bool = True, create_nonroot_volumes: bool = True
    ) -> None:
        """Make the wanted volumes the present ones."""
        begin(task, "clean", lambda text: exception.NodeCleaningFailure(node=task.node.uuid, reason=text))
        wanted: dict[str, typing.Any] = dict(task.node.target_raid_config)
        disks = [
            disk
            for disk in wanted.get("logical_disks", [])
            if (create_root_volume if disk.get("is_root_volume") else create_nonroot_volumes)
        ]
        now = dt.datetime.now(dt.UTC).isoformat()
        task.node.raid_config = {**wanted, "logical_disks": disks, "last_updated": now}
        task.node.save()

    @base.clean_step(priority=0)
    def delete_configuration(self, task: Task) -> None:
        """Remove every volume."""
        task.node.raid_config = {}
        task.node.save()
