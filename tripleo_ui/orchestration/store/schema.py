"""Makes the tables and brings them up to date."""

from pathlib import Path

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory

from tripleo_ui.config import settings
from tripleo_ui.orchestration.store.engine import engine

#: Says which revision the tables have; TaskFlow keeps its own in alembic's usual table.
VERSION_TABLE = "tripleo_ui_version"
_FOLDER = Path(__file__).parents[1] / "migrations"
_LOCK = 7_316_841
_ALONE = {
    "postgresql": (
        "SET statement_timeout = 0",
        "SET idle_in_transaction_session_timeout = 0",
        f"SELECT pg_advisory_lock({_LOCK})",
    ),
    "mysql": (f"SELECT GET_LOCK('{VERSION_TABLE}', 600)",),
    "mariadb": (f"SELECT GET_LOCK('{VERSION_TABLE}', 600)",),
}


class SchemaError(Exception):
    """The tables are missing or of another version than this code."""


def upgrade() -> str:
    """Make or upgrade our tables and TaskFlow's; answers the revision. Safe to run again, and at once elsewhere."""
    # Imported here: pages need the tables' state and never TaskFlow.
    from tripleo_ui.orchestration.persistence import backend  # noqa: PLC0415

    made = engine(settings.database_url)
    with made.connect() as connection:
        # It is not used again: what it holds goes with it.
        connection.detach()
        _alone(connection)
        _adopt(connection)
        config = _config()
        config.attributes.update(connection=connection, version_table=VERSION_TABLE)
        command.upgrade(config, "head")
        records = backend(made).get_connection()
        records.upgrade()
        records.close()
    return current()


def current() -> str:
    """The revision that the database is at; empty where it has no tables."""
    with engine(settings.database_url).connect() as connection:
        return _migrations(connection).get_current_revision() or ""


def check() -> None:
    """Make sure that code and tables belong together.

    Raises:
        SchemaError: with the command that mends it.
    """
    head = ScriptDirectory.from_config(_config()).get_current_head()
    found = current()
    if found != head:
        raise SchemaError(
            f"the database has schema {found or 'none'} and this version needs {head}: "
            "run manage.py orchestration_db upgrade"
        )


def _alone(connection: sa.Connection) -> None:
    """Wait until nobody else upgrades, and keep others from it."""
    statements = _ALONE.get(connection.dialect.name)
    for statement in statements or ():
        connection.exec_driver_sql(statement)
    if statements:
        connection.commit()
    else:
        connection.begin()  # SQLite's write lock, to the end of the migrations.


def _adopt(connection: sa.Connection) -> None:
    """Take over what says the revision where it still has alembic's usual name."""
    tables = sa.inspect(connection).get_table_names()
    if "locks" in tables and VERSION_TABLE not in tables:
        connection.exec_driver_sql(f"ALTER TABLE alembic_version RENAME TO {VERSION_TABLE}")
    if connection.dialect.name in _ALONE:
        connection.commit()


def _migrations(connection: sa.Connection) -> MigrationContext:
    return MigrationContext.configure(connection, opts={"version_table": VERSION_TABLE})


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(_FOLDER))
    return config
