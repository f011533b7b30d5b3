"""What is observed of an orchestrator on PostgreSQL and Redis, and what is said when they are away."""

from dataclasses import replace

import pytest
import sqlalchemy as sa

from tests.orchestration import OPERATOR, submit
from tests.servers import postgresql_database, postgresql_url, redis_url
from tripleo_ui import config
from tripleo_ui.orchestration import api, audit, boards, health, metrics
from tripleo_ui.orchestration.notify import chosen
from tripleo_ui.orchestration.notify.deliver import Deliverer
from tripleo_ui.orchestration.store import engine as engines
from tripleo_ui.orchestration.store import schema
from tripleo_ui.orchestration.store.engine import writing
from tripleo_ui.orchestration.store.tables import EVENTS, JOBS

__all__ = ["postgresql_database", "postgresql_url", "redis_url"]


@pytest.fixture
def use(database, monkeypatch):
    def change(**values):
        made = replace(config.settings._values, **values)
        monkeypatch.setitem(config.settings.__dict__, "_values", made)

    return change


@pytest.fixture
def postgresql(use, postgresql_database):
    use(database_url=postgresql_database)
    schema.upgrade()
    yield
    engines.engine(postgresql_database).dispose()


def test_figures_health_and_audit_on_postgresql(postgresql):
    held = submit("held")
    api.cancel(submit("cancelled").id, OPERATOR)
    submit("waiting")
    boards.configured().claim(held.id, "c1", 60.0)

    text = metrics.text().decode()
    for line in (
        "tripleo_ui_queue_requests 1.0",
        'tripleo_ui_conductor_leases{conductor="c1"} 1.0',
        'tripleo_ui_requests_ended_last_day{outcome="cancelled",workflow="test.files"} 1.0',
        'tripleo_ui_requests{state="queued"} 2.0',
    ):
        assert line in text
    assert health.check() == []

    assert list(audit.export()) == [], "younger events may still hide one with a smaller number"
    with writing() as connection:
        connection.execute(sa.update(EVENTS).values(at=EVENTS.c.at - 60))
    assert [line["kind"] for line in audit.export()] == ["submit", "submit", "cancel", "submit"]


def test_notices_on_postgresql(postgresql, use, monkeypatch):
    class Recorder:
        name = "recorder"
        told: list = []

        def send(self, notice):
            self.told.append((notice.title, notice.state))

    use(notify="recorder", notify_events="queued,ended")
    monkeypatch.setattr(chosen, "load", lambda _name: Recorder())
    api.cancel(submit().id, OPERATOR)

    assert Deliverer().round() == 2
    assert Recorder.told == [("Make lamp", "QUEUED"), ("Make lamp", "CANCELLED")]


def test_the_redis_board_says_who_is_stuck(use, redis_url):
    use(board_url=redis_url)
    held = submit("held")
    board = boards.configured()
    board.claim(held.id, "c1", 60.0)
    with writing() as connection:
        connection.execute(sa.update(JOBS).values(posted_at=JOBS.c.posted_at - 300, expires=1.0))
        connection.execute(sa.update(EVENTS).values(at=EVENTS.c.at - 300))
    assert health.check() == []

    submit("waiting")
    with writing() as connection:
        connection.execute(sa.update(JOBS).values(posted_at=JOBS.c.posted_at - 300))
    assert health.check() == ["1 request waits, the oldest for 300 seconds, and no conductor takes it."]
    board.close()


@pytest.mark.parametrize(
    "away",
    [{"board_url": "redis://:s3cret@127.0.0.1:1/0"}, {"database_url": "postgresql+psycopg://ui:s3cret@127.0.0.1:1/ui"}],
)
def test_a_server_that_is_away_is_a_reason_without_its_password(use, away):
    use(**away)
    (reason,) = health.check()
    assert reason.startswith("The database or the board ")
    assert "s3cret" not in reason
