"""What the launchers share."""

import os
import signal
import sys
import threading
import traceback
import typing

from devcloud.layout import HOST, Layout
from devcloud.shims import sqlite


def prepare(program: str, config: str = "") -> Layout:
    """Make a process ready for a service's code: its command line, SQLite, and an end at the first failure.

    A failed start leaves threads that would keep half a service running, hence the hard exit.

    Args:
        program: the name that the service's code finds as its own.
        config: the service whose configuration file is named on the command line.
    """
    layout = Layout.from_env()
    sys.excepthook = _die
    sys.argv[:] = [program, *(config_file(layout, config) if config else ())]
    sqlite.install()
    signal.signal(signal.SIGTERM, lambda *_args: os._exit(0))
    return layout


def _die(kind: type[BaseException], error: BaseException, trace: typing.Any) -> None:
    traceback.print_exception(kind, error, trace)
    sys.stderr.flush()
    os._exit(1)


def config_file(layout: Layout, service: str, file: str = "") -> tuple[str, str]:
    """Return the two arguments that name a service's configuration file."""
    return "--config-file", str(layout.etc / service / (file or f"{service}.conf"))


def serve(layout: Layout, *apps: tuple[str, typing.Any], threads: int = 8) -> None:
    """Serve WSGI applications, each given with the name of its port, until the process is told to stop."""
    from cheroot import wsgi  # after the service has chosen its concurrency

    servers = [
        wsgi.Server((HOST, layout.port(name)), app, numthreads=threads, max=24, request_queue_size=64, timeout=65)
        for name, app in apps
    ]
    for server in servers[1:]:
        threading.Thread(target=server.start, daemon=True).start()
    servers[0].start()
