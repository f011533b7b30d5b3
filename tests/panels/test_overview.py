"""The readiness checklist: leads to the next step, each part fails alone, calls stay bounded."""

import threading

import pytest

from tests.panels.pages import check_baseline
from tests.panels.plans import deploy, save

URL = "/infrastructure/"
PARTS = {
    "ironic": ("Bare metal (Ironic)", "step-nodes"),
    "glance": ("Images (Glance)", "step-images"),
    "swift": ("Object storage (Swift)", "step-plan"),
    "heat": ("Orchestration (Heat)", "step-deployed"),
}


def next_step(page):
    start = page.content.find('class="tu-next')
    return page.content[start : page.content.find("</section>", start)]


def test_without_nodes_they_come_first(admin):
    admin.cloud.compute.nodes.clear()

    page = admin.get(URL)

    assert "Nodes" in next_step(page)
    assert "0 of 0 free" in page.text
    assert "Register the machines" in next_step(page)


def test_without_images_they_come_next(admin):
    admin.cloud.compute.images.clear()

    assert "Upload the image" in next_step(admin.get(URL))


def test_a_plan_comes_after_nodes_and_images(admin):
    page = admin.get(URL)

    assert "15 of 15 free" in page.text
    assert "3 images" in page.text
    assert "/infrastructure/deployments/create/" in next_step(page)


def test_a_plan_leads_to_its_deployment(admin):
    save(admin.cloud)

    page = admin.get(URL)

    assert "1 plan" in page.text
    assert "Deploy a plan" in next_step(page)


def test_with_an_overcloud_all_is_done(admin):
    save(admin.cloud)
    admin.cloud.heat.add("demo")

    assert "An overcloud is deployed" in next_step(admin.get(URL))


def test_a_failed_overcloud_is_told(admin):
    save(admin.cloud)
    admin.cloud.heat.add("demo", "CREATE_FAILED")

    page = admin.get(URL)

    assert "1 failed" in page.text
    assert "A deployment failed" in next_step(page)


def test_free_excludes_maintenance_faults_and_taken_ones(admin):
    nodes = admin.cloud.compute.nodes
    nodes[0]["maintenance"] = True
    nodes[1]["instance_uuid"] = "server"
    nodes[2]["fault"] = "power failure"
    nodes[3]["provision_state"] = "active"

    page = admin.get(URL)

    assert "11 of 15 free" in page.text
    assert "1 in use" in page.text
    assert "1 in maintenance" in page.text


@pytest.mark.parametrize("service", PARTS)
@pytest.mark.parametrize("failure", [503, "timeout", "refuse"])
def test_each_part_fails_alone_and_says_so(admin, service, failure):
    admin.cloud.failures[service] = failure

    page = admin.get(URL)

    name, part = PARTS[service]
    start = page.content.find(f'id="{part}"')
    shown = page.content[start : page.content.find("</li>", start)]
    assert name in shown
    assert "Try again" in shown
    assert page.content.count("tu-failure-title") == 1
    assert ("req-" + service in shown) == (failure == 503)
    others = {"ironic": "3 images", "glance": "15 of 15 free", "swift": "3 images", "heat": "3 images"}
    assert others[service] in page.text


def test_all_services_down_is_a_page_still(admin):
    for service in PARTS:
        admin.cloud.failures[service] = "refuse"

    page = admin.get(URL)

    assert page.content.count("tu-failure-title") == 4
    assert "Some services did not answer" in page.text
    assert "0 plans" not in page.text


def test_the_database_down_is_told_too(admin, database):
    for file in database.parent.glob(f"{database.name}*"):
        file.unlink()

    page = admin.get(URL)

    assert "Orchestrator's database" in page.text.replace("&#x27;", "'")
    assert "15 of 15 free" in page.text


def test_services_are_asked_at_once(admin, monkeypatch):
    """Each of the four calls waits until all four are under way, which calls in a row would never be."""
    together = threading.Barrier(len(PARTS), timeout=10)
    send = admin.cloud.send

    def wait_for_the_others(request, **more):
        together.wait()
        return send(request, **more)

    monkeypatch.setattr(admin.cloud, "send", wait_for_the_others)

    assert "15 of 15 free" in admin.get(URL).text


def test_calls_are_the_same_at_10_and_at_1000(admin, request):
    counted = {}
    for number in (10, 1000):
        admin.cloud.compute.nodes.clear()
        admin.cloud.heat.stacks.clear()
        for index in range(number):
            admin.cloud.compute.add_node(f"node-{index}", "compute")
            admin.cloud.heat.add(f"cloud-{index}")
            admin.cloud.swift.containers[f"overcloud-plan-cloud-{index}"] = {"meta": {}, "objects": {}}
        counted[str(number)] = admin.calls_of(URL)

    assert sum(counted["1000"].values()) <= sum(counted["10"].values()) + 1
    check_baseline(request.config, "overview", counted)


def test_what_was_asked_lately_shows(admin):
    deploy(save(admin.cloud))

    page = admin.get(URL)

    assert "Queued" in page.text
    assert page.attribute("data-status-active") == "1"
