"""What the shims and launchers use of services' internals, checked against the versions that are installed.

``python -m devcloud.shims.canaries nova`` exits with one sentence per thing that a new version has changed. Each
service is checked in a process of its own, as their configurations exclude each other.
"""

import importlib
import inspect
import os
import sys
import typing
from dataclasses import dataclass


@dataclass(frozen=True)
class Need:
    """One thing that must be there.

    Attributes:
        path: ``module:attribute.attribute``, or a module alone.
        takes: names of parameters that the callable must take.
        contains: text that its source must contain, where the shim replaces a name inside.
    """

    path: str
    takes: tuple[str, ...] = ()
    contains: str = ""


@dataclass(frozen=True)
class Canary:
    """The needs of one shim or launcher.

    Attributes:
        user: the module of ours that has the needs.
        service: whose internals they are.
        needs: what must be there.
    """

    user: str
    service: str
    needs: tuple[Need, ...]


CANARIES: dict[str, Canary] = {
    "sqlite": Canary(
        "devcloud.shims.sqlite",
        "oslo.db",
        (
            Need("oslo_db.sqlalchemy.engines", contains='info["in_transaction"]'),
            Need("sqlalchemy.engine:Connection.info"),
        ),
    ),
    "gnocchi": Canary(
        "devcloud.shims.gnocchi_sqlite",
        "Gnocchi",
        (
            Need("gnocchi.indexer.sqlalchemy:SQLAlchemyIndexer._get_alembic_config"),
            Need("gnocchi.indexer.sqlalchemy:SQLAlchemyIndexer.upgrade", takes=("nocreate",)),
            Need(
                "gnocchi.indexer.sqlalchemy:SQLAlchemyIndexer.create_metric",
                takes=("id", "creator", "archive_policy_name", "name", "unit", "resource_id"),
            ),
            Need("gnocchi.indexer.sqlalchemy:PerInstanceFacade.writer_connection"),
            Need("gnocchi.indexer.sqlalchemy:PerInstanceFacade.independent_reader"),
            Need("gnocchi.indexer.sqlalchemy:ResourceType"),
            Need("gnocchi.indexer:NoSuchResource"),
            Need("gnocchi.cli.metricd:MetricProcessor", takes=("worker_id", "conf")),
            Need("gnocchi.cli.metricd:MetricJanitor", takes=("worker_id", "conf")),
            Need("gnocchi.rest.app:load_app", takes=("conf",)),
        ),
    ),
    "neutron": Canary(
        "devcloud.shims.neutron_bind",
        "Neutron",
        (
            Need("neutron_lib.plugins.ml2.api:MechanismDriver.bind_port", takes=("context",)),
            Need("neutron_lib.plugins.ml2.api:PortContext.set_binding", takes=("segment_id", "status")),
            Need("neutron_lib.plugins.ml2.api:PortContext.segments_to_bind"),
            Need("neutron.db.migration.models.head:get_metadata"),
        ),
    ),
    "cinder": Canary(
        "devcloud.shims.cinder_memory and cinder_service",
        "Cinder",
        (
            Need("cinder.volume.driver:VolumeDriver.initialize_connection", takes=("volume", "connector")),
            Need("cinder.volume.driver:VolumeDriver.get_volume_stats", takes=("refresh",)),
            Need("cinder.service:Service.create", takes=("host", "binary", "service_name", "coordination")),
            Need("cinder.service:Service.report_state", contains="Service.service_id"),
            Need("cinder.wsgi.wsgi:initialize_application"),
        ),
    ),
    "nova": Canary(
        "devcloud.shims.nova_ironic",
        "Nova",
        (
            Need("nova.compute.manager:ComputeManager.__init__", takes=("compute_driver",)),
            Need("nova.compute.manager:ComputeManager._ensure_existing_node_identity", takes=("service_ref",)),
            Need("nova.compute.manager:ComputeManager._check_for_host_rename", takes=("nodes_by_uuid",)),
            Need("nova.virt.ironic.driver:IronicDriver.init_host", contains="host"),
            Need("nova.virt.ironic.driver:CONF"),
            Need("nova.virt.fake:PredictableNodeUUIDDriver"),
            Need("nova.virt.fake:SmallFakeDriver.vcpus"),
            Need("nova.service:Service.create", takes=("host", "binary", "topic", "manager", "topic_alt")),
            Need("nova.objects.host_mapping:discover_hosts", takes=("by_service",)),
            Need("nova.cmd.manage:CellV2Commands.create_cell", takes=("database_connection", "transport_url")),
            Need("nova.cmd.manage:CellV2Commands.map_cell0", takes=("database_connection",)),
        ),
    ),
    "ironic": Canary(
        "devcloud.launch.ironic",
        "Ironic",
        (
            Need("ironic.command"),
            Need("ironic.common.utils:is_ironic_using_sqlite"),
            Need("ironic.common.service:process_launcher"),
            Need("ironic.command.singleprocess:main", contains="ironic_service.process_launcher"),
            Need(
                "ironic.conductor.base_manager:BaseConductorManager._conductor_service_record_keepalive",
                contains="common_utils.is_ironic_using_sqlite()",
            ),
        ),
    ),
    "hardware": Canary(
        "devcloud.hardware",
        "Ironic",
        (
            Need("ironic.drivers.generic:ManualManagementHardware.supported_power_interfaces"),
            Need("ironic.drivers.modules.fake:FakePower.set_power_state", takes=("task", "power_state", "timeout")),
            Need("ironic.drivers.modules.fake:FakeManagement.set_boot_device", takes=("device", "persistent")),
            Need("ironic.drivers.modules.fake:FakeManagement.get_sensors_data", takes=("task",)),
            Need("ironic.drivers.modules.fake:FakeInspect.inspect_hardware", takes=("task",)),
            Need("ironic.drivers.modules.fake:FakeDeploy.tear_down", takes=("task",)),
            Need("ironic.drivers.modules.fake:FakeBIOS.apply_configuration", takes=("task", "settings")),
            Need("ironic.drivers.modules.fake:FakeRAID.create_configuration", takes=("create_root_volume",)),
            Need("ironic.drivers.modules.fake:FakeConsole.get_console", takes=("task",)),
            Need("ironic.drivers.base:VendorInterface.validate", takes=("method",)),
            Need("ironic.drivers.base:passthru", takes=("async_call", "require_exclusive_lock", "description")),
            Need("ironic.drivers.base:clean_step", takes=("priority", "argsinfo")),
            Need("ironic.drivers.modules.inspect_utils:create_ports_if_not_exist", takes=("task", "macs")),
            Need("ironic.drivers.modules.inspect_utils:store_inspection_data", takes=("inventory", "plugin_data")),
            Need("ironic.drivers.modules.network.flat:FlatNetwork.configure_tenant_networks", takes=("task",)),
            Need("ironic.drivers.modules.network.flat:FlatNetwork.unconfigure_tenant_networks", takes=("task",)),
        ),
    ),
    "heat": Canary(
        "devcloud.launch.heat",
        "Heat",
        (
            Need("heat.common.crypt"),
            Need("heat.engine.service:EngineService", takes=("host", "topic")),
            Need("heat.api.openstack.wsgi:init_application"),
            Need("heat.common.config:startup_sanity_check"),
            Need("heat.common.config:load_paste_app"),
            Need("heat.engine.template:_get_template_extension_manager"),
            Need("heat.db.models:ResourceData.resource_id"),
        ),
    ),
    "swift": Canary(
        "devcloud.launch.swift",
        "Swift",
        (
            Need("swift.common.wsgi:run_server", takes=("conf", "logger", "sock"), contains="use_hub"),
            Need("swift.common.wsgi:check_config", takes=("conf_path", "app_section")),
            Need("swift.container.updater:ContainerUpdater.container_sweep", takes=("path",)),
            Need("swift.container.updater:ContainerUpdater.get_paths"),
            Need("swift.common.memcached:MemcacheRing.get", takes=("key", "raise_on_error")),
            Need("eventlet.hubs:_threadlocal"),
        ),
    ),
    "aodh": Canary(
        "devcloud.shims.aodh_gnocchi",
        "Aodh",
        (
            Need("gnocchiclient.v1.aggregates:AggregatesManager.fetch", takes=("operations",)),
            Need("aodh.notifier:AlarmNotifierService", takes=("worker_id", "conf")),
            Need("aodh.evaluator:AlarmEvaluationService", takes=("worker_id", "conf")),
            Need("aodh.api.app:load_app", takes=("conf",)),
        ),
    ),
}


