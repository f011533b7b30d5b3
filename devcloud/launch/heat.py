"""Heat: API, CloudFormation API and engine in one process, with threads."""

from devcloud.launch import common


def main() -> None:
    """Serve both APIs over an engine in this process."""
    layout = common.prepare("heat-api", config="heat")
    from oslo_service import backend

    backend.init_backend(backend.BackendType.THREADING)
    from heat.api.openstack import wsgi as api
    from heat.common import (
        config,
        crypt,  # noqa: F401 - registers an option that the sanity check reads
    )
    from heat.engine import service as engine
    from heat.engine import template
    from heat.rpc import api as rpc
    from oslo_config import cfg

    app = api.init_application()
    config.startup_sanity_check()
    template._get_template_extension_manager()  # noqa: SLF001 - loaded before threads ask for it
    engine.EngineService(cfg.CONF.host, rpc.ENGINE_TOPIC).start()
    common.serve(layout, ("heat", app), ("heat_cfn", config.load_paste_app("heat-api-cfn")))


if __name__ == "__main__":
    main()
