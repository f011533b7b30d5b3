"""When the orchestrator is well, and what is said when it is not."""

import threading
import time
from dataclasses import replace

import pytest
import sqlalchemy as sa

from tests.orchestration import OPERATOR, OTHER, database, folder, running, submit, wait_for
from tripleo_ui import config
from tripleo_ui.orchestration import boards, health
from tripleo_ui.orchestration.states import State
from tripleo_ui.orchestration.store.engine import writing
from tripleo_ui.orchestration.store.tables import DELIVERIES, EVENTS, JOBS

__all__ = ["database", "folder"]


def execute(statement):
    with writing() as connection:
        connection.execute(statement)


def age(seconds=300.0):
    """Let everything have happened so many seconds earlier; leases that are held go on."""
    past = JOBS.c.expires < time.time()
    earlier = sa.case((sa.and_(past, JOBS.c.expires > 0), JOBS.c.expires - seconds), else_=JOBS.c.expires)
    execute(sa.update(JOBS).values(posted_at=JOBS.c.posted_at - seconds, expires=earlier))
    execute(sa.update(EVENTS).values(at=EVENTS.c.at - seconds))


def claim(request, owner="conductor-9", lease=60.0):
    made = boards.configured().claim(request.id, owner, lease)
    assert made is not None


def use(monkeypatch, **values):
    monkeypatch.setitem(config.settings.__dict__, "_values", replace(config.settings._values, **values))


def test_an_idle_orchestrator_is_well_and_so_is_one_at_work(database, folder):
    assert health.check() == []
    request = submit()
    assert health.check() == []
    with running(folder):
        wait_for(request, State.SUCCEEDED)
        assert health.check() == []


def test_a_request_that_nobody_takes_is_a_reason(database):
    submit()
    submit("other")
    age()
    assert health.check() == ["2 requests wait, the oldest for 300 seconds, and no conductor takes it."]


def test_the_setting_says_what_is_too_long(database, monkeypatch):
    submit()
    age(60)
    assert health.check() == []
    use(monkeypatch, stuck_seconds=30)
    assert health.check() == ["1 request waits, the oldest for 60 seconds, and no conductor takes it."]


def test_while_conductors_take_others_a_long_queue_is_no_reason(database, folder):
    submit()
    age()
    with running(folder):
        wait_for(submit("second"), State.SUCCEEDED)
    submit("third")
    execute(sa.update(JOBS).values(posted_at=JOBS.c.posted_at - 300))
    assert health.check() == []


def test_a_conductor_that_is_full_is_busy_and_one_with_room_is_stuck(database, monkeypatch):
    use(monkeypatch, workers=2, project_share=1.0)
    claim(submit("one"))
    submit("two", OTHER)
    age()
    assert "no conductor takes it" in health.check()[0]
    claim(submit("three", OTHER))
    assert health.check() == []


def test_a_project_that_has_its_share_waits_for_itself(database, monkeypatch):
    use(monkeypatch, workers=4, project_share=0.25)
    claim(submit("one"))
    submit("two")
    age()
    assert health.check() == []
    submit("three", OTHER)
    age()
    assert len(health.check()) == 1


def test_a_lease_that_ended_long_ago_names_who_held_it(database):
    request = submit(requester=OPERATOR)
    claim(request, lease=-1.0)
    age()
    told, left = health.check()
    assert told.startswith("1 request waits, the oldest for 30")
    assert left == f"Request {request.id} was left by conductor conductor-9, and nobody goes on with it."


def test_notifications_that_do_not_arrive_are_a_reason_with_their_error(database, monkeypatch):
    monkeypatch.setattr(health.chosen, "problems", list)
    request = submit()
    with writing() as connection:
        seq = connection.execute(sa.select(EVENTS.c.seq).where(EVENTS.c.request_id == request.id)).scalar()
        values = {"event_seq": seq, "channel": "webhook", "open": True, "tries": 3, "next_at": 0, "error": "HTTP 500"}
        connection.execute(sa.insert(DELIVERIES).values(values))
    assert health.check() == []
    execute(sa.update(EVENTS).values(at=EVENTS.c.at - 300))
    assert health.check() == ["1 notification waits, the oldest for 300 seconds for channel webhook: HTTP 500."]


def test_settings_of_notifications_that_cannot_work_are_reasons(database, monkeypatch):
    use(monkeypatch, notify="email")
    assert health.check() == ["NOTIFY_EMAIL_TO has no address."]


def test_missing_tables_are_told_with_the_command_that_makes_them(tmp_path, monkeypatch):
    use(monkeypatch, database_url=f"sqlite:///{tmp_path / 'new.sqlite'}")
    (reason,) = health.check()
    assert "manage.py orchestration_db upgrade" in reason


def test_a_database_that_is_away_is_a_reason(tmp_path, monkeypatch):
    use(monkeypatch, database_url=f"sqlite:///{tmp_path / 'no' / 'folder.sqlite'}")
    assert health.check() == ["The database or the board cannot be used: unable to open database file."]


def test_a_database_that_hangs_is_one_within_the_time(database, monkeypatch):
    hang = threading.Event()
    monkeypatch.setattr(health.schema, "check", lambda: hang.wait(10))
    began = time.monotonic()
    assert health.check(0.2) == ["The database or the board did not answer within 0 seconds."]
    assert time.monotonic() - began < 2
    hang.set()


@pytest.mark.parametrize("secret", ["s3cret"])
def test_no_reason_shows_the_databases_password(monkeypatch, secret):
    def fail():
        raise RuntimeError(f"cannot reach postgresql://ui:{secret}@db/ui\nmore")

    monkeypatch.setattr(health.schema, "check", fail)
    assert health.check() == ["The database or the board cannot be used: cannot reach postgresql://ui:********@db/ui."]