def problems(canary: Canary) -> list[str]:
    """Return a sentence for each need that is not met."""
    found = (_problem(need) for need in canary.needs)
    return [
        f"{canary.user} no longer fits {canary.service}: {problem}; see what took its place and adapt the shim."
        for problem in found
        if problem
    ]


def _problem(need: Need) -> str:
    module, _, attributes = need.path.partition(":")
    try:
        thing: typing.Any = importlib.import_module(module)
    except ImportError as error:
        return f"{module} cannot be imported ({error})"
    for name in filter(None, attributes.split(".")):
        if not hasattr(thing, name):
            return f"{need.path} is gone"
        thing = getattr(thing, name)
    if need.takes and (missing := set(need.takes) - set(inspect.signature(thing).parameters)):
        return f"{need.path} no longer takes {', '.join(sorted(missing))}"
    if need.contains and need.contains not in inspect.getsource(thing):
        return f"the source of {need.path} no longer has {need.contains!r}"
    return ""


def main() -> None:
    """Check the canary named on the command line; exit code 1 and one sentence per problem."""
    os.environ["OS_CINDER_DISABLE_EVENTLET_PATCHING"] = "1"
    found = problems(CANARIES[sys.argv[1]])
    sys.stdout.write("".join(f"{sentence}\n" for sentence in found))
    raise SystemExit(1 if found else 0)


if __name__ == "__main__":
    main()
