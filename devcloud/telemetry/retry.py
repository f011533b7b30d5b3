"""Waits between attempts at something that other services may not be ready for."""

import itertools
from collections.abc import Iterator

LONGEST_SECONDS = 60.0


def pauses(first: float = 1.0, longest: float = LONGEST_SECONDS) -> Iterator[float]:
    """Yield seconds to wait, twice as many each time, without an end."""
    for power in itertools.count():
        pause = first * 2 ** min(power, 16)
        yield min(pause, longest)
