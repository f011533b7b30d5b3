"""The figures, as Prometheus reads them, against requests whose fate is known."""

import re
import time

import pytest
import sqlalchemy as sa
from prometheus_client.parser import text_string_to_metric_families

from tests.orchestration import OTHER, database, folder, running, submit, wait_for
from tripleo_ui.orchestration import api, boards, metrics
from tripleo_ui.orchestration.states import State
from tripleo_ui.orchestration.store.engine import engine, writing
from tripleo_ui.orchestration.store.tables import DELIVERIES, JOBS, REQUESTS

__all__ = ["database", "folder"]


def samples():
    """Value by name and labels, these by the order of their names."""
    families = text_string_to_metric_families(metrics.text().decode())
    return {
        (each.name, *(label for _name, label in sorted(each.labels.items()))): each.value
        for family in families
        for each in family.samples
    }


def execute(statement):
    with writing() as connection:
        connection.execute(statement)


def test_an_empty_orchestrator_says_nought_rather_than_nothing(database):
    seen = samples()
    assert seen["tripleo_ui_queue_requests",] == 0
    assert seen["tripleo_ui_queue_oldest_seconds",] == 0
    assert seen["tripleo_ui_events_total",] == 0
    assert {seen["tripleo_ui_requests", state] for state in ("queued", "running", "stalled", "needs_attention")} == {0}


def test_the_queue_its_oldest_and_the_leases(database):
    held, _free, left, posted = (submit(name) for name in ("held", "free", "left", "posted"))
    board = boards.configured()
    board.claim(held.id, "c1", 60.0)
    board.claim(left.id, "c2", -30.0)
    in_redis = sa.update(JOBS).where(JOBS.c.request_id == posted.id)
    execute(in_redis.values(owner="c3", posting="a job of Redis", expires=1.0))
    execute(sa.update(JOBS).values(posted_at=JOBS.c.posted_at - 100))

    seen = samples()
    assert seen["tripleo_ui_queue_requests",] == 2
    assert 100 <= seen["tripleo_ui_queue_oldest_seconds",] < 110
    assert seen["tripleo_ui_conductor_leases", "c1"] == 1
    assert seen["tripleo_ui_conductor_leases", "c3"] == 1
    assert ("tripleo_ui_conductor_leases", "c2") not in seen
    assert seen["tripleo_ui_requests", "queued"] == 4


def test_outcomes_and_durations_of_the_last_day(database, folder):
    (folder.path / "five.fail").touch()
    with running(folder):
        wait_for(submit("fails"), State.FAILED)
        (folder.path / "five.fail").unlink()
        quick, slow, old = (wait_for(submit(name), State.SUCCEEDED) for name in ("quick", "slow", "old"))
    api.cancel(submit("never started", OTHER).id, OTHER)
    finished = time.time()
    for request, seconds in ((quick, 4), (slow, 600)):
        values = {"started_at": finished - seconds, "finished_at": finished}
        execute(sa.update(REQUESTS).where(REQUESTS.c.id == request.id).values(values))
    long_ago = {"finished_at": finished - 90000, "updated_at": finished - 90000}
    execute(sa.update(REQUESTS).where(REQUESTS.c.id == old.id).values(long_ago))

    seen = samples()
    ended = "tripleo_ui_requests_ended_last_day"
    assert {key[1]: value for key, value in seen.items() if key[0] == ended} == {
        "succeeded": 2,
        "failed": 1,
        "cancelled": 1,
    }
    name, labels = "tripleo_ui_request_seconds_last_day", ("succeeded", "test.files")
    buckets = {key[1]: value for key, value in seen.items() if key[0] == f"{name}_bucket" and key[2:] == labels}
    assert (buckets["1.0"], buckets["5.0"], buckets["300.0"], buckets["900.0"], buckets["+Inf"]) == (0, 1, 1, 2, 2)
    assert seen[f"{name}_gcount", *labels] == 2
    assert seen[f"{name}_gsum", *labels] == pytest.approx(604)
    assert seen[f"{name}_bucket", "+Inf", "cancelled", "test.files"] == 0, "it never ran"


def test_notifications_on_their_way(database):
    submit()
    row = {"event_seq": 1, "open": True, "tries": 0, "next_at": 0.0, "error": ""}
    execute(sa.insert(DELIVERIES).values({**row, "channel": "email"}))
    execute(sa.insert(DELIVERIES).values({**row, "channel": "webhook", "open": False}))

    seen = samples()
    assert seen["tripleo_ui_deliveries", "email"] == 1
    assert seen["tripleo_ui_deliveries_oldest_seconds", "email"] >= 0
    assert ("tripleo_ui_deliveries", "webhook") not in seen


def test_events_are_counted_and_the_count_survives_their_deletion(database):
    submit("first")
    request = submit("second")
    before = samples()["tripleo_ui_events_total",]
    execute(sa.delete(REQUESTS).where(REQUESTS.c.id != request.id))
    assert samples()["tripleo_ui_events_total",] == before == 2


def test_a_scrape_is_six_queries_however_many_requests_there_are(database):
    for number in range(20):
        submit(str(number))
    seen = []
    sa.event.listen(engine(database), "before_cursor_execute", lambda *arguments: seen.append(arguments[2]))
    metrics.text()
    assert len([statement for statement in seen if statement.startswith("SELECT")]) == 6


def test_finding_what_ended_uses_an_index(database):
    seen = []
    sa.event.listen(engine(database), "before_cursor_execute", lambda *arguments: seen.append(arguments[2:4]))
    metrics.text()
    with engine(database).connect() as connection:
        plans = [
            str(connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters).all())
            for statement, parameters in seen
            if statement.startswith("SELECT") and "FROM" in statement
        ]
    assert len(plans) == 5
    assert not [plan for plan in plans if re.search(r"SCAN (?!CONSTANT)", plan)], plans
