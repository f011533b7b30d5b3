"""The orchestrator's tables: submitting, finding among many, and the one read that a page's poll costs."""

import tempfile
from itertools import count
from pathlib import Path

from benchmarks.timing import median
from tripleo_ui import config
from tripleo_ui.orchestration import api
from tripleo_ui.orchestration.store import schema

PERSON = api.Requester("u1", "olga", "p1", "ops", "RegionOne")
REQUESTS = 2000


def measure():
    """Seconds of each call with 2000 requests in the database."""
    numbers = count()
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{Path(folder) / 'bench.sqlite'}"
        config.settings.__dict__["_values"] = config.Settings(database_url=url)
        schema.upgrade()

        def submit():
            return api.submit("overcloud.deploy", PERSON, {"plan": f"plan-{next(numbers)}"})

        last = [submit() for _request in range(REQUESTS)][-1]
        return {
            "requests": REQUESTS,
            "submit_seconds": median(submit, 20),
            "page_of_20_seconds": median(lambda: api.find("p1", limit=20), 20),
            "search_seconds": median(lambda: api.find("p1", search="plan-77"), 20),
            "poll_seconds": median(lambda: api.revision(last.id, "p1"), 50),
        }
