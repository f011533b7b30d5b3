"""A reason of Heat's that repeats a password is told without it, on the timeline and on the deployment's page."""

import time
from dataclasses import replace

import pytest

from tests.orchestration import running
from tests.panels.plans import ALICE, SECRET, deploy, plan
from tripleo_ui import config
from tripleo_ui.orchestration import api
from tripleo_ui.orchestration.api import State
from tripleo_ui.planning import hot, secret_values

URL = "/infrastructure/deployments/plans/demo/"
TOLD = "Error in server: the value '******' is too short"
FAILED = ("CREATE_FAILED", f"Error in server: the value '{SECRET}' is too short")


def follow(request, until):
    end = time.monotonic() + 60
    while time.monotonic() < end:
        found = api.get(request.id, ALICE.project_id)
        if until(found):
            return found
        time.sleep(0.05)
    raise AssertionError(f"{found.state} {found.phase} {found.error}")


@pytest.fixture
def failed(admin, database, monkeypatch):
    """A deployment whose stack fails with a password in its reasons."""
    monkeypatch.setitem(config.settings.__dict__, "_values", replace(config.settings._values, poll_seconds=0.05))
    made = plan(counts={"Controller": 1, "Compute": 1})
    passwords = {name: value for name, value in made.parameters.items() if name.endswith("Password")}
    files = hot.compose(secret_values.generate(replace(made, parameters=passwords)))
    request = deploy(admin.cloud.cloud().plans.save("demo", files))
    with running(admin.cloud.cloud()):
        follow(request, lambda found: found.phase == "poll")
        reason = f"Resource CREATE failed: {FAILED[1]}"
        admin.cloud.heat.stacks["demo"].update(
            stack_status="CREATE_FAILED", stack_status_reason=reason, roles={"Compute": [FAILED]}
        )
        return follow(request, lambda found: not found.active)


def test_a_password_in_a_reason_is_on_no_timeline_in_no_error_and_in_no_database(failed, database):
    assert failed.state is State.FAILED
    assert failed.error["cause"].endswith(TOLD)
    told = [event.message for event in api.events(failed.id, ALICE.project_id)]
    assert any(TOLD in message and message.startswith("demo: CREATE_FAILED") for message in told), told
    for file in database.parent.glob(f"{database.name}*"):
        assert SECRET.encode() not in file.read_bytes()


@pytest.mark.parametrize("tab", ["overview", "servers", "requests"])
def test_a_password_in_a_reason_is_on_no_page(admin, failed, tab):
    page = admin.get(f"{URL}?tab={tab}")

    assert SECRET not in page.html
    assert (TOLD in page.html.replace("&#x27;", "'")) == (tab != "servers")


def test_a_password_that_was_changed_since_is_known_from_the_deployed_revision(admin, failed):
    plans = admin.cloud.cloud().plans
    stored = plans.read("demo")
    files = stored.files | {
        "environment.yaml": stored.files["environment.yaml"].replace(SECRET, "another-password-now"),
    }
    plans.save("demo", files, etag=stored.info.etag)

    assert SECRET not in admin.get(URL).html


def test_a_reason_is_withheld_while_the_plan_cannot_be_read(admin, failed):
    admin.cloud.failures["swift"] = 503

    page = admin.get(URL)

    assert SECRET not in page.html
    assert "reason is withheld" in page.text
