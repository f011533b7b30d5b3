"""Conductors that are killed between what a service made for an instance and its answer: no double, no leak."""

import os
import subprocess
import sys
import uuid
from pathlib import Path

import pytest

from devcloud.layout import PASSWORD, REGION
from tests.fault_proxy import hold
from tests.instances import Tenant, new_project
from tripleo_ui.orchestration import api
from tripleo_ui.orchestration.api import State

CREATES = {
    "placement": r"/allocations$",
    "neutron": r"/v2.0/ports$",
    "cinder": r"/volumes$",
    "nova": r"/servers$",
}


@pytest.fixture(scope="module")
def project(admin):
    with new_project(admin) as made:
        yield made


@pytest.fixture
def tenant(cloud, admin, project, database):
    """A tenant that has nothing before a test, and nothing after it."""
    made = Tenant(cloud, admin, project)
    yield made
    left = made.everything()
    made.clear()
    assert not any(left.values())


@pytest.fixture
def conductor(tenant, database):
    """Starts conductors, each a process of its own, which are gone at the end."""
    running = []

    def start(name, **environment):
        values = {
            "DATABASE_URL": database,
            "AUTH_URL": tenant.auth_url,
            "SERVICE_PASSWORD": PASSWORD,
            "REGION": REGION,
            "LEASE_SECONDS": "3",
            "POLL_SECONDS": "0.5",
        }
        process = subprocess.Popen(
            [sys.executable, "-m", "django", "conductor", "--name", name],
            env=os.environ
            | {f"TEST_{key}": value for key, value in values.items()}
            | {"DJANGO_SETTINGS_MODULE": "tests.faults.conductor_settings", "PYTHONPATH": str(Path.cwd())}
            | environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        running.append(process)
        assert process.stdout.readline() == f"conductor {name} is ready\n".encode()
        return process

    yield start
    for process in running:
        process.kill()
        process.wait(10)


@pytest.mark.timeout(300)
@pytest.mark.parametrize("service", CREATES)
def test_conductor_killed_before_it_hears_of_a_create_leaves_no_double(tenant, cloud, conductor, fault_proxy, service):
    name = f"k-{uuid.uuid4().hex[:6]}"
    port = int(cloud.layout.url(service).rsplit(":", 1)[1])
    first = conductor("first", **fault_proxy.environment())
    with fault_proxy.fault(hold(after=True), port=port, method="POST", path=CREATES[service]) as fault:
        volume = {"size": 1, "type": "memory", "delete": True}
        request = tenant.create(name, count=2, networks=[{"network": "ctlplane"}], volumes=[volume])
        fault.wait(timeout=60, served=True)
        first.kill()
        first.wait(10)
    conductor("second")
    done = tenant.ended(request)

    assert done.state is State.SUCCEEDED, (done.error, done.message)
    # Names of ports, volumes and servers are not unique, so doubles would show in the lists by mark.
    marked = {
        "port": tenant.cloud.neutron.marked(request.id),
        "volume": tenant.cloud.cinder.marked(request.id),
        "server": tenant.cloud.nova.marked(request.id),
    }
    ledger = api.ledger(request.id, tenant.person.project_id)
    for kind, things in marked.items():
        assert len(things) == 2
        made = {entry.external_id for entry in ledger if entry.kind == kind and entry.state == "CREATED"}
        assert made == {each.id for each in things}
    assert tenant.everything()["claimed"]["VCPU"] == 2
    conductors = [event.conductor for event in api.events(request.id, tenant.person.project_id) if event.conductor]
    assert list(dict.fromkeys(conductors)) == ["first", "second"]

    gone = tenant.submit("instance.delete", servers=[each["id"] for each in done.outputs["servers"]])
    assert tenant.ended(gone).state is State.SUCCEEDED
