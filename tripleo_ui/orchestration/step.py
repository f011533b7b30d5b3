"""A step of a workflow: a TaskFlow task that can be started again, waits out services that are away, and ends."""

import time
from collections.abc import Callable
from typing import Any, ClassVar

from taskflow import task

from tripleo_ui.orchestration import logs
from tripleo_ui.orchestration.context import CancelledError, Context, SuspendedError
from tripleo_ui.orchestration.errors import Fenced
from tripleo_ui.orchestration.states import State
from tripleo_ui.services.breaker import CircuitOpen
from tripleo_ui.services.errors import ServiceError, Unavailable

#: Tries of a step, one second apart, before the request is shown as stalled.
PATIENCE = 3
_LONGEST_WAIT = 30.0


class RevertingError(Exception):
    """The request has failed already; nothing more is made, only taken back."""


class Step(task.Task):  # type: ignore[misc]
    """One phase. ``run`` may be started again at any point of an earlier run, and must find what that one made."""

    #: What the error says was tried, and by which service.
    operation: ClassVar[str] = ""
    service: ClassVar[str] = "orchestrator"

    def __init__(self, phase: str, context: Context, deadline_seconds: float = 0.0) -> None:
        super().__init__(name=phase)
        self.phase = phase
        self.context = context
        self._deadline_seconds = deadline_seconds or context.deadline_seconds
        self._failures = 0

    def run(self) -> str | None:
        """Do the phase's work; what it answers, a sentence, says what is missing of a result that is PARTIAL."""
        raise TypeError(f"{type(self).__name__} does nothing")

    def undo(self) -> None:
        """Take back what the phase made outside; most make nothing."""

    def execute(self) -> str | None:
        """Run the step to its end, however long its services are away, up to the deadline."""
        context = self.context
        if context.request.state is State.REVERTING:
            # An earlier conductor recorded the failure and went down before the flow knew of it.
            raise RevertingError(context.request.message)
        try:
            context.start_clock(self._deadline_seconds)
            context.enter(self.phase)
            return self._patiently(context.check, self.run)
        except (Fenced, SuspendedError):
            raise
        except CancelledError:
            context.move("fail", "Cancelled; taking back what was made.")
            raise
        except Exception as error:
            self._failed(error)
            raise

    def revert(self, *_arguments: Any, **_more: Any) -> None:
        """Undo the step when it, or a later one, has failed; it waits for services as ``execute`` does."""
        self.context.phase = self.phase
        self.context.start_clock(self._deadline_seconds)
        self._patiently(self.context.fence, self.undo)

    def _patiently(self, check: Callable[[], None], work: Callable[[], str | None]) -> str | None:
        context = self.context
        deadline = time.monotonic() + context.deadline_seconds
        self._failures = 0
        while True:
            try:
                with logs.bound(phase=self.phase):
                    check()
                    result = work()
            except Unavailable as error:
                self._failures += 1
                if time.monotonic() >= deadline:
                    raise
                self._stall(error)
                context.sleep(_pause(self._failures, deadline - time.monotonic()))
            else:
                self.recovered()
                return result

    def _stall(self, error: Unavailable) -> None:
        if self._failures < PATIENCE and not isinstance(error, CircuitOpen):
            return
        told = f"{error.service} does not answer; waiting for it."
        if self.context.request.state is State.RUNNING:
            self.context.move("stall", told, error=error.as_dict())
        else:
            self.context.progress(told)

    def recovered(self) -> None:
        """Say that the services answer again, where one did not."""
        self._failures = 0
        if self.context.request.state is State.STALLED:
            self.context.move("start", "The service is back.", error=None)

    def _failed(self, error: Exception) -> None:
        if isinstance(error, ServiceError):
            shown = error.as_dict()
        else:
            shown = {
                "service": "orchestrator",
                "operation": self.operation or self.phase,
                "cause": f"{type(error).__name__}: {error}",
                "next_step": "Look at the conductor's log, then retry.",
                "request_id": "",
            }
        self.context.move("fail", shown["cause"], error=shown)

    def poll_until(self, deadline_seconds: float | None = None) -> "Poll":
        """Rounds of looking at a long operation, with pauses; they end with an error at the deadline."""
        return Poll(self, deadline_seconds or self.context.deadline_seconds)


def _pause(failures: int, left: float) -> float:
    """Seconds until the next try: one at first, then doubled each time, and not long past the deadline."""
    return float(min(2.0 ** max(0, failures - PATIENCE), _LONGEST_WAIT, max(0.0, left) + 1))


class Poll:
    """An iterator over rounds: each round may go on only while the request is ours, wanted and in time."""

    def __init__(self, step: Step, seconds: float) -> None:
        self._step = step
        self._seconds = seconds
        self._until = time.monotonic() + seconds
        self._first = True

    def __iter__(self) -> "Poll":
        return self

    def __next__(self) -> None:
        context = self._step.context
        if not self._first:
            self._step.recovered()  # The round before this one came through.
            context.sleep(context.poll_seconds)
        self._first = False
        context.check()
        if time.monotonic() >= self._until:
            raise ServiceError(
                self._step.service,
                self._step.operation or self._step.phase,
                f"it did not end within {self._seconds:.0f} seconds",
                next_step="Look at what it waits for, then retry.",
            )
