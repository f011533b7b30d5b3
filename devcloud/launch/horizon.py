"""Horizon: its WSGI application and its static files, which are collected and compressed when they changed."""

import mimetypes
import os
import signal
import sys
import typing
from pathlib import Path

from devcloud.horizon import static
from devcloud.launch import common
from devcloud.layout import Layout


def main() -> None:
    """Serve the dashboard."""
    layout = Layout.from_env()
    signal.signal(signal.SIGTERM, lambda *_args: os._exit(0))
    os.environ["DJANGO_SETTINGS_MODULE"] = "openstack_dashboard.settings"
    sys.path.insert(0, str(static.SETTINGS_FOLDER))
    static.build(layout)
    from cheroot import wsgi
    from django.conf import settings
    from django.core.wsgi import get_wsgi_application

    files = StaticFiles(Path(settings.STATIC_ROOT))
    prefix = settings.STATIC_URL.rstrip("/")
    dispatcher = wsgi.PathInfoDispatcher({"/": get_wsgi_application(), prefix: files})
    common.serve(layout, ("horizon", dispatcher))


class StaticFiles:
    """A WSGI application that serves the files below a folder."""

    def __init__(self, root: Path):
        self._root = root.resolve()

    def __call__(self, environ: dict, start_response: typing.Callable) -> list[bytes]:
        """Answer with the file, or 404 for what is not there or not below the folder."""
        file = (self._root / environ["PATH_INFO"].lstrip("/")).resolve()
        if not file.is_relative_to(self._root) or not file.is_file():
            start_response("404 Not Found", [("Content-Type", "text/plain")])
            return [b"not found"]
        content = file.read_bytes()
        kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
        headers = [
            ("Content-Type", kind),
            ("Content-Length", str(len(content))),
            ("Cache-Control", "max-age=3600"),
        ]
        start_response("200 OK", headers)
        return [content]


if __name__ == "__main__":
    main()
