"""The supervisor with small real processes in the services' place."""

import signal
import sys
import threading
import time

import pytest

from devcloud.layout import Layout
from devcloud.probe import NotReady
from devcloud.services.base import Service
from devcloud.supervise import board, loop, process
from devcloud.supervise.loop import StartError, Supervisor
from devcloud.supervise.units import Job, State, Unit

RUN = "import time; time.sleep(60)"


@pytest.fixture
def layout(tmp_path):
    made = Layout(tmp_path, 30000)
    for folder in (made.log, made.run):
        folder.mkdir()
    return made


def service(name, code=RUN, check=lambda _probe: None, **options):
    options.setdefault("after", ())
    return Service(name, check, command=lambda _layout: [sys.executable, "-c", code], **options)


def job(name, code="", **options):
    return Job(name, argv=(sys.executable, "-c", code), shims=False, **options)


class Run:
    """A supervisor in this thread, which a second thread looks at and stops."""

    def __init__(self, layout, specs, monkeypatch):
        self.layout = layout
        self.lines = []
        monkeypatch.setattr(signal, "signal", lambda *_args: None)
        self.supervisor = Supervisor(layout, specs, self.lines.append)

    def until(self, *looks, seconds=30):
        """Run until each look has been true once, in order; then stop."""
        failures = []
        ended = threading.Event()

        def watch():
            deadline = time.monotonic() + seconds
            try:
                for look in looks:
                    while not look(board.read(self.layout)):
                        if ended.is_set():
                            return
                        if time.monotonic() > deadline:
                            failures.append(f"{look} never came true: {board.read(self.layout)}")
                            return
                        time.sleep(0.02)
            finally:
                self.supervisor._stop()

        watcher = threading.Thread(target=watch)
        watcher.start()
        try:
            self.supervisor.run()
        finally:
            ended.set()
            watcher.join()
        assert not failures, failures[0]


def up(content):
    return content["phase"] == "up"


def test_order_health_and_a_clean_end(layout, monkeypatch):
    mark = layout.root / "made"
    specs = [
        service("second", f"import pathlib; assert pathlib.Path({str(mark)!r}).exists()\n{RUN}", after=("make",)),
        job("make", f"import pathlib; pathlib.Path({str(mark)!r}).touch()"),
    ]
    seen = {}

    def remember(content):
        seen.update(content)
        return up(content)

    Run(layout, specs, monkeypatch).until(remember)
    assert seen["services"]["second"]["state"] == "healthy"
    assert seen["jobs"] == {"make": "done"}
    assert len(seen["processes"]) == 1
    assert board.read(layout)["phase"] == "stopped"
    assert not any(identity.alive() for identity in board.processes(seen))


def test_not_healthy_before_its_check_passes(layout, monkeypatch):
    answers = iter([NotReady("no engine"), KeyError("services"), None])
    reasons = []

    def check(_probe):
        error = next(answers, None)
        if error:
            raise error

    run = Run(layout, [service("heat", check=check)], monkeypatch)
    run.until(lambda c: reasons.append(c["services"].get("heat", {}).get("reason")) or up(c))
    assert "no engine" in reasons
    assert "KeyError('services')" in reasons
    assert reasons[-1] == ""


def test_an_early_exit_fails_the_start_with_the_end_of_the_log(layout, monkeypatch):
    broken = service("nova", "print('cannot bind'); raise SystemExit(3)", check=_never)
    other = service("heat", check=_never)
    run = Run(layout, [other, broken], monkeypatch)
    with pytest.raises(StartError, match=r"nova ended with exit code 3(.|\n)*cannot bind"):
        run.until(lambda _c: False)
    content = board.read(layout)
    assert content["phase"] == "failed"
    assert content["services"]["nova"]["state"] == "failed"
    assert content["services"]["heat"]["state"] == "stopped"
    assert content["processes"] == []


def _never(_probe):
    raise NotReady("never")


def test_a_failed_job_fails_the_start(layout, monkeypatch):
    with pytest.raises(StartError, match="schema-nova ended with exit code 1"):
        Run(layout, [job("schema-nova", "raise SystemExit(1)")], monkeypatch).until(lambda _c: False)


def test_a_service_that_is_late_fails_the_start_with_the_last_reason(layout, monkeypatch):
    late = service("ironic", check=_never, startup_seconds=1.0)
    with pytest.raises(StartError, match=r"ironic not ready after 1 s: never"):
        Run(layout, [late], monkeypatch).until(lambda _c: False)


def test_a_job_of_the_supervisor_itself_runs_after_the_others(layout, monkeypatch):
    done = []
    specs = [
        service("nova"),
        Job("golden", after=("nova", "absent"), action=lambda: done.append(board.read(layout))),
    ]
    Run(layout, specs, monkeypatch).until(up)
    assert [content["services"]["nova"]["state"] for content in done] in (["healthy"], ["starting"])


def test_a_killed_service_comes_back_with_a_new_process(layout, monkeypatch):
    first = []

    def kill(content):
        if up(content) and not first:
            first.extend(board.processes(content))
            process.signal_group(first[0], signal.SIGKILL)
        return bool(first)

    def back(content):
        entry = content["services"]["nova"]
        return entry["restarts"] == 1 and entry["state"] == "healthy" and entry["pid"] != first[0].pid

    run = Run(layout, [service("nova")], monkeypatch)
    run.until(kill, back)
    assert any("signal SIGKILL; restart 1 follows" in line for line in run.lines)


def test_one_that_stops_answering_is_unhealthy_then_restarted(layout, monkeypatch):
    for name, value in (
        ("_HEALTHY_PROBE_SECONDS", 0.05),
        ("_UNHEALTHY_PROBE_SECONDS", 0.05),
        ("_MISSES_RESTART", 6),
    ):
        monkeypatch.setattr(loop, name, value)
    hung = threading.Event()

    def check(_probe):
        if hung.is_set():
            raise NotReady("timed out")

    def hang(content):
        if up(content):
            hung.set()
        return hung.is_set()

    def restarted(content):
        if content["services"]["nova"]["restarts"]:
            hung.clear()
        return content["services"]["nova"]["restarts"] == 1 and content["services"]["nova"]["state"] == "healthy"

    run = Run(layout, [service("nova", check=check)], monkeypatch)
    run.until(hang, lambda c: c["services"]["nova"]["state"] == "unhealthy", restarted)
    assert any("unhealthy: timed out" in line for line in run.lines)


def test_restarts_wait_longer_each_time_and_less_after_a_stable_while():
    unit = Unit(service("nova"))
    waits = []
    for _attempt in range(9):
        unit.schedule_restart()
        waits.append(round(unit.next_start - time.monotonic(), 1))
    assert waits == sorted(waits)
    assert waits[0] <= 1
    assert waits[-1] == 30
    unit.healthy_since = time.monotonic() - 120
    unit.schedule_restart()
    assert unit.next_start - time.monotonic() < 1
    assert unit.state is State.RESTARTING
    assert unit.restarts == 10


def test_no_more_starts_at_once_than_slots(layout, monkeypatch):
    gate = threading.Event()

    def check(_probe):
        if not gate.is_set():
            raise NotReady("waiting")

    most = []

    def crowded(content):
        starting = sum(entry["state"] == "starting" for entry in content["services"].values())
        most.append(starting)
        if starting == 2:
            gate.set()
        return up(content)

    run = Run(layout, [service(f"s{n}", check=check) for n in range(5)], monkeypatch)
    run.supervisor._slots = 2
    run.until(crowded)
    assert max(most) == 2
