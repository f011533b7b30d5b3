"""Alembic's environment: runs migrations on the connection that it is given."""

from alembic import context

from tripleo_ui.orchestration.store.tables import METADATA

given = context.config.attributes
connection = given["connection"]
context.configure(
    connection=connection, target_metadata=METADATA, version_table=given["version_table"], render_as_batch=True
)
with context.begin_transaction():
    context.run_migrations()
if connection.in_transaction():
    connection.commit()
