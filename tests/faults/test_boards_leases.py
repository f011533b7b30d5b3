"""What every board promises of claims; and what the one in Redis does when Redis forgets, or is away."""

import threading
import time
from contextlib import ExitStack
from dataclasses import replace

import pytest
import redis as client
from sqlalchemy.engine import make_url
from taskflow import exceptions as taskflow_errors

from tests import servers
from tests.conductor_process import Conductors
from tests.faults.test_conductor_kill import check_world, until
from tests.orchestration import BOARDS, OPERATOR, OTHER, submit, wait_for
from tripleo_ui import config
from tripleo_ui.config import settings
from tripleo_ui.orchestration import api, boards, health
from tripleo_ui.orchestration.api import State
from tripleo_ui.orchestration.errors import Fenced
from tripleo_ui.orchestration.store.engine import reading
from tripleo_ui.orchestration.store.tables import JOBS
from tripleo_ui.orchestration.transitions import fence

ALL = pytest.mark.parametrize("database", BOARDS, indirect=True)
REDIS = pytest.mark.parametrize("database", ["redis"], indirect=True)
SHORT, LONG = 0.2, 60


@pytest.fixture
def board(database):
    made = boards.configured()
    yield made
    made.close()


@pytest.fixture
def second(database):
    made = boards.configured()
    yield made
    made.close()


@pytest.fixture
def store(database, redis_url):
    """Redis itself."""
    with client.Redis.from_url(redis_url) as made:
        yield made


def keys(store):
    return list(store.scan_iter(f"{settings.board_url.rpartition('=')[2]}:*"))


def forget(store):
    """Redis loses what it had."""
    store.delete(*keys(store))


def posting(request):
    with reading() as connection:
        return connection.execute(JOBS.select().where(JOBS.c.request_id == request.id)).one().posting


def fenced(claim):
    with reading() as connection:
        try:
            fence(connection, claim.request_id, claim.owner, claim.epoch)
        except Fenced:
            return True
    return False


@ALL
def test_claim_is_exclusive_until_it_is_released(board, second):
    first, other = submit("lamp"), submit("chair")
    claim = board.claim(first.id, "a", LONG)
    assert (claim.owner, claim.epoch, claim.project_id) == ("a", 1, "p1")
    assert second.claim(first.id, "b", LONG) is None
    assert second.claim(first.id, "a", LONG) is None
    assert second.waiting(5) == board.waiting(5) == [other.id]
    assert board.renew(claim, LONG)

    board.release(claim)
    assert fenced(claim)
    assert not board.renew(claim, LONG)
    assert second.waiting(5) == [first.id, other.id]
    assert second.claim(first.id, "b", LONG).epoch == 2


@ALL
def test_lease_that_ends_frees_the_request_and_fences_its_owner(board, second):
    request = submit()
    late = board.claim(request.id, "a", SHORT)
    taken = until(lambda: second.waiting(5) and second.claim(request.id, "b", LONG))

    assert taken.epoch == 2
    assert fenced(late)
    assert not fenced(taken)
    assert not board.renew(late, LONG)
    board.release(late)
    assert second.renew(taken, LONG)
    assert board.waiting(5) == []


@ALL
def test_renewed_lease_outlives_its_first_time(board, second):
    request = submit()
    claim = board.claim(request.id, "a", SHORT)
    assert board.renew(claim, LONG)
    end = time.monotonic() + 2 * SHORT
    until(lambda: time.monotonic() > end)
    assert second.waiting(5) == []
    assert second.claim(request.id, "b", LONG) is None


