"""The supervisor's loop: one thread decides, a few others ask the services how they are."""

import os
import signal
import time
import typing
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from devcloud.layout import Layout
from devcloud.probe import NotReady, Probe
from devcloud.services.base import Service
from devcloud.supervise import board, process
from devcloud.supervise.units import Job, State, Unit

_TICK_SECONDS = 0.1
_STARTING_PROBE_SECONDS = 0.4
_HEALTHY_PROBE_SECONDS = 15.0
_UNHEALTHY_PROBE_SECONDS = 3.0
_MISSES_UNHEALTHY = 3
_MISSES_RESTART = 40
_LOG_TAIL_LINES = 25


class StartError(Exception):
    """The cloud could not be started; the text says which service failed and how."""


class Supervisor:
    """Runs units until it is told to stop.

    Args:
        layout: the cloud.
        specs: what to run, in order of importance.
        say: takes one line of progress.
    """

    def __init__(self, layout: Layout, specs: list[Service | Job], say: Callable[[str], None]):
        self._layout = layout
        self._units = {spec.name: Unit(spec) for spec in specs}
        self._say = say
        self._probe = Probe(layout)
        self._pool = ThreadPoolExecutor(4, thread_name_prefix="probe")
        self._began = time.monotonic()
        self._phase = "starting"
        self._error = ""
        self._stopping = False
        self._published: tuple[float, typing.Any] = (0.0, None)
        # Imports keep a processor busy: one more than there are, as some of a start is waiting.
        self._slots = (os.cpu_count() or 1) + 1

    def run(self) -> None:
        """Start everything, watch it, and stop it when told to.

        Raises:
            StartError: a unit failed before all were healthy.
        """
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._stop)
        try:
            while not self._stopping:
                self._step()
                time.sleep(_TICK_SECONDS)
        except StartError as error:
            self._phase, self._error = "failed", str(error)
            raise
        finally:
            self._stop_all()

    def children(self) -> list[process.Identity]:
        """Return the processes that run now."""
        return [unit.identity for unit in self._units.values() if unit.identity]

    def _stop(self, *_args: typing.Any) -> None:
        self._stopping = True

    def _step(self) -> None:
        for unit in self._units.values():
            self._reap(unit)
            self._collect(unit)
        self._launch()
        for unit in self._units.values():
            self._ask(unit)
        if self._phase == "starting" and all(unit.settled for unit in self._units.values()):
            self._phase = "up"
            self._tell("everything is healthy")
        self._publish()

    def _reap(self, unit: Unit) -> None:
        """See whether a unit's process has ended, or has taken too long."""
        if unit.process is None:
            return
        code = unit.process.poll()
        if code is None:
            late = time.monotonic() - unit.started > unit.patience
            if unit.state is State.STARTING and late:
                self._give_up(unit, f"not ready after {unit.patience:.0f} s: {unit.reason or 'still running'}")
            return
        if unit.identity:
            process.signal_group(unit.identity, signal.SIGKILL)
        if isinstance(unit.spec, Job) and code == 0:
            unit.state, unit.process, unit.identity = State.DONE, None, None
            self._tell(f"{unit.name:<20} done in {time.monotonic() - unit.started:.1f} s")
        else:
            self._give_up(unit, f"ended with {_outcome(code)}")

    def _give_up(self, unit: Unit, why: str) -> None:
        """Fail the start, or once the cloud is up, try the unit again."""
        unit.reason = why
        if self._phase == "starting":
            unit.state = State.FAILED
            raise StartError(f"{unit.name} {why}\n{_tail(self._layout, unit.name)}")
        if unit.identity:
            process.stop([unit.identity], patience=3)
        unit.schedule_restart()
        self._tell(f"{unit.name:<20} {why}; restart {unit.restarts} follows")

    def _launch(self) -> None:
        """Start what may start, in order, without more starts at once than the processors bear."""
        free = self._slots - sum(unit.state is State.STARTING for unit in self._units.values())
        for unit in self._units.values():
            if free <= 0:
                return
            if self._may_start(unit):
                self._start(unit)
                free -= 1

    def _may_start(self, unit: Unit) -> bool:
        if unit.state is State.RESTARTING:
            return time.monotonic() >= unit.next_start
        known = [self._units[name] for name in unit.spec.after if name in self._units]
        return unit.state is State.WAITING and all(other.settled for other in known)

    def _start(self, unit: Unit) -> None:
        spec = unit.spec
        if isinstance(spec, Job) and spec.action:
            spec.action()
            unit.state = State.DONE
            self._tell(f"{unit.name:<20} done")
            return
        argv = list(spec.argv) if isinstance(spec, Job) else spec.argv(self._layout)
        unit.begin(process.spawn(self._layout, unit.name, argv, spec.shims))
        self._publish(force=True)

    def _ask(self, unit: Unit) -> None:
        if isinstance(unit.spec, Job) or not unit.process or unit.pending:
            return
        if time.monotonic() >= unit.next_probe:
            unit.pending = (self._pool.submit(unit.spec.check, self._probe), unit.process)

    def _collect(self, unit: Unit) -> None:
        """Take the answer to the last question, unless it is about a process of the past."""
        if not unit.pending or not unit.pending[0].done():
            return
        (answer, asked), unit.pending = unit.pending, None
        if asked is not unit.process:
            return
        error = answer.exception()
        if error is None:
            self._note_health(unit)
        else:
            self._note_miss(unit, str(error) if isinstance(error, NotReady) else repr(error))

    def _note_health(self, unit: Unit) -> None:
        now = time.monotonic()
        if unit.state is not State.HEALTHY:
            unit.state, unit.healthy_since = State.HEALTHY, now
            self._tell(f"{unit.name:<20} healthy after {now - unit.started:.1f} s")
        unit.misses, unit.reason = 0, ""
        unit.next_probe = now + _HEALTHY_PROBE_SECONDS

    def _note_miss(self, unit: Unit, reason: str) -> None:
        unit.reason = reason
        unit.misses += 1
        starting = unit.state is State.STARTING
        wait = _STARTING_PROBE_SECONDS if starting else _UNHEALTHY_PROBE_SECONDS
        unit.next_probe = time.monotonic() + wait
        if starting:
            return
        if unit.misses >= _MISSES_RESTART:
            self._give_up(unit, f"no longer answers: {reason}")
        elif unit.misses == _MISSES_UNHEALTHY:
            unit.state, unit.healthy_since = State.UNHEALTHY, 0.0
            self._tell(f"{unit.name:<20} unhealthy: {reason}")

    def _tell(self, line: str) -> None:
        self._say(f"{time.monotonic() - self._began:6.1f} s  {line}")

    def _publish(self, force: bool = False) -> None:
        """Write the board when it changed, and at least every few seconds."""
        content = self._content()
        then, before = self._published
        if force or content != before or time.monotonic() - then > 5:
            board.write(self._layout, content)
            self._published = (time.monotonic(), content)

    def _content(self) -> dict[str, typing.Any]:
        units = self._units.values()
        services = {u.name: u.entry(u.spec.url(self._layout)) for u in units if isinstance(u.spec, Service)}
        jobs = {u.name: u.state.value for u in units if isinstance(u.spec, Job)}
        return {
            "supervisor": process.Identity.of(os.getpid()),
            "phase": self._phase,
            "error": self._error,
            "services": services,
            "jobs": jobs,
            "processes": self.children(),
        }

    def _stop_all(self) -> None:
        """Stop every child and leave a board that says so."""
        if self._phase != "failed":
            self._phase = "stopping"
            self._publish(force=True)
        process.stop(self.children())
        for unit in self._units.values():
            if unit.process:
                unit.process.wait()
            unit.process = unit.identity = None
            if unit.state not in {State.FAILED, State.DONE}:
                unit.state = State.STOPPED
        self._pool.shutdown(wait=False, cancel_futures=True)
        if self._phase != "failed":
            self._phase = "stopped"
        self._publish(force=True)
        self._tell("stopped")


def _outcome(code: int) -> str:
    return f"exit code {code}" if code >= 0 else f"signal {signal.Signals(-code).name}"


def _tail(layout: Layout, name: str) -> str:
    file = layout.log / f"{name}.log"
    lines = file.read_text(errors="replace").splitlines()[-_LOG_TAIL_LINES:] if file.exists() else []
    return "\n".join([f"the end of {file}:", *(f"    {line}" for line in lines)])
