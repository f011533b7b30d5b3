"""The tables. Times are seconds since 1970 in UTC."""

import sqlalchemy as sa

METADATA = sa.MetaData()

REQUESTS = sa.Table(
    "requests",
    METADATA,
    sa.Column("id", sa.String(36), primary_key=True),
    sa.Column("workflow", sa.String(64), nullable=False),
    sa.Column("version", sa.Integer, nullable=False),
    sa.Column("title", sa.String(255), nullable=False),
    sa.Column("target", sa.String(255), nullable=False),
    sa.Column("params", sa.JSON, nullable=False),
    sa.Column("project_id", sa.String(64), nullable=False),
    sa.Column("project_name", sa.String(255), nullable=False),
    sa.Column("user_id", sa.String(64), nullable=False),
    sa.Column("user_name", sa.String(255), nullable=False),
    sa.Column("region", sa.String(255), nullable=False),
    sa.Column("idempotency_key", sa.String(128)),
    sa.Column("body_hash", sa.String(64), nullable=False),
    sa.Column("priority", sa.Integer, nullable=False, default=0, server_default="0"),
    sa.Column("source", sa.String(255), nullable=False, default="", server_default=""),
    sa.Column("trust_id", sa.String(64), nullable=False),
    sa.Column("state", sa.String(16), nullable=False),
    sa.Column("phase", sa.String(32), nullable=False),
    sa.Column("phases", sa.JSON, nullable=False),
    sa.Column("done", sa.Integer, nullable=False),
    sa.Column("total", sa.Integer, nullable=False),
    sa.Column("message", sa.Text, nullable=False),
    sa.Column("error", sa.JSON),
    sa.Column("outputs", sa.JSON, nullable=False),
    sa.Column("attempt", sa.Integer, nullable=False),
    sa.Column("cancel_requested", sa.Boolean, nullable=False),
    sa.Column("revision", sa.Integer, nullable=False),
    sa.Column("created_at", sa.Double, nullable=False),
    sa.Column("started_at", sa.Double),
    sa.Column("updated_at", sa.Double, nullable=False),
    sa.Column("finished_at", sa.Double),
    sa.UniqueConstraint("project_id", "idempotency_key", name="uq_requests_key"),
    sa.Index("ix_requests_project", "project_id", "created_at", "id"),
    sa.Index("ix_requests_state", "state", "updated_at"),
    sa.Index("ix_requests_target", "project_id", "target", "created_at"),
)

EVENTS = sa.Table(
    "events",
    METADATA,
    sa.Column("seq", sa.Integer, primary_key=True, autoincrement=True),
    sa.Column("request_id", sa.String(36), sa.ForeignKey("requests.id", ondelete="CASCADE"), nullable=False),
    sa.Column("at", sa.Double, nullable=False),
    sa.Column("kind", sa.String(32), nullable=False),
    sa.Column("state", sa.String(16), nullable=False),
    sa.Column("phase", sa.String(32), nullable=False),
    sa.Column("message", sa.Text, nullable=False),
    sa.Column("conductor", sa.String(255), nullable=False),
    sa.Column("actor", sa.String(255), nullable=False),
    sa.Column("source", sa.String(255), nullable=False, default="", server_default=""),
    sa.Column("data", sa.JSON, nullable=False),
    sa.Index("ix_events_request", "request_id", "seq"),
    sqlite_autoincrement=True,
)

LEDGER = sa.Table(
    "ledger",
    METADATA,
    sa.Column("seq", sa.Integer, primary_key=True, autoincrement=True),
    sa.Column("request_id", sa.String(36), sa.ForeignKey("requests.id", ondelete="CASCADE"), nullable=False),
    sa.Column("phase", sa.String(32), nullable=False),
    sa.Column("service", sa.String(32), nullable=False),
    sa.Column("kind", sa.String(64), nullable=False),
    sa.Column("name", sa.String(255), nullable=False),
    sa.Column("external_id", sa.String(255), nullable=False),
    sa.Column("state", sa.String(16), nullable=False),
    sa.Column("at", sa.Double, nullable=False),
    sa.UniqueConstraint("request_id", "service", "kind", "name", name="uq_ledger_thing"),
    sqlite_autoincrement=True,
)

LOCKS = sa.Table(
    "locks",
    METADATA,
    sa.Column("name", sa.String(255), primary_key=True),
    sa.Column("request_id", sa.String(36), sa.ForeignKey("requests.id", ondelete="CASCADE"), nullable=False),
    sa.Column("at", sa.Double, nullable=False),
)

JOBS = sa.Table(
    "jobs",
    METADATA,
    sa.Column("request_id", sa.String(36), sa.ForeignKey("requests.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("project_id", sa.String(64), nullable=False, default="", server_default=""),
    sa.Column("open", sa.Boolean, nullable=False),
    sa.Column("posted_at", sa.Double, nullable=False),
    sa.Column("rank", sa.Double, nullable=False, default=0.0, server_default="0"),
    sa.Column("posting", sa.String(36), nullable=False, default="", server_default=""),
    sa.Column("owner", sa.String(255), nullable=False),
    sa.Column("expires", sa.Double, nullable=False),
    sa.Column("epoch", sa.Integer, nullable=False),
    sa.Index("ix_jobs_open", "open", "expires", "rank"),
)

#: Events that a channel of notifications has to be told of, until it was.
DELIVERIES = sa.Table(
    "deliveries",
    METADATA,
    sa.Column("seq", sa.Integer, primary_key=True, autoincrement=True),
    sa.Column("event_seq", sa.Integer, sa.ForeignKey("events.seq", ondelete="CASCADE"), nullable=False),
    sa.Column("channel", sa.String(64), nullable=False),
    sa.Column("open", sa.Boolean, nullable=False),
    sa.Column("tries", sa.Integer, nullable=False),
    sa.Column("next_at", sa.Double, nullable=False),
    sa.Column("error", sa.Text, nullable=False),
    sa.UniqueConstraint("event_seq", "channel", name="uq_deliveries_event"),
    sa.Index("ix_deliveries_open", "open", "next_at"),
    sqlite_autoincrement=True,
)

DRAFTS = sa.Table(
    "drafts",
    METADATA,
    sa.Column("user_id", sa.String(64), primary_key=True),
    sa.Column("project_id", sa.String(64), primary_key=True),
    sa.Column("kind", sa.String(32), primary_key=True),
    sa.Column("key", sa.String(64), primary_key=True),
    sa.Column("data", sa.JSON, nullable=False),
    sa.Column("revision", sa.Integer, nullable=False),
    sa.Column("updated_at", sa.Double, nullable=False),
)
