"""Cloud services of an operator's own, from the wizard's steps to the deployment."""

import time

import pytest

from tests.orchestration import running
from tests.panels import walk
from tests.panels.plans import ALICE
from tests.unit.test_planning_services import LICENSES
from tripleo_ui.orchestration import api
from tripleo_ui.planning import hot, services

SERVICES = "Controller-1.service"


@pytest.fixture
def file(tmp_path):
    """The description of an operator's service."""
    folder = tmp_path / "services"
    folder.mkdir()
    (folder / "licenses.yaml").write_text(LICENSES)
    services.use([folder])
    yield folder / "licenses.yaml"
    services.use([])
    services._read_all.cache_clear()


def test_it_goes_through_the_wizard_and_the_deployments_checks(admin, file, monkeypatch):
    key = walk.begin(admin)
    walk.press(admin, key, "name", {"name": "demo"})
    page, posted = walk.shown(admin, key, "roles")
    assert "Licenses" in page.text
    walk.press(admin, key, "roles", {SERVICES: [*posted[SERVICES], "licenses"]})
    walk.press(admin, key, "counts", walk.COUNTS)
    walk.press(admin, key, "parameters")
    assert "1 resource created" in admin.get(f"{walk.url(key, 'review')}?preview=1").text
    walk.finish(admin, key)

    stored = admin.cloud.cloud().plans.read("demo").files
    plan = hot.parse(stored)
    assert not plan.foreign
    assert "licenses" in [choice.service for choice in plan.roles[0].role.services]
    assert plan.parameters["Controller-1::LicensePassword"]
    (request,) = api.find(ALICE.project_id).items
    with running(admin.cloud.cloud()):
        assert "validate" in passed(request)


def passed(request):
    """The phases that came to their end, once there is one that did not or the stack is made."""
    for _round in range(600):
        found = api.get(request.id, ALICE.project_id)
        if not found.active or found.phase in {"create", "poll"}:
            break
        time.sleep(0.05)
    assert found.phase != "validate", found.error
    return found.phases[: found.phases.index(found.phase)]


def test_a_broken_description_is_named_and_the_rest_of_the_panel_works(admin, file):
    key = walk.begin(admin)
    file.write_text("key: licenses\n")
    services._read_all.cache_clear()

    page = admin.get(walk.url(key, "roles"), status=500)

    assert f"{file}:1: label is missing" in page.text
    admin.get("/infrastructure/deployments/")
    file.write_text(LICENSES)
    assert "Licenses" in admin.get(walk.url(key, "roles")).text
