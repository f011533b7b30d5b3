"""Conductors are killed and paused at any moment; requests end as if nothing had happened."""

import collections
import contextlib
import os
import random
import signal
import sqlite3
import time

import pytest

from tests.conductor_process import Conductors
from tests.orchestration import BOARDS, OPERATOR, submit, wait_for
from tests.workflow import MANY, PHASES
from tripleo_ui.config import settings
from tripleo_ui.orchestration import api
from tripleo_ui.orchestration.api import State

pytestmark = pytest.mark.parametrize("database", BOARDS, indirect=True)
KILLS = 50
#: Conductors, and requests that are under way, while they are killed.
CONDUCTORS, AT_ONCE = 3, 8
SEED = 7
ENDS = (State.SUCCEEDED, State.FAILED, State.CANCELLED, State.NEEDS_ATTENTION)


@pytest.fixture
def conductors(database, folder):
    made = Conductors(database, folder.path, settings.board_url)
    yield made
    made.close()


def until(look, seconds=30):
    """Wait for something to be true, and answer it."""
    end = time.monotonic() + seconds
    while not (seen := look()):
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.01)
    return seen


def ran(folder, request):
    """How often each action happened to each thing: ``{("make", "one"): 1}``."""
    log = folder.path / f"{request.id}.log"
    lines = log.read_text().splitlines() if log.exists() else []
    return collections.Counter(tuple(line.split()[1:]) for line in lines)


def taken_over(request):
    return sum(event.kind == "takeover" for event in api.events(request.id, "p1", limit=1000))


def check_world(folder, requests):
    """What there is outside is what the ledgers say, each thing was made once, and events tell the story in order."""
    said, there = [], []
    for request in requests:
        entries = api.ledger(request.id, "p1")
        assert {entry.state for entry in entries} <= {"CREATED", "DELETED", "FOREIGN"}, entries
        said += [entry.external_id for entry in entries if entry.state == "CREATED"]
        there += [str(path) for path in folder.path.glob(f"{request.id}.made.*") if path.read_text() == request.id]
        twice = {what: times for what, times in ran(folder, request).items() if what[0] == "make" and times > 1}
        assert not twice
        events = api.events(request.id, "p1", limit=1000)
        assert [event.seq for event in events] == sorted({event.seq for event in events})
        moves = [event.data for event in events if "to" in event.data]
        assert [each["from"] for each in moves] == [State.QUEUED, *(each["to"] for each in moves[:-1])]
    assert sorted(there) == sorted(said)


def pause(process, database_url):
    """Stop a process, but not while it holds SQLite's one write lock, which would stop everybody."""
    os.kill(process.pid, signal.SIGSTOP)
    if not database_url.startswith("sqlite"):
        return
    for _try in range(100):
        probe = sqlite3.connect(database_url.removeprefix("sqlite:///"), timeout=0.1, isolation_level=None)
        try:
            probe.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError:
            os.kill(process.pid, signal.SIGCONT)
            time.sleep(0.02)
            os.kill(process.pid, signal.SIGSTOP)
        else:
            return
        finally:
            probe.close()
    raise AssertionError("the process never let go of the database")


class Traffic:
    """Requests that are to succeed, to fail in some phase, or to be cancelled at some moment."""

    def __init__(self, chance):
        self._chance = chance
        self.wanted = {}
        self.requests = []

    def go_on(self, number):
        """Have so many under way."""
        under_way = [each for each in self.requests if api.get(each.id, "p1").active]
        for request in under_way:
            if self.wanted[request.id] is State.CANCELLED and self._chance.random() < 0.3:
                self._cancel(request)
        for _missing in range(number - len(under_way)):
            end = self._chance.choice((State.SUCCEEDED, State.SUCCEEDED, State.FAILED, State.CANCELLED))
            fail = {"fail": self._chance.choice(PHASES)} if end is State.FAILED else {}
            request = submit(f"thing-{len(self.requests)}", params=fail)
            self.requests.append(request)
            self.wanted[request.id] = end

    def _cancel(self, request):
        with contextlib.suppress(api.NotAllowed):  # It may have ended just now.
            api.cancel(request.id, OPERATOR)

    def end(self):
        """Wait for the ends, which are the wanted ones; who is cancelled may have been done before."""
        for request in self.requests:
            done = wait_for(request, *ENDS, seconds=60)
            wanted = self.wanted[request.id]
            assert done.state in {wanted, State.SUCCEEDED if wanted is State.CANCELLED else wanted}, done.message


def test_conductors_killed_at_random_moments_end_every_request_done_or_fully_reverted(conductors, folder):
    chance = random.Random(SEED)
    traffic = Traffic(chance)
    for _conductor in range(CONDUCTORS):
        conductors.start()
    for _kill in range(KILLS):
        traffic.go_on(AT_ONCE)
        time.sleep(chance.uniform(0.0, 0.4))
        conductors.kill(chance.choice(conductors.running))
        conductors.start()
    traffic.end()

    for request in traffic.requests:
        done = api.get(request.id, "p1").state is State.SUCCEEDED
        assert folder.made(request.id) == (sorted(PHASES) if done else [])
    assert len(set(traffic.wanted.values())) == 3
    assert sum(taken_over(request) for request in traffic.requests) > KILLS // 4
    check_world(folder, traffic.requests)


