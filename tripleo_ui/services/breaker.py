"""Circuit breakers: a service that keeps failing is left alone for a while; then one call asks whether it is back."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from tripleo_ui.services.errors import Unavailable

#: Calls in a row without an answer after which a service counts as away.
FAILURES = 5
FIRST_PAUSE_SECONDS = 2.0
LONGEST_PAUSE_SECONDS = 30.0


class CircuitOpen(Unavailable):
    """The service was away at the last calls, so this one was not made; ``retry_after`` is in seconds."""

    retry_after: float = 0.0


class Breaker:
    """The breaker of one service. Safe to share between threads."""

    def __init__(self, service: str, clock: Callable[[], float] = time.monotonic) -> None:
        self.service = service
        self._clock = clock
        self._guard = threading.Lock()
        self._failures = 0
        self._until = 0.0
        self._probing = False

    @property
    def open(self) -> bool:
        """Whether the service counts as away."""
        return self._failures >= FAILURES

    @contextmanager
    def guarding(self, operation: str) -> Iterator[None]:
        """Make a call, unless the service is away; while it is, one call at a time probes it after each pause.

        Raises:
            CircuitOpen: the call was not made.
        """
        probe = self._admit(operation)
        answered = False
        try:
            yield
            answered = True
        except Unavailable:
            self._failed()
            raise
        except Exception:
            answered = True
            raise
        finally:
            if answered:
                self._failures = 0
            if probe:
                self._probing = False

    def _admit(self, operation: str) -> bool:
        with self._guard:
            if not self.open:
                return False
            left = self._until - self._clock()
            if left > 0 or self._probing:
                refused = CircuitOpen(self.service, operation, "it did not answer the last calls", next_step=_NEXT)
                refused.retry_after = max(left, FIRST_PAUSE_SECONDS / 2)
                raise refused
            self._probing = True
            return True

    def _failed(self) -> None:
        with self._guard:
            self._failures += 1
            over = max(0, self._failures - FAILURES)
            self._until = self._clock() + min(FIRST_PAUSE_SECONDS * 2**over, LONGEST_PAUSE_SECONDS)


_NEXT = "Check that the service runs; the request goes on by itself when it is back."


class Breakers:
    """The breakers of one process, one for each service of each region."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._guard = threading.Lock()
        self._known: dict[tuple[str, str], Breaker] = {}

    def of(self, region: str, service: str) -> Breaker:
        """The breaker of a service."""
        with self._guard:
            return self._known.setdefault((region, service), Breaker(service, self._clock))

    def away(self) -> list[tuple[str, str]]:
        """Regions and services that count as away now."""
        with self._guard:
            return sorted(key for key, breaker in self._known.items() if breaker.open)
