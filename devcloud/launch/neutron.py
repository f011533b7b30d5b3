"""Neutron: its WSGI application; ports are bound by the shim, so there are no agents."""

import os

from devcloud.launch import common


def main() -> None:
    """Serve the network API."""
    layout = common.prepare("neutron-api")
    os.environ["OS_NEUTRON_CONFIG_DIR"] = str(layout.etc / "neutron")
    os.environ["OS_NEUTRON_CONFIG_FILES"] = "neutron.conf"
    from neutron.wsgi import api

    common.serve(layout, ("neutron", api.application))


if __name__ == "__main__":
    main()
