"""Glance: its WSGI application."""

import os

from devcloud.launch import common


def main() -> None:
    """Serve the image API."""
    layout = common.prepare("glance-api")
    os.environ["OS_GLANCE_CONFIG_DIR"] = str(layout.etc / "glance")
    from glance.wsgi import api

    common.serve(layout, ("glance", api.application))


if __name__ == "__main__":
    main()
