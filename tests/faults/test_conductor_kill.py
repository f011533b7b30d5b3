"""Conductors are killed and paused at any moment; requests end as if nothing had happened."""

import collections
import itertools
import random
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.orchestration import OPERATOR, database, folder, submit, wait_for  # noqa: F401
from tests.workflow import PHASES
from tripleo_ui.orchestration import api
from tripleo_ui.orchestration.api import State

ROOT = Path(__file__).parents[2]
KILLS = 20
SEED = 7


class Conductors:
    """Conductor processes on one database and one folder."""

    def __init__(self, database_url, path):
        self._arguments = [database_url, str(path)]
        self._log = (path / "conductors.log").open("ab")
        self._numbers = itertools.count(1)
        self.running = []

    def start(self):
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.conductor_process", *self._arguments, f"c{next(self._numbers)}"],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=self._log,
        )
        assert process.stdout.readline() == b"ready\n"
        self.running.append(process)
        return process

    def kill(self, process):
        process.send_signal(signal.SIGKILL)
        process.wait(10)
        self.running.remove(process)

    def close(self):
        for process in list(self.running):
            process.send_signal(signal.SIGCONT)
            self.kill(process)
        self._log.close()


@pytest.fixture
def conductors(database, folder):  # noqa: F811
    made = Conductors(database, folder.path)
    yield made
    made.close()


def pause(process, database_url):
    """Stop a process, but not while it holds SQLite's one write lock, which would stop everybody."""
    for _try in range(50):
        process.send_signal(signal.SIGSTOP)
        probe = sqlite3.connect(database_url.removeprefix("sqlite:///"), timeout=0.1, isolation_level=None)
        try:
            probe.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError:
            process.send_signal(signal.SIGCONT)
            time.sleep(0.05)
        else:
            return
        finally:
            probe.close()
    raise AssertionError("the process never let go of the database")


def ran(folder, request):  # noqa: F811
    """How often each action happened in each phase: ``{("make", "one"): 1}``."""
    log = folder.path / f"{request.id}.log"
    lines = log.read_text().splitlines() if log.exists() else []
    return collections.Counter(tuple(line.split()[1:]) for line in lines)


@pytest.mark.timeout(400)
def test_conductor_killed_at_random_moments_ends_every_request_done_or_fully_reverted(conductors, folder):  # noqa: F811
    chance = random.Random(SEED)
    process = conductors.start()
    kills = 0
    while kills < KILLS:
        failing = kills % 3 == 2
        (folder.path / "four.fail").touch() if failing else (folder.path / "four.fail").unlink(missing_ok=True)
        request = submit(f"thing-{kills}")
        for _again in range(chance.choice((1, 1, 2))):
            time.sleep(chance.uniform(0, 0.35))
            conductors.kill(process)
            kills += 1
            process = conductors.start()
        done = wait_for(request, State.SUCCEEDED, State.FAILED, State.NEEDS_ATTENTION, seconds=60)

        assert done.state is (State.FAILED if failing else State.SUCCEEDED)
        assert folder.made(request.id) == ([] if failing else sorted(PHASES))
        made = ran(folder, request)
        assert all(made["make", phase] <= 1 for phase in PHASES), made
        numbers = [event.seq for event in api.events(request.id, "p1")]
        assert numbers == sorted(set(numbers))


@pytest.mark.parametrize("phase", PHASES)
def test_conductor_killed_in_each_phase_is_followed_by_the_next(conductors, folder, phase):  # noqa: F811
    (folder.path / f"{phase}.slow").touch()
    first = conductors.start()
    request = submit()
    until = time.monotonic() + 20
    while not ran(folder, request)["make", phase] and time.monotonic() < until:
        time.sleep(0.01)
    conductors.kill(first)
    (folder.path / f"{phase}.slow").unlink()
    conductors.start()
    wait_for(request, State.SUCCEEDED)

    assert folder.made(request.id) == sorted(PHASES)
    assert ran(folder, request)["make", phase] == 1
    assert {event.conductor for event in api.events(request.id, "p1")} == {"", "c1", "c2"}


def test_paused_conductor_does_nothing_more_when_it_wakes(conductors, folder, database):  # noqa: F811
    (folder.path / "two.slow").touch()
    paused = conductors.start()
    request = submit()
    until = time.monotonic() + 20
    while not ran(folder, request)["make", "two"] and time.monotonic() < until:
        time.sleep(0.01)
    pause(paused, database)
    (folder.path / "two.slow").unlink()
    (folder.path / "four.slow").touch()
    conductors.start()
    until = time.monotonic() + 20
    while not ran(folder, request)["make", "four"] and time.monotonic() < until:
        time.sleep(0.01)
    paused.send_signal(signal.SIGCONT)
    time.sleep(1.5)  # Time enough for it to run what is left, if nothing held it back.
    assert api.get(request.id, "p1").state is State.RUNNING
    (folder.path / "four.slow").unlink()
    wait_for(request, State.SUCCEEDED)

    log = (folder.path / f"{request.id}.log").read_text().splitlines()
    by_paused = [line for line in log if line.startswith(f"{paused.pid} ")]
    assert [line.split()[-1] for line in by_paused if " start " in line] == ["one", "two"]
    assert paused.poll() is None


def test_conductor_kill_keeps_a_cancel_that_was_asked_for(conductors, folder):  # noqa: F811
    (folder.path / "three.slow").touch()
    first = conductors.start()
    request = submit()
    until = time.monotonic() + 20
    while not ran(folder, request)["make", "three"] and time.monotonic() < until:
        time.sleep(0.01)
    conductors.kill(first)
    assert api.cancel(request.id, OPERATOR).state is State.CANCELLING
    conductors.start()
    wait_for(request, State.CANCELLED)

    assert folder.made(request.id) == []
