"""Real deployments whose conductors are killed, and whose stacks fail."""

import os
import subprocess
import sys
import time
import uuid
from pathlib import Path

import pytest

from devcloud.layout import PASSWORD, REGION
from tests.cloud import wait_until
from tests.orchestration import wait_for
from tripleo_ui.orchestration import api, workflows
from tripleo_ui.orchestration.api import State
from tripleo_ui.planning import hot, secret_values
from tripleo_ui.planning.plan import Plan, PlanRole
from tripleo_ui.planning.roles import default_role
from tripleo_ui.services.cloud import Cloud

LEASE_SECONDS = 3
PHASES = workflows.latest("overcloud.deploy").phases

NETWORK = """heat_template_version: 2021-04-16
resources:
  net: {type: OS::Neutron::Net}
"""


class Site:
    """The shared cloud as these tests use it: plans, requests, conductors."""

    def __init__(self, admin, database_url):
        access = admin.session.auth.get_access(admin.session)
        self.auth_url = admin.session.auth.auth_url
        self.cloud = Cloud.from_token(
            self.auth_url, access.auth_token, access.project_id, access.service_catalog.catalog, REGION
        )
        self.person = api.Requester(access.user_id, "admin", access.project_id, "admin", REGION)
        self._trustee = admin.identity.find_user("tripleo_ui").id
        self._roles = access.role_names
        self._database_url = database_url
        self.running = []

    def trust(self):
        return self.cloud.keystone.create_trust(self.person.user_id, self._trustee, self.person.project_id, self._roles)

    def trusts(self):
        rest = self.cloud.rest("keystone", "identity")
        query = {"trustor_user_id": self.person.user_id}
        return [item["id"] for item in rest.call("list", "GET", "/OS-TRUST/trusts", params=query).json()["trusts"]]

    def submit(self, workflow, **params):
        return api.submit(workflow, self.person, params, trust_id=self.trust())

    def conductor(self, name):
        values = {
            "DATABASE_URL": self._database_url,
            "AUTH_URL": self.auth_url,
            "SERVICE_PASSWORD": PASSWORD,
            "REGION": REGION,
            "LEASE_SECONDS": str(LEASE_SECONDS),
            "POLL_SECONDS": "0.5",
        }
        process = subprocess.Popen(
            [sys.executable, "-m", "django", "conductor", "--name", name],
            env=os.environ
            | {f"TEST_{key}": value for key, value in values.items()}
            | {"DJANGO_SETTINGS_MODULE": "tests.faults.conductor_settings", "PYTHONPATH": str(Path.cwd())},
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        assert process.stdout.readline() == f"conductor {name} is ready\n".encode()
        self.running.append(process)
        return process

    def kill(self, process):
        process.kill()
        process.wait(10)
        self.running.remove(process)

    def remove(self, name):
        stack = self.cloud.heat.find(name)
        if stack is not None:
            self.cloud.heat.delete(stack)
            wait_until(lambda: self.cloud.heat.find(name) is None, f"{name} is gone")
        self.cloud.plans.delete(name)


@pytest.fixture
def site(admin, database):
    made = Site(admin, database)
    yield made
    for process in list(made.running):
        made.kill(process)


@pytest.fixture
def name(site):
    chosen = f"faults-{uuid.uuid4().hex[:6]}"
    yield chosen
    site.remove(chosen)


def began(request, phase, seconds=90):
    """Wait until the request is in a phase; as close to its beginning as a test can look."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        found = api.get(request.id, request.requester.project_id)
        if found.phase == phase or not found.active:
            return found
        time.sleep(0.005)
    raise AssertionError(f"{found.state} {found.phase} {found.message}, not in {phase}")


@pytest.mark.timeout(400)
def test_conductor_killed_in_every_phase_of_a_deployment(site, name, admin):
    role = default_role("AllInOne")
    plan = Plan(name=name, description="", roles=(PlanRole(role, 1, role.flavor, role.image),))
    info = site.cloud.plans.save(name, hot.compose(secret_values.generate(plan)))
    before = set(site.trusts())
    request = site.submit("overcloud.deploy", plan=name, etag=info.etag)
    names = []
    for phase in PHASES:
        names.append(f"killed in {phase}")
        process = site.conductor(names[-1])
        assert began(request, phase).active, api.get(request.id, site.person.project_id)
        site.kill(process)
    names.append("last")
    site.conductor(names[-1])
    done = wait_for(request, State.SUCCEEDED, State.FAILED, State.NEEDS_ATTENTION, seconds=120)

    assert done.state is State.SUCCEEDED, done
    (stack,) = site.cloud.heat.list(names=[name])
    assert stack.status == "CREATE_COMPLETE"
    (entry,) = api.ledger(request.id, site.person.project_id)
    assert (entry.state, entry.external_id) == ("CREATED", stack.id)
    conductors = [event.conductor for event in api.events(request.id, site.person.project_id) if event.conductor]
    assert list(dict.fromkeys(conductors)) == names
    servers = [server for server in admin.compute.servers() if server.name.startswith(name)]
    assert len(servers) == 1

    gone = site.submit("overcloud.delete", plan=name, delete_plan=True)
    assert wait_for(gone, State.SUCCEEDED, State.FAILED, seconds=120).state is State.SUCCEEDED
    assert site.cloud.heat.find(name) is None
    assert set(site.trusts()) == before


def test_conductor_shows_why_a_stack_failed_and_a_retry_works(site, name, admin):
    quota = admin.network.get_quota(site.person.project_id, details=True).networks
    admin.network.update_quota(site.person.project_id, networks=quota["used"])
    try:
        info = site.cloud.plans.save(name, {"plan.yaml": NETWORK, "environment.yaml": "{}\n"})
        site.conductor("only")
        request = site.submit("overcloud.deploy", plan=name, etag=info.etag)
        failed = wait_for(request, State.FAILED, State.SUCCEEDED, seconds=120)
    finally:
        admin.network.update_quota(site.person.project_id, networks=quota["limit"])

    assert failed.state is State.FAILED
    assert failed.error["service"] == "heat"
    assert failed.error["cause"].startswith("net: ")
    assert "Quota exceeded" in failed.error["cause"]
    assert site.cloud.heat.find(name).status == "CREATE_FAILED"

    api.retry(request.id, site.person)
    done = wait_for(request, State.SUCCEEDED, State.FAILED, seconds=120)
    assert done.state is State.SUCCEEDED, done.error
    assert done.attempt == 2
    assert len(site.cloud.heat.list(names=[name])) == 1


def test_conductor_takes_back_the_stack_of_a_cancelled_request(site, name):
    wait = "  slow: {type: OS::Heat::TestResource, properties: {action_wait_secs: {create: 60}}}\n"
    info = site.cloud.plans.save(name, {"plan.yaml": NETWORK + wait, "environment.yaml": "{}\n"})
    before = set(site.trusts())
    site.conductor("only")
    request = site.submit("overcloud.deploy", plan=name, etag=info.etag)
    began(request, "poll")
    api.cancel(request.id, site.person)
    done = wait_for(request, State.CANCELLED, State.FAILED, State.NEEDS_ATTENTION, seconds=120)

    assert done.state is State.CANCELLED, done.message
    assert site.cloud.heat.find(name) is None
    assert set(site.trusts()) == before


def test_conductor_never_touches_a_stack_of_somebody_else(site, name):
    rest = site.cloud.rest("heat", "orchestration")
    rest.call("create", "POST", "/stacks", json={"stack_name": name, "template": NETWORK})
    wait_until(lambda: not site.cloud.heat.find(name).in_progress, "the stack is complete")
    info = site.cloud.plans.save(name, {"plan.yaml": NETWORK, "environment.yaml": "{}\n"})
    site.conductor("only")
    request = site.submit("overcloud.deploy", plan=name, etag=info.etag)
    failed = wait_for(request, State.FAILED, State.SUCCEEDED, seconds=60)

    assert failed.state is State.FAILED
    assert "not made here" in failed.error["cause"]
    gone = site.submit("overcloud.delete", plan=name)
    assert wait_for(gone, State.FAILED, State.SUCCEEDED, seconds=60).state is State.FAILED
    assert site.cloud.heat.find(name).status == "CREATE_COMPLETE"
