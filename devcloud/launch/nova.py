"""Nova: API, conductor, scheduler and compute services (fake hypervisors, bare metal) in one process."""

import os
import shlex
import typing

from devcloud.launch import common
from devcloud.render import COMPUTE_HOSTS


def main() -> None:
    """Serve the compute API beside the other services."""
    layout = common.prepare("nova")
    os.environ["OS_NOVA_CONFIG_DIR"] = str(layout.etc / "nova")
    os.environ["OS_NOVA_CONFIG_FILES"] = f"{layout.prefix / 'etc/nova/api-paste.ini'};nova.conf"
    from nova import monkey_patch

    monkey_patch.patch(backend="threading")
    import nova.conf
    from nova import context, objects
    from nova.api.openstack import wsgi_app
    from nova.objects import host_mapping

    _grow_fake_hypervisors()
    app = wsgi_app.init_application("osapi_compute", "nova")
    _initialize(nova.conf.CONF)
    objects.Service.enable_min_version_cache()
    _start_services()
    # Map all compute hosts to their cell now instead of at the scheduler's next look.
    host_mapping.discover_hosts(context.get_admin_context(), by_service=True)
    common.serve(layout, ("nova", app))


def _grow_fake_hypervisors() -> None:
    from nova.virt import fake

    fake.SmallFakeDriver.vcpus = 128
    fake.SmallFakeDriver.memory_mb = 524_288
    fake.SmallFakeDriver.local_gb = 20_000


def _initialize(conf: typing.Any) -> None:
    import os_brick
    import os_vif
    from nova import objects, utils
    from oslo_privsep import priv_context

    priv_context.init(root_helper=shlex.split(utils.get_root_helper()))
    objects.register_all()
    os_brick.setup(conf)
    os_vif.initialize()


def _start_services() -> None:
    from nova import service
    from nova.compute import rpcapi as compute
    from nova.conductor import rpcapi as conductor
    from nova.scheduler import rpcapi as scheduler

    from devcloud.shims import nova_ironic

    topics = {"topic": compute.RPC_TOPIC, "topic_alt": compute.RPC_TOPIC_ALT}
    manager = f"{nova_ironic.__name__}.{nova_ironic.IronicComputeManager.__name__}"
    for arguments in (
        {"binary": "nova-conductor", "topic": conductor.RPC_TOPIC},
        {"binary": "nova-scheduler", "topic": scheduler.RPC_TOPIC},
        *({"binary": "nova-compute", "host": host, **topics} for host in COMPUTE_HOSTS),
        {"binary": "nova-compute", "host": nova_ironic.HOST, "manager": manager, **topics},
    ):
        service.Service.create(**arguments).start()


if __name__ == "__main__":
    main()
