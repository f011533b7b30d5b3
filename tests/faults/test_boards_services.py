"""Services that hang, and things that are somebody else's, on each board."""

from dataclasses import replace

import pytest

from tests.faults.test_conductor_kill import check_world, ran, until
from tests.orchestration import BOARDS, running, submit, wait_for
from tests.workflow import PHASES
from tripleo_ui import config
from tripleo_ui.config import settings
from tripleo_ui.orchestration import api, context
from tripleo_ui.orchestration.api import State

pytestmark = pytest.mark.parametrize("database", BOARDS, indirect=True)


@pytest.fixture
def impatient(database, monkeypatch):
    """Leases and deadlines of less than a second."""
    quick = replace(settings._values, lease_seconds=0.6, step_deadline_seconds=0.6)
    monkeypatch.setitem(config.settings.__dict__, "_values", quick)
    monkeypatch.setattr(context, "OVERTIME_SECONDS", 0.4)


def test_service_that_does_not_end_fails_the_request_at_the_deadline_and_leaves_nothing(impatient, folder):
    (folder.path / "three.slow").touch()
    request = submit()
    with running(folder):
        done = wait_for(request, State.FAILED)
    assert "did not end within" in done.error["cause"]
    assert folder.made(request.id) == []
    check_world(folder, [request])


def test_call_that_hangs_far_past_the_deadline_is_followed_by_another_try(impatient, folder):
    (folder.path / "three.hang").touch()
    with running(folder, "first"), running(folder, "second"):
        request = submit()
        until(lambda: "takeover" in [event.kind for event in api.events(request.id, "p1")])
        (folder.path / "three.hang").unlink()
        wait_for(request, State.SUCCEEDED)
    assert folder.made(request.id) == sorted(PHASES)
    assert ran(folder, request)["make", "three"] == 1
    check_world(folder, [request])


def test_thing_of_somebody_else_is_never_adopted_and_never_deleted(database, folder):
    request = submit()
    foreign = folder.file(request.id, "three")
    foreign.write_text("a customer's")
    with running(folder):
        done = wait_for(request, State.FAILED)
    assert "somebody else's" in done.error["cause"]
    assert foreign.read_text() == "a customer's"
    assert folder.made(request.id) == ["three"]
    check_world(folder, [request])
