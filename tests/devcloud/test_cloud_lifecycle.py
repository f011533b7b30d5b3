"""A second, small cloud: started from nothing, killed in every way, and gone without a trace."""

import json
import os
import signal
import socket
import subprocess
import sys

import psutil
import pytest

from devcloud.layout import PORTS, REPOSITORY, Layout
from devcloud.seed.connection import connect
from devcloud.supervise import board
from tests.cloud import devcloud, wait_until

BASE_PORT = 23500
SERVICES = ("keystone", "glance")

pytestmark = pytest.mark.timeout(300)


@pytest.fixture(scope="module")
def layout(tmp_path_factory):
    """The small cloud's place; what one test leaves running, the next one may use."""
    return Layout(tmp_path_factory.mktemp("small") / "cloud", BASE_PORT, SERVICES, False)


@pytest.fixture(scope="module")
def small(layout):
    """Runs commands for the small cloud, of which nothing is left at the end."""

    def run(*arguments):
        return devcloud(*arguments, env={**os.environ, **layout.environment()})

    yield run
    run("down")
    assert _processes(layout) == []
    assert _ports(layout) == []


@pytest.fixture
def small_up(small):
    """The same, with the small cloud up."""
    started = small("up")
    assert started.returncode == 0, started.stdout
    return small


@pytest.fixture
def small_down(small):
    """The same, with the small cloud down."""
    small("down")
    return small


def _processes(layout):
    """Every process that carries the small cloud's folder in its environment."""
    found = []
    for entry in psutil.process_iter():
        try:
            if entry.environ().get("DEVCLOUD_DIR") == str(layout.root) and entry.pid != os.getpid():
                found.append(" ".join(entry.cmdline()))
        except psutil.Error:
            continue
    return found


def _ports(layout):
    """The small cloud's ports on which somebody listens."""
    taken = []
    for name in PORTS:
        with socket.socket() as probe:
            probe.settimeout(1)
            if probe.connect_ex(("127.0.0.1", layout.port(name))) == 0:
                taken.append(name)
    return taken


def _pid(layout, name):
    return board.status(layout)["services"][name]["pid"]


def test_from_nothing_then_from_the_golden_state(small_down, layout):
    first = small_down("up")
    assert first.returncode == 0, first.stdout
    assert "state: building a new one" in first.stdout
    assert "golden               done" in first.stdout
    assert f"Keystone   {layout.auth_url}" in first.stdout
    assert sorted(_ports(layout)) == ["glance", "keystone"]
    shown = json.loads(small_down("status", "--json").stdout)
    assert shown["healthy"]
    assert set(shown["services"]) == set(SERVICES)
    project = connect(layout).identity.create_project(name="kept")

    assert small_down("down").stdout == "stopped\n"
    assert _ports(layout) == []
    assert _processes(layout) == []

    again = small_down("up")
    assert "state: going on with the one that is there" in again.stdout
    assert connect(layout).identity.find_project("kept").id == project.id

    small_down("reset")
    restored = small_down("up")
    assert restored.returncode == 0, restored.stdout
    assert "state: restored the golden one" in restored.stdout
    assert "schema-keystone" not in restored.stdout
    assert connect(layout).identity.find_project("kept") is None


def test_up_again_changes_nothing(small_up, layout):
    before = [_pid(layout, name) for name in SERVICES]
    again = small_up("up")
    assert again.returncode == 0
    assert "up already" in again.stdout
    assert [_pid(layout, name) for name in SERVICES] == before


def test_a_killed_service_comes_back(small_up, layout):
    before = board.status(layout)["services"]["glance"]
    os.kill(before["pid"], signal.SIGKILL)

    def back():
        now = board.status(layout)["services"]["glance"]
        return now["restarts"] > before["restarts"] and now["state"] == "healthy"

    wait_until(back, "glance is back")
    assert _pid(layout, "glance") != before["pid"]
    assert "signal SIGKILL; restart 1 follows" in small_up("logs", "devcloud").stdout


def test_restart_waits_for_health(small_up, layout):
    pid = _pid(layout, "glance")
    done = small_up("restart", "glance")
    assert (done.returncode, done.stdout) == (0, "glance is healthy\n")
    assert _pid(layout, "glance") != pid


def test_nothing_outlives_a_killed_supervisor(small_up, layout):
    os.kill(board.supervisor(board.read(layout)).pid, signal.SIGKILL)
    wait_until(lambda: not _processes(layout) and not _ports(layout), "the children are gone", seconds=15)
    assert json.loads(small_up("status", "--json").stdout)["phase"] == "stopped"
    again = small_up("up")
    assert again.returncode == 0, again.stdout


def test_two_at_once_are_one(small_down, layout):
    both = [_up_in_background(layout) for _ in range(2)]
    outputs = [one.communicate(timeout=120)[0] for one in both]
    assert [one.returncode for one in both] == [0, 0], outputs
    assert len([line for line in _processes(layout) if "devcloud.boot" in line]) == 1


def _up_in_background(layout):
    return subprocess.Popen(
        [sys.executable, "-m", "devcloud", "up"],
        cwd=REPOSITORY,
        env={**os.environ, **layout.environment()},
        stdout=subprocess.PIPE,
        text=True,
    )


def test_down_stops_a_start_that_is_under_way(small_down, layout):
    small_down("reset")
    start = _up_in_background(layout)
    wait_until(
        lambda: board.supervisor(content := board.read(layout)) and board.processes(content),
        "a service is being started",
        seconds=60,
        pause=0.05,
    )
    small_down("down")
    start.communicate(timeout=30)
    assert start.returncode == 1
    assert _processes(layout) == []


def test_a_taken_port_is_named(small_down, layout):
    with socket.socket() as taken:
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        taken.bind(("127.0.0.1", layout.port("glance")))
        taken.listen()
        failed = small_down("up")
    assert failed.returncode == 1
    assert f"port {layout.port('glance')}, meant for glance, is taken by process {os.getpid()}" in failed.stdout
    assert _processes(layout) == []


def test_a_service_that_cannot_start_says_why(small_down, layout):
    for key in (layout.state / "keystone" / "fernet").iterdir():
        key.unlink()
    failed = small_down("up")
    assert failed.returncode == 1
    assert "failed: keystone" in failed.stdout
    assert f"the end of {layout.log}/keystone.log" in failed.stdout
    status = small_down("status")
    assert status.returncode == 3
    assert "The cloud is failed." in status.stdout
    assert _processes(layout) == []
    small_down("reset")
