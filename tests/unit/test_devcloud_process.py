"""Processes by identity: started, stopped, and gone with their parent."""

import os
import signal
import socket
import subprocess
import sys
import time

import pytest

from devcloud.layout import REPOSITORY, Layout
from devcloud.supervise import board, process
from devcloud.supervise.process import Identity

STUBBORN = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('on', flush=True); time.sleep(60)"
SLEEP = "import time; time.sleep(60)"


@pytest.fixture
def layout(tmp_path):
    made = Layout(tmp_path, 30000)
    for folder in (made.log, made.run):
        folder.mkdir()
    return made


def _until(condition, seconds=10):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_identity_of_a_running_process():
    own = Identity.of(os.getpid())
    assert own.alive()
    assert not own._replace(started=own.started + 1).alive()
    assert not own._replace(boot="another").alive()


def test_an_ended_process_is_not_alive_even_before_it_is_waited_for():
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    identity = Identity.of(child.pid)
    child.stdin.close()
    _until(lambda: not identity.alive())
    with pytest.raises(ProcessLookupError):
        Identity.of(child.pid)
    child.wait()


def test_a_stranger_with_our_pid_is_left_alone():
    child = subprocess.Popen([sys.executable, "-c", SLEEP], start_new_session=True)
    stranger = Identity.of(child.pid)._replace(started=1)
    process.signal_group(stranger, signal.SIGKILL)
    process.stop([stranger], patience=0.1)
    assert child.poll() is None
    child.kill()
    child.wait()


def test_stop_asks_then_kills(layout):
    gentle = process.spawn(layout, "gentle", [sys.executable, "-c", SLEEP], shims=False)
    stubborn = process.spawn(layout, "stubborn", [sys.executable, "-c", STUBBORN], shims=False)
    _until(lambda: "on" in (layout.log / "stubborn.log").read_text())
    process.stop([Identity.of(gentle.pid), Identity.of(stubborn.pid)], patience=0.5)
    assert gentle.wait() == -signal.SIGTERM
    assert stubborn.wait() == -signal.SIGKILL


def test_children_lead_their_own_group_and_log_to_their_file(layout):
    code = "import os; print(os.getpgrp() == os.getpid())"
    child = process.spawn(layout, "one", [sys.executable, "-c", code], shims=False)
    assert child.wait() == 0
    header, said = (layout.log / "one.log").read_text().splitlines()
    assert header.startswith("--- started ")
    assert said == "True"


def test_children_die_with_a_killed_parent(layout):
    code = (
        "import sys, time, pathlib\n"
        "from devcloud.layout import Layout\n"
        "from devcloud.supervise import process\n"
        f"layout = Layout(pathlib.Path({str(layout.root)!r}), 30000)\n"
        f"child = process.spawn(layout, 'child', [sys.executable, '-c', {SLEEP!r}], shims=False)\n"
        "print(child.pid, flush=True)\n"
        "time.sleep(60)\n"
    )
    parent = subprocess.Popen([sys.executable, "-c", code], cwd=REPOSITORY, stdout=subprocess.PIPE, text=True)
    child = Identity.of(int(parent.stdout.readline()))
    time.sleep(0.3)  # the wrapper has to get as far as its request to the kernel
    assert child.alive()
    parent.kill()
    parent.wait()
    _until(lambda: not child.alive())


def test_a_child_of_a_dead_parent_does_not_start(layout):
    wrapper = REPOSITORY / "devcloud" / "supervise" / "child.py"
    done = subprocess.run(
        [sys.executable, "-I", "-S", str(wrapper), "1", "/bin/echo", "started"],
        capture_output=True,
        text=True,
        check=False,
        timeout=20,
    )
    assert done.returncode == 1
    assert "parent died" in done.stderr
    assert "started" not in done.stdout


def test_environment_leads_to_no_other_cloud_and_no_proxy(layout, monkeypatch):
    monkeypatch.setenv("OS_CLOUD", "production")
    monkeypatch.setenv("DJANGO_SETTINGS_MODULE", "tests.settings")  # where each process has a database of its own
    monkeypatch.setenv("HTTPS_PROXY", "http://proxy.example")
    monkeypatch.setenv("PYTHONPATH", "/elsewhere")
    made = process.environment(layout, shims=True)
    assert "OS_CLOUD" not in made
    assert "HTTPS_PROXY" not in made
    assert "DJANGO_SETTINGS_MODULE" not in made
    assert made["no_proxy"] == made["NO_PROXY"] == "127.0.0.1,localhost"
    assert made["PYTHONPATH"].split(":") == [str(layout.path), str(REPOSITORY)]
    assert process.environment(layout, shims=False)["PYTHONPATH"] == str(REPOSITORY)


def test_a_taken_port_is_named_with_its_process():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        layout = Layout(REPOSITORY, port - 1)
        with pytest.raises(process.PortTakenError) as caught:
            process.check_ports(layout, ["keystone"])
    assert f"port {port}, meant for keystone" in str(caught.value)
    assert f"process {os.getpid()}" in str(caught.value)
    process.check_ports(layout, ["keystone"])


def test_board_of_a_dead_supervisor_says_stopped(layout):
    entry = {"state": "healthy", "pid": 1, "url": "u", "started_at": 0, "restarts": 2, "reason": ""}
    dead = Identity(1, 1, "boot")
    content = {
        "supervisor": dead,
        "phase": "up",
        "error": "",
        "services": {"nova": entry},
        "jobs": {},
        "processes": [dead],
    }
    board.write(layout, content)
    shown = board.status(layout)
    assert shown["phase"] == "stopped"
    assert not shown["healthy"]
    assert shown["services"]["nova"]["state"] == "stopped"
    assert shown["services"]["nova"]["pid"] is None
    assert board.processes(board.read(layout)) == [dead]


def test_board_of_a_live_supervisor_adds_uptime_and_memory(layout):
    own = Identity.of(os.getpid())
    started = time.time() - 5
    entry = {"state": "healthy", "pid": own.pid, "url": "", "started_at": started, "restarts": 0, "reason": ""}
    board.write(
        layout,
        {"supervisor": own, "phase": "up", "error": "", "services": {"nova": entry}, "jobs": {}, "processes": []},
    )
    shown = board.status(layout)
    assert shown["healthy"]
    assert shown["services"]["nova"]["uptime_s"] >= 5
    assert shown["services"]["nova"]["rss_mib"] > 1


@pytest.mark.parametrize("text", [None, "", "{half"])
def test_a_missing_or_broken_board_reads_as_stopped(layout, text):
    if text is not None:
        board.path(layout).write_text(text)
    assert board.status(layout)["phase"] == "stopped"
