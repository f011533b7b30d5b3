"""Interfaces that stand in for a machine's controller: power, management, console and vendor methods."""

import time
import typing

from ironic.common import boot_devices, exception, states
from ironic.drivers import base
from ironic.drivers.modules import fake

from devcloud.hardware import knobs
from devcloud.hardware.operations import Described, Task, begin, machine
from devcloud.hardware.sensors import Readings, readings

_FIRST_CONSOLE_PORT = 30000
_AFTER = {states.SOFT_POWER_OFF: states.POWER_OFF, states.SOFT_REBOOT: states.POWER_ON, states.REBOOT: states.POWER_ON}


class Power(Described, fake.FakePower):
    """Remembers the power state in Ironic's own database: there is nobody else to ask."""

    def get_power_state(self, task: Task) -> str:
        """Return the state that was set last; off at first, as Nova avoids nodes of an unknown state."""
        begin(task, "power", slow=False)
        return task.node.power_state or states.POWER_OFF

    def set_power_state(self, task: Task, power_state: str, timeout: int | None = None) -> None:
        """Set the state at once."""
        begin(task, "power", exception.PowerStateFailure, slow=False)
        task.node.power_state = _AFTER.get(power_state, power_state)

    def reboot(self, task: Task, timeout: int | None = None) -> None:
        """Turn the machine on, whatever it was before."""
        self.set_power_state(task, states.POWER_ON, timeout)


class Management(Described, fake.FakeManagement):
    """Boot devices and sensors."""

    def get_supported_boot_devices(self, task: Task) -> list[str]:
        """Return what the machine can boot from."""
        return [boot_devices.PXE, boot_devices.DISK, boot_devices.CDROM, boot_devices.BIOS]

    def set_boot_device(self, task: Task, device: str, persistent: bool = False) -> None:
        """Remember the boot device.

        Raises:
            InvalidParameterValue: the machine cannot boot from it.
        """
        super().set_boot_device(task, device, persistent)
        chosen = {"boot_device": device, "persistent": persistent}
        task.node.set_driver_internal_info("sim_boot", chosen)
        task.node.save()

    def get_boot_device(self, task: Task) -> dict[str, typing.Any]:
        """Return the boot device that was set last, else PXE."""
        default = {"boot_device": boot_devices.PXE, "persistent": False}
        return task.node.driver_internal_info.get("sim_boot", default)

    def get_sensors_data(self, task: Task) -> Readings:
        """Return the readings of this moment.

        Raises:
            FailedToGetSensorData: the knobs say so.
        """
        uuid = task.node.uuid
        begin(task, "sensors", lambda text: exception.FailedToGetSensorData(node=uuid, error=text), slow=False)
        return readings(machine(task), time.time())


class Console(Described, fake.FakeConsole):
    """Says where a serial console would listen; nothing does."""

    def start_console(self, task: Task) -> None:
        """Succeed, unless the knobs say otherwise."""
        begin(task, "console", exception.ConsoleError)

    def stop_console(self, task: Task) -> None:
        """Succeed."""

    def get_console(self, task: Task) -> dict[str, str]:
        """Return type and URL as clients of serial consoles expect them."""
        return {"type": "socat", "url": f"tcp://127.0.0.1:{_FIRST_CONSOLE_PORT + task.node.id}"}


class Vendor(base.VendorInterface):
    """Methods of the simulation itself."""

    def get_properties(self) -> dict[str, str]:
        """Return name → description of the properties of ``driver_info``."""
        return knobs.PROPERTIES

    def validate(self, task: Task, method: str = "", **arguments: typing.Any) -> None:
        """See that the operations that are to fail exist.

        Raises:
            InvalidParameterValue: they do not.
        """
        try:
            knobs.failing(str(arguments.get("what", "")))
        except ValueError as error:
            raise exception.InvalidParameterValue(err=str(error)) from error

    @base.passthru(["POST"], async_call=False, description="Make operations fail: {'what': 'deploy,power'}; '' heals.")
    def inject_failure(self, task: Task, http_method: str, what: str = "") -> dict[str, str]:
        """Set the node's ``sim_fail``."""
        task.node.driver_info = {**task.node.driver_info, "sim_fail": what}
        task.node.save()
        return {"sim_fail": what}

    @base.passthru(["GET"], async_call=False, require_exclusive_lock=False, description="The readings of this moment.")
    def sensors(self, task: Task, http_method: str) -> Readings:
        """Return the readings of this moment."""
        return task.driver.management.get_sensors_data(task)
