"""Makes the tables and brings them up to date."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory

from tripleo_ui.config import settings
from tripleo_ui.orchestration.store.engine import engine

_FOLDER = Path(__file__).parents[1] / "migrations"


class SchemaError(Exception):
    """The tables are missing or of another version than this code."""


def upgrade() -> str:
    """Make or upgrade our tables and TaskFlow's; answers the revision. Safe to run again."""
    # Imported here: pages need the tables' state and never TaskFlow.
    from tripleo_ui.orchestration.persistence import backend  # noqa: PLC0415

    made = engine(settings.database_url)
    with made.connect() as connection:
        config = _config()
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
    connection = backend(made).get_connection()
    connection.upgrade()
    connection.close()
    return current()


def current() -> str:
    """The revision that the database is at; empty where it has no tables."""
    with engine(settings.database_url).connect() as connection:
        return MigrationContext.configure(connection).get_current_revision() or ""


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


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(_FOLDER))
    return config
