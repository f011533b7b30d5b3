"""Placement: its WSGI application."""

import os

from devcloud.launch import common


def main() -> None:
    """Serve the placement API."""
    layout = common.prepare("placement-api")
    os.environ["OS_PLACEMENT_CONFIG_DIR"] = str(layout.etc / "placement")
    from placement.wsgi import api

    common.serve(layout, ("placement", api.application))


if __name__ == "__main__":
    main()
