"""What the supervisor runs: services, and jobs that end; with their state."""

import enum
import subprocess
import time
import typing
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field

from devcloud.services.base import Service
from devcloud.supervise.process import Identity

_BACKOFF_SECONDS = (0.5, 1.0, 2.0, 4.0, 8.0, 15.0, 30.0)
_STABLE_SECONDS = 60.0


@dataclass(frozen=True)
class Job:
    """A step of the start that ends.

    Attributes:
        name: its name on the board and of its log.
        after: services and jobs that come first.
        argv: the argument list, for a job in a process of its own.
        action: the function, for a job of the supervisor itself.
        shims: whether its Python path has the shims' entry points.
        seconds: how long it may take.
    """

    name: str
    after: tuple[str, ...] = ()
    argv: tuple[str, ...] = ()
    action: Callable[[], None] | None = None
    shims: bool = True
    seconds: float = 300.0


class State(enum.StrEnum):
    """What a unit does."""

    WAITING = "waiting"
    STARTING = "starting"
    HEALTHY = "healthy"
    UNHEALTHY = "unhealthy"
    RESTARTING = "restarting"
    DONE = "done"
    FAILED = "failed"
    STOPPED = "stopped"


@dataclass
class Unit:
    """A service or job with its process and state; times are those of the monotonic clock."""

    spec: Service | Job
    state: State = State.WAITING
    process: subprocess.Popen[bytes] | None = None
    identity: Identity | None = None
    reason: str = ""
    started: float = 0.0
    started_at: float = 0.0
    healthy_since: float = 0.0
    restarts: int = 0
    streak: int = 0
    misses: int = 0
    next_start: float = 0.0
    next_probe: float = 0.0
    pending: tuple[Future[None], subprocess.Popen[bytes]] | None = field(default=None, repr=False)

    @property
    def name(self) -> str:
        """The name of the service or job."""
        return self.spec.name

    @property
    def settled(self) -> bool:
        """Whether what comes after it may start."""
        return self.state in {State.HEALTHY, State.UNHEALTHY, State.DONE}

    @property
    def patience(self) -> float:
        """Seconds that it may take to become healthy or done."""
        return self.spec.seconds if isinstance(self.spec, Job) else self.spec.startup_seconds

    def begin(self, process: subprocess.Popen[bytes]) -> None:
        """Note that its process was started."""
        self.process = process
        try:
            self.identity = Identity.of(process.pid)
        except ProcessLookupError:  # it has ended already, which the supervisor sees next
            self.identity = None
        self.state = State.STARTING
        self.started, self.started_at = time.monotonic(), time.time()
        self.next_probe, self.misses, self.pending = self.started, 0, None

    def schedule_restart(self) -> None:
        """Note that its process ended and when the next one may start: later after each failure in a row."""
        now = time.monotonic()
        stable = self.healthy_since and now - self.healthy_since > _STABLE_SECONDS
        self.streak = 0 if stable else self.streak + 1
        self.restarts += 1
        self.next_start = now + _BACKOFF_SECONDS[min(self.streak, len(_BACKOFF_SECONDS) - 1)]
        self.state, self.healthy_since = State.RESTARTING, 0.0
        self.process = self.identity = self.pending = None

    def entry(self, url: str) -> dict[str, typing.Any]:
        """Return its line of the board."""
        return {
            "state": self.state.value,
            "pid": self.process.pid if self.process else None,
            "url": url,
            "started_at": self.started_at,
            "restarts": self.restarts,
            "reason": self.reason,
        }
