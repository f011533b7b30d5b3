"""The database drops connections, and several programs use it at once."""

import random
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
import sqlalchemy as sa

from tests.conductor_process import Conductors
from tests.faults.test_conductor_kill import Traffic, check_world, until
from tests.orchestration import OPERATOR, submit
from tests.workflow import PHASES
from tripleo_ui.config import settings
from tripleo_ui.orchestration import api, boards
from tripleo_ui.orchestration.api import State
from tripleo_ui.orchestration.errors import Fenced
from tripleo_ui.orchestration.store.engine import engine, reading, writing
from tripleo_ui.orchestration.transitions import fence, load, move

SERVERS = pytest.mark.parametrize("database", ["postgresql", "redis"], indirect=True)
BOTH = pytest.mark.parametrize("database", ["sqlite", "postgresql"], indirect=True)
CUTS = 40
UPGRADE = """
import sys
from tripleo_ui import config
config.settings.__dict__["_values"] = config.Settings(database_url=sys.argv[1])
from tripleo_ui.orchestration import persistence
from tripleo_ui.orchestration.store import schema
print("ready", flush=True)
sys.stdin.readline()
print(schema.upgrade())
"""


def at_once(number, work):
    """Do something in so many threads at once; answers what each answered or raised."""
    gate, results = threading.Barrier(number), []

    def run(each):
        gate.wait()
        try:
            results.append(work(each))
        except api.OrchestrationError as error:
            results.append(error)

    threads = [threading.Thread(target=run, args=(each,)) for each in range(number)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


def cut(postgresql_url):
    """End every session of conductors, at whatever it is."""
    with sa.create_engine(postgresql_url, poolclass=sa.NullPool).connect() as connection:
        connection.exec_driver_sql(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'conductors'"
        )


@SERVERS
def test_connections_that_are_cut_at_random_moments_fail_nothing(database, folder, postgresql_url):
    chance = random.Random(11)
    conductors = Conductors(f"{database}?application_name=conductors", folder.path, settings.board_url)
    traffic = Traffic(chance)
    try:
        conductors.start()
        conductors.start()
        for _cut in range(CUTS):
            traffic.go_on(6)
            time.sleep(chance.uniform(0.0, 0.2))
            cut(postgresql_url)
        traffic.end()
        assert all(process.is_alive() for process in conductors.running)
    finally:
        conductors.close()
    for request in traffic.requests:
        done = api.get(request.id, "p1").state is State.SUCCEEDED
        assert folder.made(request.id) == (sorted(PHASES) if done else [])
    check_world(folder, traffic.requests)


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_upgrades_that_run_at_once_wait_for_each_other(kind, request, tmp_path):
    url = f"sqlite:///{tmp_path}/new.sqlite" if kind == "sqlite" else request.getfixturevalue("postgresql_database")
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", UPGRADE, url],
            cwd=Path(__file__).parents[2],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _process in range(3)
    ]
    for process in processes:
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        process.stdin.write("go\n")
        process.stdin.flush()
    ended = [process.communicate(timeout=60) for process in processes]
    assert [said.strip() for said, _errors in ended] == [ended[0][0].strip()] * 3, ended
    assert ended[0][0].strip()


@BOTH
def test_same_key_at_once_is_one_request(database):
    results = at_once(8, lambda _each: submit(key="k1"))
    assert len({result.id for result in results}) == 1
    assert api.find("p1").total == 1


@BOTH
def test_one_lock_at_once_goes_to_one_and_the_others_are_told_whose_it_is(database):
    results = at_once(8, lambda each: submit(key=f"k{each}"))
    (won,) = [result for result in results if isinstance(result, api.Request)]
    refused = [result for result in results if isinstance(result, api.Locked)]
    assert len(refused) == 7
    assert {each.holder.id for each in refused} == {won.id}
    assert api.find("p1").total == 1


@BOTH
def test_cancels_and_moves_at_once_leave_one_story(database):
    request = submit()
    results = at_once(8, lambda _each: api.cancel(request.id, OPERATOR))
    assert sum(isinstance(result, api.Request) for result in results) == 1
    assert sum(isinstance(result, api.NotAllowed) for result in results) == 7
    assert [event.kind for event in api.events(request.id, "p1")] == ["submit", "cancel"]


@BOTH
def test_fence_holds_to_the_end_of_the_transaction_that_writes(database):
    """Who takes the request over waits until its owner's last write is done, and then sees it."""
    request = submit()
    board = boards.configured()
    claim = board.claim(request.id, "a", 0.05)
    order = []

    def take_over():
        while not board.claim(request.id, "b", 60):
            time.sleep(0.01)
        order.append("taken")

    taker = threading.Thread(target=take_over)
    with writing() as connection:
        fence(connection, claim.request_id, claim.owner, claim.epoch, lock=True)
        taker.start()
        taker.join(0.5)
        order.append("written")
    taker.join(20)
    assert order == ["written", "taken"]
    with pytest.raises(Fenced), reading() as connection:
        fence(connection, claim.request_id, claim.owner, claim.epoch)


@BOTH
def test_reader_sees_one_moment_and_writes_nothing(database):
    request = submit()
    with reading() as connection:
        before = connection.exec_driver_sql("SELECT count(*) FROM events").scalar()
        api.cancel(request.id, OPERATOR)
        assert connection.exec_driver_sql("SELECT count(*) FROM events").scalar() == before
    with reading() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM events").scalar() == before + 1


@BOTH
@pytest.mark.parametrize("other", ["cancel", "expire"])
def test_start_and_what_ends_a_queued_request_do_not_wait_for_each_other(database, other):
    request = submit()
    claim = boards.configured().claim(request.id, "a", 60)
    ends = {"cancel": lambda: api.cancel(request.id, OPERATOR), "expire": lambda: api.expire(-60)}
    began, results = threading.Event(), []

    def end():
        began.set()
        results.append(ends[other]())

    ending = threading.Thread(target=end)

    with writing() as connection:
        fence(connection, claim.request_id, claim.owner, claim.epoch, lock=True)
        ending.start()
        began.wait()
        ending.join(0.3)
        move(connection, load(connection, request.id, lock=True), "start", "Started.")
    ending.join(20)
    if other == "cancel":
        assert results[0].state is State.CANCELLING
    else:
        assert results == [[]]
        assert api.get(request.id, "p1").state is State.RUNNING


@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
def test_transaction_that_stands_still_is_ended_by_the_server(database):
    """A conductor that is paused within a transaction keeps its rows no longer than that."""
    with engine(database).connect() as connection:
        shown = {
            name: connection.exec_driver_sql(f"SHOW {name}").scalar()
            for name in ("idle_in_transaction_session_timeout", "statement_timeout", "transaction_isolation")
        }
        connection.exec_driver_sql("SET idle_in_transaction_session_timeout = 100")
        connection.commit()
        connection.exec_driver_sql("SELECT * FROM jobs FOR UPDATE")
        pid = connection.connection.dbapi_connection.info.backend_pid
        sessions = sa.text("SELECT count(*) FROM pg_stat_activity WHERE pid = :pid")

        def ended():
            with reading() as other:
                return not other.execute(sessions, {"pid": pid}).scalar()

        until(ended)
        with pytest.raises((sa.exc.OperationalError, sa.exc.InternalError)):
            connection.exec_driver_sql("SELECT 1")
    assert shown == {
        "idle_in_transaction_session_timeout": "5s",
        "statement_timeout": "30s",
        "transaction_isolation": "read committed",
    }
