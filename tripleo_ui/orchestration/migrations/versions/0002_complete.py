"""Priority and origin of requests, fairness between projects, notifications to deliver."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.add_column("requests", sa.Column("priority", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("requests", sa.Column("source", sa.String(length=255), nullable=False, server_default=""))
    op.add_column("events", sa.Column("source", sa.String(length=255), nullable=False, server_default=""))
    op.add_column("jobs", sa.Column("project_id", sa.String(length=64), nullable=False, server_default=""))
    op.add_column("jobs", sa.Column("rank", sa.Double(), nullable=False, server_default="0"))
    op.add_column("jobs", sa.Column("posting", sa.String(length=36), nullable=False, server_default=""))
    op.execute(
        "UPDATE jobs SET rank = posted_at, "
        "project_id = (SELECT project_id FROM requests WHERE requests.id = jobs.request_id)"
    )
    op.drop_index("ix_jobs_open", table_name="jobs")
    op.create_index("ix_jobs_open", "jobs", ["open", "expires", "rank"], unique=False)
    op.create_index("ix_requests_state", "requests", ["state", "updated_at"], unique=False)
    op.create_table(
        "deliveries",
        sa.Column("seq", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("event_seq", sa.Integer(), nullable=False),
        sa.Column("channel", sa.String(length=64), nullable=False),
        sa.Column("open", sa.Boolean(), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("next_at", sa.Double(), nullable=False),
        sa.Column("error", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["event_seq"], ["events.seq"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("seq"),
        sa.UniqueConstraint("event_seq", "channel", name="uq_deliveries_event"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_deliveries_open", "deliveries", ["open", "next_at"], unique=False)
