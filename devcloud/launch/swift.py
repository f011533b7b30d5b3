"""Swift: proxy, account, container and object server and the container updater in one eventlet process."""

import eventlet

eventlet.monkey_patch()

import logging  # noqa: E402
import sys  # noqa: E402
import typing  # noqa: E402

from devcloud.layout import HOST, Layout  # noqa: E402

_LOG = logging.getLogger(__name__)
_SERVERS = ("account", "container", "object", "proxy")
_SWEEP_SECONDS = 5


def main() -> None:
    """Run everything until the process is told to stop."""
    layout = Layout.from_env()
    sys.argv[:] = ["swift"]
    from swift.common import utils, wsgi
    from swift.common.storage_policy import reload_storage_policies

    folder = layout.etc / "swift"
    utils.SWIFT_CONF_FILE = str(folder / "swift.conf")
    utils.validate_hash_conf()
    reload_storage_policies()
    _keep_one_hub(utils.get_hub())
    servers = [_start(wsgi, layout, name) for name in _SERVERS]
    # Account statistics are the updater's work.
    eventlet.spawn(_update_containers, folder)
    for server in servers:
        server.wait()


def _keep_one_hub(wanted: str) -> None:
    """Choose the event loop once per thread; each server would choose anew and leave its siblings on a dead one."""
    use_hub = eventlet.hubs.use_hub
    use_hub(wanted)
    eventlet.hubs.get_hub()

    def once(hub: typing.Any = None) -> None:
        if not hasattr(eventlet.hubs._threadlocal, "hub"):  # noqa: SLF001 - eventlet has no other way to ask
            use_hub(hub)

    eventlet.hubs.use_hub = once


def _start(wsgi: typing.Any, layout: Layout, name: str) -> eventlet.greenthread.GreenThread:
    path = str(layout.etc / "swift" / f"{name}-server.conf")
    conf, logger, global_conf, _strategy = wsgi.check_config(path, f"{name}-server", verbose=True)
    sock = eventlet.listen((HOST, int(conf["bind_port"])), backlog=512)
    return eventlet.spawn(wsgi.run_server, conf, logger, sock, global_conf=global_conf)


def _update_containers(folder: typing.Any) -> None:
    from swift.common.utils import readconf
    from swift.container.updater import ContainerUpdater

    conf = readconf(str(folder / "container-server.conf"), "container-updater", log_name="container-updater")
    updater = ContainerUpdater(conf)
    while True:
        eventlet.sleep(_SWEEP_SECONDS)
        try:
            for path in updater.get_paths():
                updater.container_sweep(path)
        except Exception:  # noqa: BLE001 - the statistics may wait, the service may not end
            _LOG.exception("container updater: sweep failed, trying again")


if __name__ == "__main__":
    main()
