"""Fixtures and helpers for the orchestrator's tests: a database of their own, and the test workflow."""

import atexit
import shutil
import tempfile
import threading
import time
import uuid
from contextlib import ExitStack, contextmanager, nullcontext
from functools import cache
from pathlib import Path

import pytest

from tests import workflow
from tests.servers import database_of
from tripleo_ui import config
from tripleo_ui.orchestration import api, chores, conductor, workflows
from tripleo_ui.orchestration.store import engine as engines
from tripleo_ui.orchestration.store import schema

OPERATOR = api.Requester("u1", "olga", "p1", "ops", "RegionOne")
OTHER = api.Requester("u2", "tom", "p2", "tenant", "RegionOne")
#: Where requests and leases are kept; Redis has the leases only, and PostgreSQL the rest.
BOARDS = ("sqlite", "postgresql", "redis")
_TEMPLATES = ExitStack()


@pytest.fixture
def database(request, tmp_path, monkeypatch):
    """An empty database with our tables; settings as quick as tests want them. Its parameter may be one of BOARDS."""
    kind = getattr(request, "param", "sqlite")
    server = request.getfixturevalue("postgresql_url") if kind != "sqlite" else ""
    board = f"{request.getfixturevalue('redis_url')}?namespace={uuid.uuid4().hex}" if kind == "redis" else ""
    with set_up(monkeypatch, tmp_path, server, board) as url:
        yield url


@contextmanager
def set_up(patch, folder, server="", board_url=""):
    """Use an empty database with our tables: SQLite in a folder, or one of a PostgreSQL; gives its URL."""
    if server:
        made = database_of(server, template=_postgresql_template(server))
    else:
        path = folder / "ours.sqlite"
        shutil.copy(_sqlite_template(), path)
        made = nullcontext(f"sqlite:///{path}")
    with made as url:
        quick = config.Settings(
            database_url=url,
            board_url=board_url,
            lease_seconds=2.0,
            poll_seconds=0.02,
            workers=4,
            step_deadline_seconds=30,
        )
        patch.setitem(config.settings.__dict__, "_values", quick)
        patch.setattr(conductor, "IDLE_SECONDS", 0.05)
        patch.setattr(workflows, "MODULES", (*workflows.MODULES, "tests.workflow"))
        workflows._all.cache_clear()
        yield url
        engines.engine(url).dispose()
        workflows._all.cache_clear()


@cache
def _sqlite_template():
    folder = Path(tempfile.mkdtemp(prefix="tripleo-ui-template-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    _make_tables(f"sqlite:///{folder / 'ours.sqlite'}")
    return folder / "ours.sqlite"


@cache
def _postgresql_template(server):
    """The name of a database with tables; it goes with its server."""
    url = _TEMPLATES.enter_context(database_of(server))
    _make_tables(url)
    return url.rpartition("/")[2]


def _make_tables(url):
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(config.settings.__dict__, "_values", config.Settings(database_url=url))
        schema.upgrade()
    engines.engine(url).dispose()


@pytest.fixture
def folder(tmp_path):
    """The test workflow's cloud."""
    path = tmp_path / "cloud"
    path.mkdir()
    return workflow.Folder(path)


def submit(thing="lamp", requester=OPERATOR, workflow="test.files", params=None, **more):
    return api.submit(workflow, requester, {"thing": thing, **(params or {})}, **more)


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
