"""One flow of twelve tasks that do nothing, on TaskFlow's persistence as shipped and on ours: the engine's own cost."""

import time

import sqlalchemy as sa
from taskflow import engines, task
from taskflow.patterns import linear_flow
from taskflow.persistence import backends, models

from benchmarks.orchestration.harness import database
from tripleo_ui.orchestration import persistence
from tripleo_ui.orchestration.store.engine import engine

TASKS = 12
RUNS = 5


class Nothing(task.Task):
    """Does nothing."""

    def execute(self):
        """Do it."""


def measure(url):
    """Milliseconds of a task on each, and how many times slower the stock one is."""
    with database(url):
        ours = persistence.backend(engine(url))
        stock = backends.fetch({"connection": sa.make_url(url).render_as_string(hide_password=False)})
        try:
            pairs = [(_run(ours), _run(stock)) for _run_number in range(RUNS)]
        finally:
            stock.close()
    quick, slow = (sorted(each)[RUNS // 2] for each in zip(*pairs, strict=True))
    return {
        "ours_ms_per_task": round(1000 * quick / TASKS, 2),
        "stock_ms_per_task": round(1000 * slow / TASKS, 2),
        "stock_over_ours": {"value": round(slow / quick, 1), "goal": 7},
    }


def _run(backend):
    flow = linear_flow.Flow("bench").add(*[Nothing(f"task-{number}") for number in range(TASKS)])
    book, detail = models.LogBook("bench"), models.FlowDetail("bench", f"flow-{time.time_ns()}")
    book.add(detail)
    connection = backend.get_connection()
    connection.save_logbook(book)
    connection.close()
    runner = engines.load(flow, flow_detail=detail, book=book, backend=backend, engine="serial")
    started = time.perf_counter()
    runner.run()
    return time.perf_counter() - started
