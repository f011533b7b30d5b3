"""The volume type that volumes have when nobody says one."""

import functools

from openstack.connection import Connection

from devcloud.layout import Layout
from devcloud.seed.making import make

TYPE = "memory"


def run(connection: Connection, _layout: Layout) -> None:
    """Make the type."""
    api = connection.block_storage
    found = functools.partial(api.find_type, TYPE)
    if not found():
        make(lambda: api.create_type(name=TYPE, extra_specs={"volume_backend_name": TYPE}), found)
