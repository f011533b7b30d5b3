"""How long a call takes: the median of several, after one that does not count."""

import statistics
import time


def median(call, runs=5):
    """Median seconds of a call."""
    call()
    seconds = []
    for _run in range(runs):
        started = time.perf_counter()
        call()
        seconds.append(time.perf_counter() - started)
    return round(statistics.median(seconds), 6)
