"""A conductor on a database of its own, with a workflow whose steps do next to nothing."""

import contextlib
import tempfile
import threading
import time

from tests.workflow import Folder
from tripleo_ui import config
from tripleo_ui.orchestration import api, conductor, workflows
from tripleo_ui.orchestration.store import schema
from tripleo_ui.orchestration.store.engine import engine

PERSON = api.Requester("u1", "olga", "p1", "ops", "RegionOne")
OTHER = api.Requester("u2", "tom", "p2", "tenant", "RegionOne")


@contextlib.contextmanager
def database(url, **settings):
    """The orchestrator's tables in a database, and the settings of this process."""
    values = {"database_url": url, "poll_seconds": 0.02, "project_share": 1.0} | settings
    config.settings.__dict__["_values"] = config.Settings(**values)
    if "tests.workflow" not in workflows.MODULES:
        workflows.MODULES = (*workflows.MODULES, "tests.workflow")
        workflows._all.cache_clear()  # noqa: SLF001
    schema.upgrade()
    try:
        yield
    finally:
        engine(url).dispose()


@contextlib.contextmanager
def working():
    """A conductor in a thread; gives the folder that its workflow makes files in."""
    with tempfile.TemporaryDirectory() as folder:
        cloud = Folder(folder)
        worker = conductor.Conductor("bench", lambda _request: cloud)
        thread = threading.Thread(target=worker.run)
        thread.start()
        try:
            yield cloud
        finally:
            worker.stop()
            thread.join()


def submit(thing, person=PERSON):
    """A request of the test workflow."""
    return api.submit("test.files", person, {"thing": thing}, key=thing)


def until_ended(requests, pause=0.02):
    """Wait until none is active."""
    waiting = {request.id for request in requests}
    while waiting:
        waiting -= {item for item in waiting if not api.get(item, PERSON.project_id).active}
        time.sleep(pause)
