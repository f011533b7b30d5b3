"""A conductor on requests of five steps that do next to nothing: what the machinery itself costs."""

import logging
import tempfile
import threading
import time
from pathlib import Path

from tests.workflow import PHASES, Folder
from tripleo_ui import config
from tripleo_ui.orchestration import api, conductor, workflows
from tripleo_ui.orchestration.store import schema

PERSON = api.Requester("u1", "olga", "p1", "ops", "RegionOne")
REQUESTS = 20


def measure():
    """Seconds of one request alone and of twenty at once, and the processor's share of an idle conductor."""
    logging.disable(logging.CRITICAL)
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{Path(folder) / 'bench.sqlite'}"
        config.settings.__dict__["_values"] = config.Settings(database_url=url, poll_seconds=0.02)
        workflows.MODULES = (*workflows.MODULES, "tests.workflow")
        workflows._all.cache_clear()  # noqa: SLF001
        schema.upgrade()
        cloud = Folder(folder)
        worker = conductor.Conductor("bench", lambda _request: cloud)
        thread = threading.Thread(target=worker.run)
        thread.start()
        try:
            return {
                "steps": len(PHASES),
                "one_request_seconds": round(_run(1), 3),
                "twenty_requests_seconds": round(_run(REQUESTS), 3),
                "idle_processor_share": round(_idle(), 4),
            }
        finally:
            worker.stop()
            thread.join()


def _run(number):
    started = time.perf_counter()
    waiting = {api.submit("test.files", PERSON, {"thing": f"{number}-{index}"}).id for index in range(number)}
    while waiting:
        waiting -= {request for request in waiting if not api.get(request, "p1").active}
        time.sleep(0.02)
    return time.perf_counter() - started


def _idle(seconds=5.0):
    started = time.process_time()
    time.sleep(seconds)
    return (time.process_time() - started) / seconds
