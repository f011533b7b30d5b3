"""The cluster's time: the machine's, shifted, or standing still until it is told to go on."""

import datetime as dt
import time


class Clock:
    """Seconds since the epoch, for everything that a cluster dates or waits for."""

    def __init__(self) -> None:
        self._shift = 0.0
        self._stopped: float | None = None

    def now(self) -> float:
        """Return the time."""
        return time.time() + self._shift if self._stopped is None else self._stopped

    def stop(self) -> None:
        """Stand still."""
        self._stopped = self.now()

    def run(self) -> None:
        """Go on from where it stands."""
        if self._stopped is not None:
            self._shift = self._stopped - time.time()
            self._stopped = None

    def advance(self, seconds: float) -> None:
        """Jump ahead."""
        if self._stopped is None:
            self._shift += seconds
        else:
            self._stopped += seconds

    def stamp(self, moment: float | None = None) -> str:
        """Return a time, or the present one, as objects have it: in whole seconds."""
        seconds = self.now() if moment is None else moment
        return dt.datetime.fromtimestamp(seconds, dt.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def seconds(stamp: str) -> float:
    """Return the seconds since the epoch of a stamp."""
    return dt.datetime.fromisoformat(stamp).timestamp()
