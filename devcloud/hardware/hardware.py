"""The hardware type ``simulated``: which interfaces a node of it may have, the default first."""

from ironic.drivers import generic
from ironic.drivers.modules import fake, noop
from ironic.drivers.modules.network import flat, neutron
from ironic.drivers.modules.network import noop as no_network

from devcloud.hardware import control, provision


class Simulated(generic.ManualManagementHardware):
    """A machine that consists of its knobs, its UUID and the time."""

    supported_bios_interfaces = [provision.BIOS, noop.NoBIOS]
    supported_boot_interfaces = [fake.FakeBoot]
    supported_console_interfaces = [control.Console, noop.NoConsole]
    supported_deploy_interfaces = [provision.Deploy]
    supported_firmware_interfaces = [fake.FakeFirmware]
    supported_inspect_interfaces = [provision.Inspect, noop.NoInspect]
    supported_management_interfaces = [control.Management]
    supported_network_interfaces = [flat.FlatNetwork, neutron.NeutronNetwork, no_network.NoopNetwork]
    supported_power_interfaces = [control.Power]
    supported_raid_interfaces = [provision.RAID, noop.NoRAID]
    supported_rescue_interfaces = [fake.FakeRescue]
    supported_vendor_interfaces = [control.Vendor, noop.NoVendor]
