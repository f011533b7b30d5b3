"""Keystone: its WSGI application."""

import os

from devcloud.launch import common


def main() -> None:
    """Serve the identity API."""
    layout = common.prepare("keystone")
    os.environ["OS_KEYSTONE_CONFIG_FILES"] = str(layout.etc / "keystone" / "keystone.conf")
    from keystone.wsgi import api

    common.serve(layout, ("keystone", api.application))


if __name__ == "__main__":
    main()
