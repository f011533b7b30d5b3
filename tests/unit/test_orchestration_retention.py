"""Requests that ended long ago are forgotten, unless something still needs them."""

import pytest
import sqlalchemy as sa

from tests.orchestration import OPERATOR, database, folder, running, submit, wait_for  # noqa: F401
from tripleo_ui.config import settings
from tripleo_ui.orchestration import api, persistence, retention
from tripleo_ui.orchestration.api import State
from tripleo_ui.orchestration.store.engine import engine, reading, writing
from tripleo_ui.orchestration.store.tables import DELIVERIES, EVENTS, JOBS, LEDGER, LOCKS, REQUESTS

pytestmark = pytest.mark.usefixtures("database")
YEAR = 365 * 86400.0


def age(*requests):
    ids = [request.id for request in requests]
    with writing() as connection:
        old = sa.update(REQUESTS).where(REQUESTS.c.id.in_(ids))
        connection.execute(old.values(finished_at=REQUESTS.c.finished_at - 2 * YEAR))


def rows(table):
    with reading() as connection:
        return connection.execute(sa.select(sa.func.count()).select_from(table)).scalar_one()


def books():
    connection = persistence.backend(engine(settings.database_url)).get_connection()
    return len(list(connection.get_logbooks()))


def test_old_requests_go_with_everything_of_theirs(folder):  # noqa: F811
    old, young, waits = submit("old"), submit("young"), None
    with running(folder):
        for request in (old, young):
            wait_for(request, State.SUCCEEDED)
    waits = submit("waits")
    age(old)
    assert books() == 2

    assert retention.purge(YEAR) == 1
    assert {request.id for request in api.find("p1").items} == {young.id, waits.id}
    assert (books(), rows(LEDGER), rows(JOBS), rows(LOCKS)) == (1, 5, 2, 1)
    assert rows(EVENTS) == len(api.events(young.id, "p1")) + 1
    assert retention.purge(YEAR) == 0


def test_more_than_one_transaction_takes(monkeypatch):
    monkeypatch.setattr(retention, "AT_ONCE", 2)
    made = [submit(f"lamp-{number}") for number in range(5)]
    for request in made:
        api.cancel(request.id, OPERATOR)
    age(*made)
    assert retention.purge(YEAR) == 5
    assert rows(REQUESTS) == 0


def test_request_whose_trust_is_needed_stays():
    request = submit(trust_id="t1")
    api.cancel(request.id, OPERATOR)
    age(request)
    assert retention.purge(YEAR) == 0


def test_request_somebody_has_to_be_told_of_stays_until_then():
    request = submit()
    api.cancel(request.id, OPERATOR)
    age(request)
    event = api.events(request.id, "p1")[-1].seq
    with writing() as connection:
        values = {"event_seq": event, "channel": "webhook", "open": True, "tries": 1, "next_at": 0.0, "error": "500"}
        connection.execute(sa.insert(DELIVERIES).values(values))
    assert retention.purge(YEAR) == 0
    with writing() as connection:
        connection.execute(sa.update(DELIVERIES).values(open=False))
    assert retention.purge(YEAR) == 1
    assert rows(DELIVERIES) == 0