def test_conductor_killed_in_each_phase_is_followed_by_the_next(conductors, folder):
    for phase in PHASES:
        (folder.path / f"{phase}.slow").touch()
    first = conductors.start()
    request = submit()
    for phase in PHASES:
        until(lambda phase=phase: ran(folder, request)["make", phase])
        conductors.start()
        conductors.kill(first)
        (first,) = conductors.running
        (folder.path / f"{phase}.slow").unlink()
    wait_for(request, State.SUCCEEDED)

    check_world(folder, [request])
    assert folder.made(request.id) == sorted(PHASES)
    assert {event.conductor for event in api.events(request.id, "p1")} >= {"", "c1", "c6"}


def test_two_of_three_conductors_killed_leave_all_requests_to_the_third(conductors, folder):
    (folder.path / "three.slow").touch()
    for _conductor in range(3):
        conductors.start()
    requests = [submit(f"thing-{number}") for number in range(9)]
    until(lambda: all("three" in folder.made(each.id) for each in requests))
    owners = {event.conductor for each in requests for event in api.events(each.id, "p1")} - {""}
    for process in conductors.running[:2]:
        conductors.kill(process)
    killed = time.monotonic()
    (folder.path / "three.slow").unlink()
    for request in requests:
        wait_for(request, State.SUCCEEDED)

    assert owners == {"c1", "c2", "c3"}
    assert time.monotonic() - killed < 20
    check_world(folder, requests)


def test_paused_conductor_does_nothing_more_when_it_wakes(conductors, folder, database):
    (folder.path / "two.slow").touch()
    paused = conductors.start()
    request = submit()
    until(lambda: ran(folder, request)["make", "two"])
    pause(paused, database)
    (folder.path / "two.slow").unlink()
    (folder.path / "four.slow").touch()
    conductors.start()
    until(lambda: ran(folder, request)["make", "four"])
    os.kill(paused.pid, signal.SIGCONT)
    until(lambda: f"request {request.id}: left to another conductor" in conductors.log(paused))
    assert api.get(request.id, "p1").state is State.RUNNING
    (folder.path / "four.slow").unlink()
    wait_for(request, State.SUCCEEDED)

    log = (folder.path / f"{request.id}.log").read_text().splitlines()
    by_paused = [line for line in log if line.startswith(f"{paused.pid} ")]
    assert [line.split()[-1] for line in by_paused if " start " in line] == ["one", "two"]
    events = api.events(request.id, "p1")
    takeover = next(event.seq for event in events if event.kind == "takeover")
    assert {event.conductor for event in events if event.seq >= takeover} == {"c2"}
    assert paused.is_alive()
    check_world(folder, [request])


def test_conductor_kill_keeps_a_cancel_that_was_asked_for(conductors, folder):
    (folder.path / "three.slow").touch()
    first = conductors.start()
    request = submit()
    until(lambda: ran(folder, request)["make", "three"])
    conductors.kill(first)
    assert api.cancel(request.id, OPERATOR).state is State.CANCELLING
    conductors.start()
    wait_for(request, State.CANCELLED)

    assert folder.made(request.id) == []
    check_world(folder, [request])


def test_kill_within_a_batch_makes_each_of_its_things_once(conductors, folder):
    first = conductors.start()
    kept, cancelled = (submit(name, workflow="test.batch") for name in ("kept", "cancelled"))
    until(lambda: min(len(folder.made(each.id)) for each in (kept, cancelled)) > MANY // 4)
    conductors.kill(first)
    assert max(len(folder.made(each.id)) for each in (kept, cancelled)) < MANY
    api.cancel(cancelled.id, OPERATOR)
    second = conductors.start()
    until(lambda: ran(folder, cancelled)["remove", "thing-000"])
    conductors.kill(second)
    conductors.start()
    wait_for(kept, State.SUCCEEDED)
    wait_for(cancelled, State.CANCELLED)

    assert len(folder.made(kept.id)) == MANY
    assert folder.made(cancelled.id) == []
    assert len(api.ledger(kept.id, "p1")) == MANY
    check_world(folder, [kept, cancelled])


def test_cancel_within_a_batch_leaves_nothing(conductors, folder):
    conductors.start()
    request = submit(workflow="test.batch")
    until(lambda: len(folder.made(request.id)) > MANY // 4)
    api.cancel(request.id, OPERATOR)
    wait_for(request, State.CANCELLED)

    assert folder.made(request.id) == []
    assert sum(times for (action, _name), times in ran(folder, request).items() if action == "make") < MANY
    check_world(folder, [request])
