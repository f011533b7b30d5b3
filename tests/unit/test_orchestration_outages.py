"""Deployments while services are away, slow, or lose an answer, and while conductors hang or die."""

from dataclasses import replace

import pytest

from tests.faults.simulation import SimulatedCloud
from tests.orchestration import OPERATOR, database, running, wait_for  # noqa: F401
from tests.overcloud import AWAY, LONG, NAME, cloud, conductor, deploy, ended, files, impatient, kinds, polls  # noqa: F401
from tripleo_ui import config
from tripleo_ui.orchestration import api, step
from tripleo_ui.orchestration.api import State

pytestmark = pytest.mark.usefixtures("database")
# ruff: noqa: F811 - pytest hands fixtures in by their names


def test_lost_answer_of_a_creation_makes_no_second_stack(cloud, conductor):
    cloud.turn(faults={"heat.create": ["lose", 1]})
    done = ended(deploy())

    assert done.state is State.SUCCEEDED
    assert len(cloud.calls("heat.create")) == 1
    (entry,) = api.ledger(done.id, "p1")
    assert (entry.state, entry.external_id) == ("CREATED", cloud.stacks()[NAME].id)


@pytest.mark.parametrize("operation", ["swift.read", "ironic.nodes", "heat.preview", "heat.resources"])
def test_service_that_is_away_for_a_while_fails_nothing(cloud, conductor, operation):
    cloud.turn(faults={operation: ["refuse", step.PATIENCE + 1]})
    done = ended(deploy())

    assert done.state is State.SUCCEEDED
    assert done.error is None
    assert kinds(done).count("stall") == 1


def test_poll_that_works_again_is_stalled_no_more_while_it_goes_on(cloud, conductor):
    cloud.turn(faults={"heat.resources": ["refuse", step.PATIENCE]}, duration=LONG)
    request = deploy()
    while "stall" not in kinds(request):
        assert api.get(request.id, "p1").active
    back = wait_for(request, State.RUNNING)

    assert back.phase == "poll"
    assert back.error is None
    assert cloud.stacks()[NAME].in_progress


def test_service_that_stays_away_past_the_deadline_fails_the_request_with_the_cause(cloud, impatient):
    cloud.turn(faults={"nova.flavors": AWAY})
    with running(SimulatedCloud(cloud.path, "c1")):
        done = ended(deploy())

    assert done.state is State.FAILED
    assert (done.error["service"], done.error["operation"]) == ("nova", "nova.flavors")
    assert cloud.stacks() == {}


def test_stack_that_never_ends_fails_the_request_at_the_deadline_and_is_kept(cloud, impatient):
    cloud.turn(duration=LONG)
    with running(SimulatedCloud(cloud.path, "c1")):
        done = ended(deploy())

    assert done.state is State.FAILED
    assert "did not end within" in done.error["cause"]
    assert cloud.stacks()[NAME].status == "CREATE_IN_PROGRESS"


def test_stack_of_somebody_else_that_appears_meanwhile_is_left_alone(cloud, conductor):
    cloud.turn(faults={"heat.preview": AWAY})
    request = deploy()
    wait_for(request, State.STALLED)
    cloud.store_stack(NAME, ("customer",))
    cloud.turn(faults={})

    assert ended(request).state is State.FAILED
    assert cloud.calls("heat.update") == cloud.calls("heat.delete") == []


def test_cancel_while_heat_creates_takes_the_stack_back_through_an_outage(cloud, conductor):
    cloud.turn(duration=LONG)
    request = polls(deploy())
    cloud.turn(duration=0.05, faults={"heat.delete": ["refuse", step.PATIENCE + 1]})
    api.cancel(request.id, OPERATOR)
    done = ended(request)

    assert done.state is State.CANCELLED, done.message
    assert cloud.stacks() == {}
    assert [entry.state for entry in api.ledger(request.id, "p1")] == ["DELETED"]
    assert len(cloud.calls("heat.delete")) == 1


def test_undo_that_does_not_end_needs_attention_at_the_deadline(cloud, impatient):
    cloud.turn(duration=LONG)
    with running(SimulatedCloud(cloud.path, "c1")):
        request = polls(deploy())
        api.cancel(request.id, OPERATOR)
        found = ended(request)
        assert found.state is State.NEEDS_ATTENTION
        assert "DELETE_IN_PROGRESS" in found.message

        cloud.turn(duration=0.05)
        api.rollback(request.id, OPERATOR)
        assert ended(request).state is State.CANCELLED
    assert cloud.stacks() == {}


def test_request_that_conductors_keep_dying_at_is_given_up_and_can_be_retried(cloud, monkeypatch):
    from tripleo_ui.orchestration import boards, execution
    from tripleo_ui.orchestration import conductor as conductors
    from tripleo_ui.orchestration.errors import Fenced

    def dying(*_arguments):
        raise Fenced

    monkeypatch.setattr(execution, "MOST_CLAIMS", 2)
    request = deploy()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(execution, "_run", dying)
        for number in range(3):
            made = conductors.Conductor(f"dying-{number}", lambda _request: SimulatedCloud(cloud.path, "dying"))
            claim = boards.configured().claim(request.id, made.name, 60)
            with pytest.raises(Fenced):
                execution.carry_out(made._context(claim))
            boards.configured().release(claim)
    with running(SimulatedCloud(cloud.path, "c1")):
        given_up = ended(request)
        assert given_up.state is State.FAILED
        assert "every conductor" in given_up.error["cause"]
        api.retry(request.id, OPERATOR)
        assert ended(request).state is State.SUCCEEDED


def test_lease_of_a_step_that_hangs_far_past_its_deadline_is_not_renewed(cloud, monkeypatch):
    from tripleo_ui.orchestration import context

    quick = replace(config.settings._values, lease_seconds=0.6)
    monkeypatch.setitem(config.settings.__dict__, "_values", quick)
    monkeypatch.setattr(context, "OVERTIME_SECONDS", 1.0 - quick.step_deadline_seconds)
    cloud.turn(faults={"heat.create": ["hang", 1]}, hang=4.0)
    with running(SimulatedCloud(cloud.path, "hangs")), running(SimulatedCloud(cloud.path, "helps"), "conductor-2"):
        request = deploy()
        done = ended(request)

    assert done.state is State.SUCCEEDED, done.error
    assert "takeover" in kinds(done)
    assert len(cloud.calls("heat.create")) == 1
