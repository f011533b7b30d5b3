"""Trusts end with their requests, whoever ends these and whatever is away at the time."""

import pytest

from tests.orchestration import OPERATOR, database, folder, running, submit, wait_for  # noqa: F401
from tripleo_ui.orchestration import api, trusts
from tripleo_ui.orchestration.api import State
from tripleo_ui.services.errors import Unavailable

pytestmark = pytest.mark.usefixtures("database")


def deleted(folder):  # noqa: F811
    return sorted(path.name.removeprefix("trust-").removesuffix(".deleted") for path in folder.path.glob("trust-*"))


def test_sweep_deletes_those_of_requests_that_ended_in_the_queue(folder):  # noqa: F811
    cancelled, expired = (submit(name, trust_id=name) for name in ("cancelled", "expired"))
    api.cancel(cancelled.id, OPERATOR)
    assert api.expire(3600) == []
    assert api.expire(-1) == [expired.id]
    waits = submit("waits", trust_id="waits")
    trusts.sweep(lambda _request: folder)
    assert deleted(folder) == ["cancelled", "expired"]
    assert api.get(cancelled.id, "p1").trust_id == ""
    assert api.get(waits.id, "p1").trust_id == "waits"


def test_sweep_tries_again_while_keystone_is_away(folder, monkeypatch):  # noqa: F811
    request = submit(trust_id="t1")
    api.cancel(request.id, OPERATOR)

    def away(_trust):
        raise Unavailable("keystone", "delete trust", "no connection to the service")

    with monkeypatch.context() as patch:
        patch.setattr(folder, "delete_trust", away)
        trusts.sweep(lambda _request: folder)
    assert api.get(request.id, "p1").trust_id == "t1"
    trusts.sweep(lambda _request: folder)
    assert deleted(folder) == ["t1"]


def test_trusts_of_earlier_tries_go_with_the_last(folder):  # noqa: F811
    (folder.path / "three.fail").touch()
    (folder.path / "two.stuck").touch()
    request = submit(trust_id="t1")
    with running(folder):
        wait_for(request, State.NEEDS_ATTENTION)
        assert deleted(folder) == []
        (folder.path / "two.stuck").unlink()
        api.rollback(request.id, OPERATOR, trust_id="t2")
        wait_for(request, State.FAILED)
    assert deleted(folder) == ["t1", "t2"]
    assert [entry.state for entry in api.ledger(request.id, "p1") if entry.kind == "trust"] == ["DELETED"]


def test_stack_that_lives_keeps_its_trust(folder):  # noqa: F811
    from tests.unit.test_orchestration_batch import take

    request = submit(trust_id="t1")
    context = take(request)
    context.move("start", "Started.")
    context.settle(context.intent("heat", "stack", "overcloud"), "CREATED", "stack-1")
    context.move("succeed", "Done.")
    trusts.sweep(lambda _request: folder)
    assert deleted(folder) == []
    assert trusts.of_target(context) == ["t1"]
    trusts.forget("t1")
    assert trusts.of_target(context) == []
