"""Makes the databases of one service: ``python -m devcloud.schema nova``.

One process each, as a service's configuration is global to a process; every function calls what the service's own
command calls.
"""

import getpass
import grp
import os
import shutil
import sqlite3
import sys
import typing
import uuid
from collections.abc import Callable

from devcloud.launch import common
from devcloud.layout import PASSWORD, REGION, Layout
from devcloud.render import COMPUTE_HOST
from devcloud.shims import sqlite


def _run(main: Callable[..., typing.Any], *arguments: str) -> None:
    """Call a service's command in this process.

    Raises:
        SystemExit: the command failed.
    """
    sys.argv[1:] = arguments
    try:
        code = main()
    except SystemExit as leaving:
        code = leaving.code
    if code:
        raise SystemExit(f"{sys.argv[0]} {' '.join(arguments)} failed: {code}")


def keystone(layout: Layout) -> None:
    """Tables, keys, the administrator and the identity endpoints."""
    from keystone.cmd import cli
    from keystone.conf import CONF

    who = ("--keystone-user", getpass.getuser(), "--keystone-group", grp.getgrgid(os.getgid()).gr_name)
    urls = [f"--bootstrap-{kind}-url={layout.auth_url}" for kind in ("public", "internal", "admin")]
    secret = f"--bootstrap-password={PASSWORD}"
    for command in (
        ("db_sync",),
        ("fernet_setup", *who),
        ("credential_setup", *who),
        ("bootstrap", secret, f"--bootstrap-region-id={REGION}", *urls),
    ):
        argv = ["keystone-manage", *common.config_file(layout, "keystone"), *command]
        _run(lambda argv=argv: cli.main(argv=argv))
        CONF.reset()


def glance(layout: Layout) -> None:
    """Tables of the image service."""
    from glance.cmd import manage

    _run(manage.main, *common.config_file(layout, "glance", "glance-api.conf"), "db_sync")


def heat(layout: Layout) -> None:
    """Tables whose keys are never used again, and a trigger for what a foreign key would delete."""
    from heat.cmd import manage

    sqlite.never_reuse_keys()
    _run(manage.main, *common.config_file(layout, "heat"), "db_sync")
    with sqlite3.connect(layout.state / "heat.sqlite") as connection:
        connection.execute(
            "CREATE TRIGGER IF NOT EXISTS resource_data_cascade AFTER DELETE ON resource "
            "BEGIN DELETE FROM resource_data WHERE resource_id = OLD.id; END"
        )
    connection.close()


def gnocchi(layout: Layout) -> None:
    """Index, storage and the default archive policies."""
    from gnocchi.cli import manage

    _run(manage.upgrade, *common.config_file(layout, "gnocchi"))


def aodh(layout: Layout) -> None:
    """Tables of the alarming service."""
    from aodh import service, storage

    sys.argv[1:] = common.config_file(layout, "aodh")
    conf = service.prepare_service(with_gmr=False, prog="aodh-dbsync")
    storage.get_connection_from_config(conf).upgrade()


def ironic(layout: Layout) -> None:
    """Tables of the bare metal service."""
    from ironic.command import dbsync

    _run(dbsync.main, *common.config_file(layout, "ironic"), "create_schema")


def placement(layout: Layout) -> None:
    """Tables of the placement service."""
    from placement.cmd import manage

    _run(manage.main, *common.config_file(layout, "placement"), "db", "sync")


def neutron(layout: Layout) -> None:
    """Tables from the models, as the migrations alter constraints, which SQLite cannot; then the mark of the newest."""
    import sqlalchemy
    from neutron.db.migration import cli
    from neutron.db.migration.models import head

    engine = sqlalchemy.create_engine(layout.database("neutron"))
    head.get_metadata().create_all(engine)
    engine.dispose()
    _run(cli.main, *common.config_file(layout, "neutron"), "stamp", "heads")


def cinder(layout: Layout) -> None:
    """Tables of the volume service."""
    from cinder.cmd import manage

    _run(manage.main, *common.config_file(layout, "cinder"), "db", "sync")


def nova(layout: Layout) -> None:
    """Tables of the API and of two cells, and the identity of the fake hypervisors' host."""
    from nova import config, objects
    from nova.cmd import manage

    config.parse_args([sys.argv[0], *common.config_file(layout, "nova")])
    objects.register_all()
    cells = manage.CellV2Commands()
    cell1 = {"database_connection": layout.database("nova_cell1"), "transport_url": "fake://"}
    for name, step in (
        ("API tables", manage.ApiDbCommands().sync),
        ("mapping of cell0", lambda: cells.map_cell0(layout.database("nova_cell0"))),
        ("tables of the cells", manage.DbCommands().sync),
        ("mapping of cell1", lambda: cells.create_cell("cell1", **cell1)),
    ):
        if code := step():
            raise SystemExit(f"{name}: failed with {code}")
    # Without it Nova makes an id at each start, and refuses its second one.
    identity = uuid.uuid5(uuid.NAMESPACE_DNS, COMPUTE_HOST)
    (layout.state / "nova" / "compute_id").write_text(str(identity))


def swift(layout: Layout) -> None:
    """Rings of one device each; the hash's parts lie with them, as objects' places follow from both."""
    from swift.common.ring import RingBuilder

    folder = layout.state / "swift" / "rings"
    shutil.copy(layout.etc / "swift" / "swift.conf", folder)
    for name in ("account", "container", "object"):
        port = layout.port(f"swift_{name}")
        address = {"ip": "127.0.0.1", "port": port, "replication_ip": "127.0.0.1", "replication_port": port}
        builder = RingBuilder(4, 1, 0)
        builder.add_dev({"id": 0, "region": 1, "zone": 1, "weight": 1.0, "device": "d1", "meta": "", **address})
        builder.rebalance()
        builder.get_ring().save(str(folder / f"{name}.ring.gz"))


MAKERS: dict[str, Callable[[Layout], None]] = {
    maker.__name__: maker
    for maker in (keystone, glance, heat, gnocchi, aodh, ironic, placement, neutron, cinder, nova, swift)
}


def main() -> None:
    """Make the databases of the service named on the command line."""
    name = sys.argv[1]
    maker = MAKERS[name]
    maker(common.prepare(f"{name}-manage"))


if __name__ == "__main__":
    main()
