"""A thousand requests in the queue: how fast they drain, and whether memory stays where it was."""

import gc
import time

import psutil

from benchmarks.orchestration.harness import database, submit, until_ended, working

REQUESTS = 1000


def measure(url):
    """Requests per second, and resident memory after the first tenth and at the end."""
    with database(url):
        requests = [submit(f"queued-{number}") for number in range(REQUESTS)]
        early = REQUESTS // 10
        with working():
            until_ended(requests[:early], pause=0.1)
            first, started = _memory(), time.perf_counter()
            until_ended(requests[early:], pause=0.25)
            seconds, last = time.perf_counter() - started, _memory()
    return {
        "requests": REQUESTS,
        "requests_per_second": round((REQUESTS - early) / seconds, 1),
        "memory_mib_after_a_tenth": first,
        "memory_mib_at_the_end": last,
        "growth": {"value": round(last / first, 3), "goal": 1.1},
    }


def _memory():
    gc.collect()
    return psutil.Process().memory_info().rss // 2**20
