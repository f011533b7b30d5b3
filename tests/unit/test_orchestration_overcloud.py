"""Deployments and undeployments: what they make, refuse, keep and take back."""

import pytest

from tests.orchestration import OPERATOR, database, wait_for  # noqa: F401
from tests.overcloud import AWAY, LONG, NAME, cloud, conductor, deploy, ended, files, polls, undeploy  # noqa: F401
from tripleo_ui.orchestration import api
from tripleo_ui.orchestration.api import State
from tripleo_ui.services.heat import TAG

pytestmark = pytest.mark.usefixtures("database")
# ruff: noqa: F811 - pytest hands fixtures in by their names


def test_deployment_makes_one_stack_and_keeps_its_trust(cloud, conductor):
    done = ended(deploy())

    assert done.state is State.SUCCEEDED, done.error
    stack = cloud.stacks()[NAME]
    assert stack.status == "CREATE_COMPLETE"
    assert set(stack.tags) == {TAG, f"{TAG}:{done.id}:1"}
    assert done.outputs == {"stack_id": stack.id, "stack_status": "CREATE_COMPLETE"}
    assert done.done == done.total == 3
    assert cloud.calls("keystone.delete_trust") == []
    assert [event.phase for event in api.events(done.id, "p1") if event.kind == "phase"] == list(done.phases)


def test_failed_stack_is_updated_by_a_retry_and_undeploy_ends_all_trusts(cloud, conductor):
    cloud.turn(failure="No valid host was found.")
    failed = ended(deploy())
    assert failed.state is State.FAILED
    assert failed.error["cause"] == "Controller → 0 → server: No valid host was found."
    assert failed.error["next_step"]

    cloud.turn(failure="")
    api.retry(failed.id, OPERATOR, trust_id="t2")
    done = ended(failed)
    assert done.state is State.SUCCEEDED
    assert done.error is None
    assert (len(cloud.calls("heat.create")), len(cloud.calls("heat.update"))) == (1, 1)
    assert cloud.calls("keystone.delete_trust") == []

    gone = ended(undeploy(delete_plan=True))
    assert gone.state is State.SUCCEEDED, gone.error
    assert cloud.stacks() == {}
    assert [len(cloud.calls("keystone.delete_trust", trust)) for trust in ("t1", "t2", "t9")] == [1, 1, 1]
    assert len(cloud.calls("swift.delete", NAME)) == 1
    assert api.get(failed.id, "p1").trust_id == ""


def test_undeploy_without_a_stack_is_done(cloud, conductor):
    assert ended(undeploy()).state is State.SUCCEEDED
    assert cloud.calls("heat.delete") == cloud.calls("swift.delete") == []


def test_deletion_that_fails_says_why_and_can_be_retried(cloud, conductor):
    cloud.store_stack(NAME, (TAG,))
    cloud.turn(faults={"heat.delete": ["error", 1]})
    failed = ended(undeploy())
    assert failed.state is State.FAILED
    assert (failed.error["cause"], failed.error["request_id"]) == ("the service is broken", "req-1")

    api.retry(failed.id, OPERATOR, trust_id="t10")
    assert ended(failed).state is State.SUCCEEDED
    assert cloud.stacks() == {}


def test_second_deployment_updates_the_stack_and_keeps_the_tags_of_others(cloud, conductor):
    stack_id = cloud.store_stack(NAME, (TAG, f"{TAG}:older:1", "customer"))
    done = ended(deploy())

    assert done.state is State.SUCCEEDED
    stack = cloud.stacks()[NAME]
    assert (stack.id, stack.status) == (stack_id, "UPDATE_COMPLETE")
    assert set(stack.tags) == {TAG, "customer", f"{TAG}:{done.id}:1"}
    assert cloud.calls("heat.create") == []


@pytest.mark.parametrize("workflow", [deploy, undeploy])
def test_stack_of_somebody_else_is_never_touched(cloud, conductor, workflow):
    stack_id = cloud.store_stack(NAME, ("customer",))
    done = ended(workflow())

    assert done.state is State.FAILED
    assert "not made here" in done.error["cause"]
    assert cloud.stacks()[NAME].id == stack_id
    for operation in ("heat.create", "heat.update", "heat.delete", "heat.cancel"):
        assert cloud.calls(operation) == []


@pytest.mark.parametrize("operation", ["swift.read", "glance.images", "heat.preview", "heat.create"])
def test_cancel_before_there_is_a_stack_makes_none(cloud, conductor, operation):
    cloud.turn(faults={operation: AWAY})
    request = deploy()
    wait_for(request, State.STALLED)
    api.cancel(request.id, OPERATOR)

    assert ended(request).state is State.CANCELLED
    assert cloud.stacks() == {}
    assert cloud.calls("keystone.delete_trust", "t1") == ["c1"]


def test_deletion_that_fails_at_first_is_tried_again(cloud, conductor):
    cloud.turn(duration=LONG)
    request = polls(deploy())
    cloud.turn(duration=0.05, faults={"delete.end": ["error", 2]})
    api.cancel(request.id, OPERATOR)

    assert ended(request).state is State.CANCELLED
    assert cloud.stacks() == {}
    assert len(cloud.calls("heat.delete")) == 3


def test_deletion_that_always_fails_needs_attention_and_says_why(cloud, conductor):
    cloud.turn(duration=LONG)
    request = polls(deploy())
    cloud.turn(duration=0.05, faults={"delete.end": AWAY})
    api.cancel(request.id, OPERATOR)

    found = ended(request)
    assert found.state is State.NEEDS_ATTENTION
    assert "Build of instance aborted" in found.message


def test_cancelled_update_goes_back_and_keeps_the_stack(cloud, conductor):
    cloud.store_stack(NAME, (TAG,))
    cloud.turn(duration=LONG)
    request = polls(deploy())
    cloud.turn(duration=0.05)
    api.cancel(request.id, OPERATOR)

    assert ended(request).state is State.CANCELLED
    assert cloud.stacks()[NAME].status == "ROLLBACK_COMPLETE"
    assert cloud.calls("heat.delete") == []


@pytest.mark.parametrize(
    ("knob", "service", "cause"),
    [
        ({"images": []}, "glance", "overcloud-control"),
        ({"flavors": []}, "nova", "baremetal-control"),
        ({"nodes": 0}, "ironic", "1 nodes of flavor baremetal-control are wanted and 0 are free"),
    ],
)
def test_what_is_missing_is_named_before_anything_is_made(cloud, conductor, knob, service, cause):
    cloud.turn(**knob)
    done = ended(deploy())

    assert done.state is State.FAILED
    assert done.error["service"] == service
    assert cause in done.error["cause"]
    assert api.ledger(done.id, "p1") == []
    assert cloud.calls("heat.create") == []


def test_plan_that_was_saved_since_is_not_deployed(cloud, conductor, files):
    cloud.store_plan(NAME, files, etag="1-second")
    done = ended(deploy())

    assert done.state is State.FAILED
    assert "not the one that was submitted" in done.error["cause"]


def test_no_secret_of_the_plan_reaches_the_database(cloud, conductor, files, database):
    import sqlite3

    import yaml

    request = deploy()
    ended(request)
    values = yaml.safe_load(files["environment.yaml"])["parameters"]
    secrets = [str(value) for name, value in values.items() if "Password" in name and value]
    assert secrets
    connection = sqlite3.connect(database.removeprefix("sqlite:///"))
    stored = "\n".join(connection.iterdump())
    connection.close()
    assert request.id in stored
    assert [secret for secret in secrets if secret in stored] == []
