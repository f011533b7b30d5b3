"""The volume type that volumes have when nobody says one."""

from openstack.connection import Connection

from devcloud.layout import Layout

TYPE = "memory"


def run(connection: Connection, _layout: Layout) -> None:
    """Make the type."""
    if not connection.block_storage.find_type(TYPE):
        connection.block_storage.create_type(name=TYPE, extra_specs={"volume_backend_name": TYPE})
