"""Fixtures and helpers for tests that deploy on a simulated cloud."""

from dataclasses import replace

import pytest

from tests.faults.simulation import SimulatedCloud, Simulation
from tests.orchestration import OPERATOR, running, wait_for
from tripleo_ui import config
from tripleo_ui.orchestration import api, step
from tripleo_ui.orchestration.api import State
from tripleo_ui.planning import hot, secret_values
from tripleo_ui.planning.plan import Plan, PlanRole
from tripleo_ui.planning.roles import default_role

NAME = "overcloud"
LONG = 30.0
AWAY = ["refuse", 10**6]


@pytest.fixture(scope="module")
def files():
    plan = Plan(name=NAME, roles=(PlanRole(default_role("AllInOne"), 1, "baremetal-control", "overcloud-control"),))
    return hot.compose(secret_values.generate(plan))


@pytest.fixture
def cloud(tmp_path, files, monkeypatch):
    monkeypatch.setattr(step, "_pause", lambda *_: 0.02)
    made = Simulation(tmp_path / "cloud.sqlite")
    made.turn(duration=0.05)
    made.store_plan(NAME, files)
    return made


@pytest.fixture
def conductor(cloud):
    with running(SimulatedCloud(cloud.path, "c1")) as made:
        yield made


@pytest.fixture
def impatient(monkeypatch):
    """A deadline that a test can wait for."""
    quick = replace(config.settings._values, step_deadline_seconds=0.3, lease_seconds=0.6)
    monkeypatch.setitem(config.settings.__dict__, "_values", quick)


def deploy():
    return api.submit("overcloud.deploy", OPERATOR, {"plan": NAME, "etag": "1-first"}, trust_id="t1")


def undeploy(**params):
    return api.submit("overcloud.delete", OPERATOR, {"plan": NAME, **params}, trust_id="t9")


def ended(request):
    return wait_for(request, State.SUCCEEDED, State.FAILED, State.CANCELLED, State.NEEDS_ATTENTION)


def polls(request):
    """Wait until the request follows its stack."""
    while api.get(request.id, "p1").phase != "poll":
        assert api.get(request.id, "p1").active
    return request


def kinds(request):
    return [event.kind for event in api.events(request.id, "p1")]
