"""What telemetry uses of Ceilometer's, Gnocchi's and oslo.messaging's internals.

``python -m devcloud.telemetry.canaries`` exits with one sentence per thing that a new version has changed.
"""

from devcloud.shims.canaries import Canary, Need, problems

CANARY = Canary(
    "devcloud.telemetry",
    "Ceilometer",
    (
        Need("ceilometer.opts:list_opts"),
        Need("ceilometer.keystone_client:register_keystoneauth_opts", takes=("conf",)),
        Need("ceilometer.keystone_client:post_register_keystoneauth_opts", takes=("conf",)),
        Need("ceilometer.sample:setup", takes=("conf",)),
        Need("ceilometer.pipeline.sample:SamplePipelineManager", takes=("conf",)),
        Need("ceilometer.pipeline.sample:SamplePipelineManager.get_main_endpoints"),
        Need("ceilometer.pipeline.sample:SampleEndpoint.info", takes=("notifications",)),
        Need("ceilometer.ipmi.notifications.ironic:SensorNotification", contains="hardware.ipmi.*"),
        Need("ceilometer.ipmi.notifications.ironic:SensorNotification.build_sample", contains="{nodeid}-{sensorid}"),
        Need("ceilometer.ipmi.notifications.ironic:transform_id", takes=("data",)),
        Need("ceilometer.ipmi.notifications.ironic:parse_reading", takes=("data",)),
        Need("ceilometer.publisher.gnocchi:GnocchiPublisher.ensures_archives_policies", contains="AlreadyExists"),
        Need("ceilometer.gnocchi_client:get_gnocchiclient", takes=("conf", "request_timeout")),
        Need("ceilometer.gnocchi_client:upgrade_resource_types", takes=("conf",)),
        Need("gnocchi.utils:ResourceUUID", takes=("value", "creator")),
        Need(
            "gnocchiclient.v1.metric:MetricManager.batch_resources_metrics_measures",
            takes=("measures", "create_metrics"),
        ),
        Need("oslo_messaging.notify.notifier:Driver.notify", takes=("ctxt", "msg", "priority", "retry")),
        Need("ironic.conductor.manager:ConductorManager._sensors_nodes_task", contains="hardware.{driver}.metrics"),
    ),
)


def main() -> None:
    """Exit with one sentence per problem, or with 0."""
    raise SystemExit("\n".join(problems(CANARY)) or 0)


if __name__ == "__main__":
    main()
