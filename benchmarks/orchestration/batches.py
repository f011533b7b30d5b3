"""200 creates of 20 ms within one step, against what 20 threads could do at best."""

import time
from concurrent.futures import ThreadPoolExecutor

from benchmarks.orchestration.harness import PERSON, database, submit
from tripleo_ui.config import settings
from tripleo_ui.orchestration import api, batch, boards
from tripleo_ui.orchestration.context import Context

THINGS = 200
SECONDS = 0.02
THREADS = 20
RUNS = 5


def measure(url):
    """Seconds of the batch, of the same sleeps on a bare pool, and the batch's share over the ideal."""
    with database(url):
        pairs = [(_batch(number), _bare()) for number in range(RUNS)]
    ours, bare = (sorted(each)[RUNS // 2] for each in zip(*pairs, strict=True))
    ideal = THINGS / THREADS * SECONDS
    return {
        "creates": THINGS,
        "threads": THREADS,
        "ideal_seconds": ideal,
        "bare_pool_seconds": round(bare, 3),
        "seconds": round(ours, 3),
        "over_ideal": {"value": round(ours / ideal, 2), "goal": 1.25},
    }


def _batch(number):
    request = submit(f"batch-{number}")
    claim = boards.configured().claim(request.id, "bench", settings.lease_seconds)
    found = api.get(request.id, PERSON.project_id)
    context = Context(claim, found, cloud=None, poll_seconds=1, deadline_seconds=60)
    context.move("start", "Started.")
    things = [("bench", "thing", f"thing-{item}") for item in range(THINGS)]
    started = time.perf_counter()
    batch.make_all(context, things, _make, THREADS)
    return time.perf_counter() - started


def _make(entry):
    time.sleep(SECONDS)
    return entry.name


def _bare():
    started = time.perf_counter()
    with ThreadPoolExecutor(THREADS) as pool:
        list(pool.map(time.sleep, [SECONDS] * THINGS))
    return time.perf_counter() - started
