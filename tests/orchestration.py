"""Fixtures and helpers for the orchestrator's tests: a database of their own, and the test workflow."""

import threading
import time
from contextlib import contextmanager

import pytest

from tests import workflow
from tripleo_ui import config
from tripleo_ui.orchestration import api, chores, conductor, workflows
from tripleo_ui.orchestration.store import engine as engines
from tripleo_ui.orchestration.store import schema

OPERATOR = api.Requester("u1", "olga", "p1", "ops", "RegionOne")
OTHER = api.Requester("u2", "tom", "p2", "tenant", "RegionOne")


@pytest.fixture
def database(tmp_path, monkeypatch):
    """An empty database with our tables; settings as quick as tests want them."""
    url = f"sqlite:///{tmp_path / 'ours.sqlite'}"
    quick = config.Settings(database_url=url, lease_seconds=2.0, poll_seconds=0.02, workers=4, step_deadline_seconds=30)
    monkeypatch.setitem(config.settings.__dict__, "_values", quick)
    monkeypatch.setattr(workflows, "MODULES", (*workflows.MODULES, "tests.workflow"))
    workflows._all.cache_clear()
    schema.upgrade()
    yield url
    engines.engine(url).dispose()
    workflows._all.cache_clear()


@pytest.fixture
def folder(tmp_path):
    """The test workflow's cloud."""
    path = tmp_path / "cloud"
    path.mkdir()
    return workflow.Folder(path)


def submit(thing="lamp", requester=OPERATOR, **more):
    return api.submit("test.files", requester, {"thing": thing}, **more)


@contextmanager
def running(folder, name="conductor-1"):
    """A conductor in a thread."""
    made = conductor.Conductor(name, lambda _request: folder, chores.standard(lambda _request: folder))
    thread = threading.Thread(target=made.run, daemon=True)
    thread.start()
    try:
        yield made
    finally:
        made.stop()
        thread.join(20)
        assert not thread.is_alive()


def wait_for(request, *states, seconds=30):
    """The request, as soon as it is in one of the states."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        found = api.get(request.id, request.requester.project_id)
        if found.state in states:
            return found
        time.sleep(0.02)
    raise AssertionError(f"{found.state} {found.phase} {found.message}, not {states}")
