"""A conductor carries requests out, whatever happens on the way."""

import time

import pytest

from tests.orchestration import OPERATOR, database, folder, running, submit, wait_for  # noqa: F401
from tests.workflow import PHASES
from tripleo_ui.orchestration import api, boards
from tripleo_ui.orchestration.api import State

pytestmark = pytest.mark.usefixtures("database")


def kinds(request):
    return [event.kind for event in api.events(request.id, "p1")]


def test_success_makes_everything_once(folder):  # noqa: F811
    request = submit(trust_id="t1")
    with running(folder):
        done = wait_for(request, State.SUCCEEDED)

    assert folder.made(request.id) == sorted(PHASES)
    assert [entry.state for entry in api.ledger(request.id, "p1")] == ["CREATED"] * 5
    assert done.error is None
    assert done.started_at >= done.created_at
    assert done.finished_at >= done.started_at
    assert (folder.path / "trust-t1.deleted").exists()
    assert kinds(request) == ["submit", "start", *["phase"] * 5, "succeed"]


def test_failure_takes_back_exactly_what_was_made(folder):  # noqa: F811
    (folder.path / "other.file").touch()
    (folder.path / "three.fail").touch()
    request = submit()
    with running(folder):
        done = wait_for(request, State.FAILED)

    assert folder.made(request.id) == []
    assert (folder.path / "other.file").exists()
    assert done.error == {
        "service": "folder",
        "operation": "make file",
        "cause": "three was told to fail",
        "next_step": "",
        "request_id": "req-folder",
    }
    assert [(entry.name, entry.state) for entry in api.ledger(request.id, "p1")] == [
        ("one", "DELETED"),
        ("two", "DELETED"),
        ("three", "DELETED"),
    ]


def test_retry_after_failure_succeeds(folder):  # noqa: F811
    (folder.path / "three.fail").touch()
    request = submit()
    with running(folder):
        wait_for(request, State.FAILED)
        (folder.path / "three.fail").unlink()
        api.retry(request.id, OPERATOR)
        done = wait_for(request, State.SUCCEEDED)

    assert done.attempt == 2
    assert folder.made(request.id) == sorted(PHASES)


def test_failed_undo_needs_attention_and_keeps_the_lock_until_it_is_rolled_back(folder):  # noqa: F811
    (folder.path / "three.fail").touch()
    (folder.path / "two.stuck").touch()
    request = submit()
    with running(folder):
        found = wait_for(request, State.NEEDS_ATTENTION)
        assert "it does not go" in found.message
        assert found.actions == {"rollback"}
        assert folder.made(request.id) == ["two"]
        with pytest.raises(api.Locked) as refused:
            submit()
        assert refused.value.holder.id == request.id

        (folder.path / "two.stuck").unlink()
        api.rollback(request.id, OPERATOR)
        wait_for(request, State.FAILED)

    assert folder.made(request.id) == []
    assert submit().state is State.QUEUED


@pytest.mark.parametrize("phase", PHASES)
def test_cancel_in_each_phase_takes_everything_back(folder, phase):  # noqa: F811
    (folder.path / f"{phase}.slow").touch()
    request = submit(trust_id="t1")
    with running(folder):
        until = time.monotonic() + 20
        while phase not in folder.made(request.id) and time.monotonic() < until:
            time.sleep(0.01)
        api.cancel(request.id, OPERATOR)
        done = wait_for(request, State.CANCELLED)

    assert folder.made(request.id) == []
    assert done.error is None
    assert (folder.path / "trust-t1.deleted").exists()
    assert submit().state is State.QUEUED


def test_service_that_is_away_stalls_the_request_until_it_is_back(folder):  # noqa: F811
    (folder.path / "two.away").touch()
    request = submit()
    with running(folder):
        stalled = wait_for(request, State.STALLED)
        assert stalled.error["cause"] == "it is away"
        (folder.path / "two.away").unlink()
        done = wait_for(request, State.SUCCEEDED)

    assert done.error is None
    assert kinds(request).count("stall") == 1


def test_stopped_conductor_leaves_the_request_to_the_next(folder):  # noqa: F811
    (folder.path / "three.slow").touch()
    request = submit()
    with running(folder, "first"):
        until = time.monotonic() + 20
        while "three" not in folder.made(request.id) and time.monotonic() < until:
            time.sleep(0.01)
    assert api.get(request.id, "p1").state is State.RUNNING
    assert boards.configured().waiting(5) == [request.id]

    (folder.path / "three.slow").unlink()
    with running(folder, "second"):
        wait_for(request, State.SUCCEEDED)

    assert folder.made(request.id) == sorted(PHASES)
    assert {event.conductor for event in api.events(request.id, "p1")} == {"", "first", "second"}
    starts = (folder.path / f"{request.id}.log").read_text()
    assert starts.count("make three") == 1
    assert starts.count("start one") == 1


def test_unknown_version_fails_with_what_to_do(folder, monkeypatch):  # noqa: F811
    request = submit()
    monkeypatch.setattr("tripleo_ui.orchestration.workflows.exact", lambda *_: None)
    with running(folder):
        done = wait_for(request, State.FAILED)

    assert "does not know test.files version 1" in done.error["cause"]
    assert done.error["next_step"]


def test_what_a_lost_version_has_made_needs_attention_until_a_conductor_knows_it_again(folder, monkeypatch):  # noqa: F811
    (folder.path / "three.slow").touch()
    request = submit()
    with running(folder, "first"):
        until = time.monotonic() + 20
        while "three" not in folder.made(request.id) and time.monotonic() < until:
            time.sleep(0.01)
    with monkeypatch.context() as patch:
        patch.setattr("tripleo_ui.orchestration.workflows.exact", lambda *_: None)
        with running(folder, "second"):
            left = wait_for(request, State.NEEDS_ATTENTION)
    assert "does not know test.files version 1" in left.message
    assert folder.made(request.id) == ["one", "three", "two"]
    with pytest.raises(api.Locked):
        submit()

    api.rollback(request.id, OPERATOR)
    with running(folder, "third"):
        wait_for(request, State.FAILED)
    assert folder.made(request.id) == []
