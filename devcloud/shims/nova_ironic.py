"""A second compute service, for bare metal, beside the fake hypervisor's in one process."""

import typing

import nova.conf
from nova.compute import manager
from nova.virt.ironic import driver

HOST = "undercloud"


class _HostConf:
    """Nova's configuration with the second service's host name: the Ironic driver takes it from there."""

    host = HOST

    def __getattr__(self, name: str) -> typing.Any:
        return getattr(nova.conf.CONF, name)


class IronicComputeManager(manager.ComputeManager):
    """A compute manager with the Ironic driver, whatever ``compute_driver`` says."""

    def __init__(self, *args: typing.Any, **kw: typing.Any):
        driver.CONF = _HostConf()
        super().__init__(*args, **{**kw, "compute_driver": "ironic.IronicDriver"})

    def _ensure_existing_node_identity(self, service_ref: typing.Any) -> None:
        """Skip what Nova itself skips when its one driver is Ironic: nodes are not this host."""

    def _check_for_host_rename(self, nodes_by_uuid: typing.Any) -> None:
        """Skip it for the same reason."""
