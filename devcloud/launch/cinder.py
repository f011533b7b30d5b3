"""Cinder: API, scheduler and one volume service in one process, with native threads."""

import os
import shlex

from devcloud.launch import common


def main() -> None:
    """Serve the API beside the scheduler and the volume service."""
    layout = common.prepare("cinder", config="cinder")
    os.environ["OS_CINDER_DISABLE_EVENTLET_PATCHING"] = "1"
    from cinder import monkey_patch

    monkey_patch.patch()
    import os_brick
    from cinder import utils
    from cinder.common import config, constants  # noqa: F401 - config registers options
    from cinder.wsgi import wsgi
    from oslo_config import cfg
    from oslo_privsep import priv_context

    from devcloud.shims import cinder_service

    conf = cfg.CONF
    # What cinder-volume's own command registers.
    conf.register_cli_opt(cfg.StrOpt("backend_host"))
    conf.register_cli_opt(cfg.StrOpt("backend_name"))
    conf.register_opt(cfg.StrOpt("cluster"))
    app = wsgi.initialize_application()
    priv_context.init(root_helper=shlex.split(utils.get_root_helper()))
    os_brick.setup(conf)
    cinder_service.Service.create(binary="cinder-scheduler").start()
    for backend in conf.enabled_backends:
        conf.register_opt(cfg.StrOpt("backend_host"), group=backend)
        cinder_service.Service.create(
            host=f"{conf.host}@{backend}",
            service_name=backend,
            binary=constants.VOLUME_BINARY,
            coordination=True,
        ).start()
    common.serve(layout, ("cinder", app))


if __name__ == "__main__":
    main()
