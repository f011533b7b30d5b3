"""Gnocchi's index on SQLite, which Gnocchi has no entry point for."""

import uuid

from alembic import command, migration
from gnocchi import indexer
from gnocchi.indexer import sqlalchemy as upstream


class SQLiteIndexer(upstream.SQLAlchemyIndexer):
    """The SQLAlchemy index, without the two things that SQLite cannot do."""

    def upgrade(self, nocreate: bool = False) -> None:
        """Create or migrate the tables; upstream holds one writer open while it asks for another."""
        config = self._get_alembic_config()
        config.conf = self.conf
        with self.facade.writer_connection() as connection:
            revision = migration.MigrationContext.configure(connection).get_current_revision()
            if revision is None and not nocreate:
                upstream.Base.metadata.create_all(connection)
        if revision is None:
            command.stamp(config, "head")
            self._add_generic_type()
        else:
            command.upgrade(config, "head")

    def _add_generic_type(self) -> None:
        attributes = upstream.resource_type.ResourceTypeAttributes()
        with self.facade.writer() as session:
            session.add(
                upstream.ResourceType(name="generic", tablename="generic", state="active", attributes=attributes)
            )

    def create_metric(
        self,
        id: uuid.UUID,  # noqa: A002
        creator: str,
        archive_policy_name: str,
        name: str | None = None,
        unit: str | None = None,
        resource_id: uuid.UUID | None = None,
    ) -> object:
        """Refuse a metric of an unknown resource, which SQLite's missing foreign keys would accept.

        Ceilometer's publisher relies on that answer: it creates the resource then.

        Raises:
            NoSuchResource: there is no resource with that id.
            NoSuchArchivePolicy: there is no policy with that name.
        """
        with self.facade.independent_reader() as session:
            if resource_id is not None and session.get(upstream.Resource, resource_id) is None:
                raise indexer.NoSuchResource(resource_id)
            if session.get(upstream.ArchivePolicy, archive_policy_name) is None:
                raise indexer.NoSuchArchivePolicy(archive_policy_name)
        return super().create_metric(id, creator, archive_policy_name, name, unit, resource_id)