@ALL
def test_of_many_who_claim_at_once_each_request_goes_to_one(board):
    requests = [submit(f"thing-{number}") for number in range(10)]
    claims = []

    def take(name):
        mine = boards.configured()
        claims.extend(mine.claim(request.id, name, LONG) for request in requests)
        mine.close()

    threads = [threading.Thread(target=take, args=(f"c{number}",)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    taken = [claim.request_id for claim in claims if claim]
    assert sorted(taken) == sorted(request.id for request in requests)


@ALL
def test_request_that_has_ended_is_nobodys_and_waits_again_after_a_retry(board):
    request = submit()
    claim = board.claim(request.id, "a", LONG)
    api.cancel(request.id, OPERATOR)
    assert not board.renew(claim, LONG)
    assert board.waiting(5) == []
    api.retry(request.id, OPERATOR)
    assert board.waiting(5) == [request.id]
    again = board.claim(request.id, "b", LONG)
    board.release(claim)
    assert not fenced(again)
    assert again.epoch == 2


@ALL
def test_projects_that_have_enough_are_passed_over(board):
    submit()
    theirs = submit(requester=OTHER)
    assert board.waiting(5, ["p1"]) == [theirs.id]


@REDIS
def test_jobs_are_in_redis_from_the_first_claim_to_the_end_only(board, store):
    request = submit()
    board.waiting(5)
    before = keys(store)
    claim = board.claim(request.id, "a", LONG)
    assert len(keys(store)) > len(before)
    assert all(0 < store.ttl(key) <= LONG for key in keys(store) if key.endswith(b".owned"))
    api.cancel(request.id, OPERATOR)
    board.release(claim)
    assert {key.rpartition(b":")[2] for key in keys(store)} <= {b"sequence"}


@REDIS
def test_redis_that_forgot_is_filled_from_the_rows_and_owners_keep_what_they_have(board, second, store):
    held, waits, left = submit("held"), submit("waits"), submit("left")
    claim = board.claim(held.id, "a", LONG)
    board.release(board.claim(left.id, "a", LONG))
    forget(store)

    assert second.waiting(5) == [waits.id, left.id]
    assert second.claim(held.id, "b", LONG) is None
    assert board.renew(claim, LONG)
    assert second.claim(left.id, "b", LONG).epoch == 2


@REDIS
def test_owner_who_renews_first_fills_redis_itself(board, second, store):
    request = submit()
    claim = board.claim(request.id, "a", LONG)
    forget(store)
    assert board.renew(claim, LONG)
    assert second.waiting(5) == []
    assert not fenced(claim)


@REDIS
def test_dead_owner_that_redis_forgot_is_followed_after_a_lease(board, second, store, monkeypatch):
    monkeypatch.setitem(config.settings.__dict__, "_values", replace(settings._values, lease_seconds=SHORT))
    request = submit()
    board.claim(request.id, "a", LONG)
    forget(store)
    assert second.waiting(5) == []
    assert until(lambda: second.waiting(5)) == [request.id]


@REDIS
def test_job_of_a_conductor_that_died_before_it_wrote_the_row_is_swept(board, store):
    request = submit()
    board._jobs.claim(stray := board._jobs.post(request.id), "dead/1", SHORT)
    board._jobs.post("00000000-0000-0000-0000-000000000000")
    claim = board.claim(request.id, "a", LONG)
    assert stray != posting(request)

    def alone():
        board.sweep()
        return list(board._jobs.everything()) == [posting(request)]

    until(alone)
    assert board.renew(claim, LONG)


@REDIS
def test_many_waiting_requests_cost_redis_nothing(board, monkeypatch):
    for number in range(30):
        submit(f"thing-{number}")
    claims = [board.claim(request_id, "a", LONG) for request_id in board.waiting(3)]
    looked = []
    look = board._jobs.look
    monkeypatch.setattr(board._jobs, "look", lambda ids: looked.append(len(ids)) or look(ids))
    assert len(board.waiting(10)) == 10
    assert looked == [len(claims)] == [3]


@REDIS
def test_redis_that_is_away_is_an_error_soon_and_works_again_when_it_is_back(database, monkeypatch):
    first, second = submit("lamp"), submit("chair")
    with servers.redis() as url:
        monkeypatch.setitem(config.settings.__dict__, "_values", replace(settings._values, board_url=url))
        board = boards.configured()
        claim = board.claim(first.id, "a", LONG)

    began = time.monotonic()
    for call in (lambda: board.renew(claim, LONG), lambda: board.claim(second.id, "a", LONG)):
        with pytest.raises((taskflow_errors.JobFailure, client.RedisError)):
            call()
    assert time.monotonic() - began < 10
    assert "cannot be used" in health.check()[0]
    assert not fenced(claim)

    with servers.redis(make_url(url).port):
        assert board.renew(claim, LONG)
        assert board.waiting(5) == [second.id]
        assert board.claim(second.id, "a", LONG)
        board.close()


@REDIS
def test_requests_go_on_while_redis_is_away_and_are_taken_again_when_it_is_back(database, folder):
    (folder.path / "two.slow").touch()
    with ExitStack() as stack:
        with servers.redis() as url:
            conductors = Conductors(database, folder.path, url)
            stack.callback(conductors.close)
            conductors.start()
            conductors.start()
            under_way = [submit(f"thing-{number}") for number in range(4)]
            until(lambda: all("two" in folder.made(each.id) for each in under_way))
        (folder.path / "two.slow").unlink()
        late = submit("late")
        for request in under_way:
            wait_for(request, State.SUCCEEDED)
        assert api.get(late.id, "p1").state is State.QUEUED
        stack.enter_context(servers.redis(make_url(url).port))
        wait_for(late, State.SUCCEEDED)
    check_world(folder, [*under_way, late])


def test_board_leaves_no_thread(database, redis_url, monkeypatch):
    monkeypatch.setitem(config.settings.__dict__, "_values", replace(settings._values, board_url=redis_url))
    before = set(threading.enumerate())
    board = boards.configured()
    board.waiting(5)
    board.close()
    assert set(threading.enumerate()) == before
