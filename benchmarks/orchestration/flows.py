"""Requests of five steps that do next to nothing, submitted and carried out: what the machinery itself costs."""

import time

from benchmarks.orchestration.harness import database, submit, until_ended, working
from tests.workflow import PHASES

REQUESTS = 40


def measure(url):
    """Requests per second and processor seconds of each; submitting is measured with them in the database."""
    with database(url):
        submitting = [_timed(lambda number=number: submit(f"waits-{number}")) for number in range(REQUESTS)]
        with working():
            until_ended([request for _wall, _processor, request in submitting])
            wall, processor, _nothing = _timed(_run)
            idle = _idle()
    walls, processors, _requests = zip(*submitting, strict=True)
    return {
        "steps": len(PHASES),
        "requests_per_second": round(REQUESTS / wall, 1),
        "processor_ms_per_request": round(1000 * processor / REQUESTS, 1),
        "submit_ms": round(1000 * sorted(walls)[REQUESTS // 2], 2),
        "submit_processor_ms": {"value": round(1000 * sum(processors) / REQUESTS, 2), "goal": 15},
        "idle_processor_share": round(idle, 4),
    }


def _run():
    until_ended([submit(f"runs-{number}") for number in range(REQUESTS)])


def _timed(call):
    wall, processor = time.perf_counter(), time.process_time()
    result = call()
    return time.perf_counter() - wall, time.process_time() - processor, result


def _idle(seconds=5.0):
    started = time.process_time()
    time.sleep(seconds)
    return (time.process_time() - started) / seconds
