"""One deployment: drawing, progress, reason of a failure, servers, outputs, files."""

import pytest

from tests.panels.pages import check_baseline
from tests.panels.plans import ALICE, SECRET, deploy, save
from tripleo_ui.orchestration import api

URL = "/infrastructure/deployments/plans/demo/"
TABS = ("overview", "servers", "outputs", "requests", "files")
OK = ("CREATE_COMPLETE", "")


def roles(compute=2):
    return {"Controller": [OK], "Compute": [OK] * compute}


def occupy(cloud, stack, role, index, name, **changes):
    """Put a server of the stack on a node."""
    server = f"{stack['id']}-{role}-{index}-server"
    cloud.compute.add_node(name, "compute", instance_uuid=server, **{"provision_state": "active"} | changes)
    return server


def drawing_in(page):
    (found,) = [item for item in page.elements("svg") if item.get("class") == "tu-drawing"]
    return found


def test_a_plan_is_drawn_before_it_is_deployed(admin):
    save(admin.cloud)

    page = admin.get(URL)

    assert "Planned" in page.text
    drawing = drawing_in(page)
    assert drawing["role"] == "img"
    assert "Compute: 2 planned" in drawing["aria-label"]
    assert "Compute: 2 planned" in page.text
    assert "Deploy" in page.text


def test_nodes_show_their_live_states(admin):
    save(admin.cloud)
    stack = admin.cloud.heat.add("demo", "CREATE_IN_PROGRESS", roles())
    occupy(admin.cloud, stack, "Compute", 0, "blade-7", provision_state="deploying")
    occupy(admin.cloud, stack, "Controller", 0, "blade-1")

    page = admin.get(URL)

    drawing = drawing_in(page)
    assert "Controller: 1 active" in drawing["aria-label"]
    assert "1 deploying" in drawing["aria-label"]
    assert "blade-7" in page.content
    assert "CREATE_IN_PROGRESS" in page.text


def test_progress_is_told_to_screen_readers(admin):
    save(admin.cloud)
    admin.cloud.heat.add("demo", "CREATE_IN_PROGRESS", {"Compute": [OK, ("CREATE_IN_PROGRESS", "")]})
    deploy(admin.cloud.cloud().plans.info("demo"))

    page = admin.get(URL)

    bar = next(item for item in page.elements("div") if item.get("role") == "progressbar")
    assert (bar["aria-valuenow"], bar["aria-valuemax"]) == ("4", "7")
    assert "4 of 7 resources" in page.text


def test_the_deepest_reason_of_a_failure_shows(admin):
    save(admin.cloud)
    failed = ("CREATE_FAILED", "No valid host was found")
    admin.cloud.heat.add("demo", "CREATE_FAILED", {"Compute": [failed]}, reason="Resource CREATE failed")

    page = admin.get(URL)

    assert "It failed at Compute / 0 / " in page.text
    assert "No valid host was found" in page.text
    assert page.attribute("data-status-active") == "0"


def test_a_thousand_nodes_are_drawn_in_one_picture_of_bounded_size(admin):
    save(admin.cloud)
    admin.cloud.heat.add("demo", roles={"Compute": [OK] * 1000})

    page = admin.get(URL)

    drawing = drawing_in(page)
    assert "Compute: 1000 active" in drawing["aria-label"]
    assert "1000 active" in page.text
    assert page.content.count('class="tu-d-dot') == 120


def test_overview_renders_while_outputs_do_not_exist(admin):
    save(admin.cloud)
    admin.cloud.heat.add("demo", "CREATE_IN_PROGRESS", {"Compute": []})

    for tab in TABS:
        assert "demo" in admin.get(f"{URL}?tab={tab}").text


def test_servers_with_addresses_and_nodes(admin):
    save(admin.cloud)
    stack = admin.cloud.heat.add("demo", roles=roles(1))
    server = occupy(admin.cloud, stack, "Compute", 0, "blade-7")
    stack["outputs"] = [
        {"output_key": "ComputeServers", "output_value": [server]},
        {"output_key": "ComputeNames", "output_value": ["demo-compute-0"]},
        {"output_key": "ComputeAddresses", "output_value": ["192.168.24.20"]},
    ]

    page = admin.get(f"{URL}?tab=servers")

    for words in ("demo-compute-0", "192.168.24.20", "blade-7", "Controller 0"):
        assert words in page.text


@pytest.mark.parametrize("tab", ["overview", "servers"])
def test_ironic_down_leaves_the_rest_of_the_tab(admin, tab):
    save(admin.cloud)
    admin.cloud.heat.add("demo", roles=roles())
    admin.cloud.failures["ironic"] = "timeout"

    page = admin.get(f"{URL}?tab={tab}")

    assert "Bare metal (Ironic)" in page.text
    assert "Compute" in page.text


@pytest.mark.parametrize("tab", TABS)
@pytest.mark.parametrize("service", ["heat", "swift"])
def test_a_service_down_is_a_page_with_the_failure(admin, tab, service):
    save(admin.cloud)
    admin.cloud.heat.add("demo", roles=roles())
    admin.cloud.failures[service] = 503

    page = admin.get(f"{URL}?tab={tab}")

    assert f"req-{service}" in page.text
    assert "Try again" in page.text
    for wrong in ("Nothing is deployed", "No plan is stored", "not found"):
        assert wrong not in page.text


def test_everything_down_is_no_404(admin):
    for service in ("heat", "swift", "ironic"):
        admin.cloud.failures[service] = "refuse"

    admin.get(URL, status=200)


def test_an_unknown_name_is_404_and_says_where_to_go(admin):
    page = admin.get(URL, status=404)

    assert "neither a plan nor a stack" in page.text


def test_outputs_show_and_secrets_among_them_do_not(admin):
    save(admin.cloud)
    outputs = {"Url": "http://192.168.24.5:5000", "Leak": f"user:{SECRET}@db", "Later": None}
    admin.cloud.heat.add("demo", outputs=outputs)

    page = admin.get(f"{URL}?tab=outputs")

    assert "http://192.168.24.5:5000" in page.text
    assert "Leak ********" in page.text
    assert "Later" not in page.text


def test_outputs_wait_for_the_plan_that_says_what_is_secret(admin):
    save(admin.cloud)
    admin.cloud.heat.add("demo", outputs={"Leak": SECRET})
    admin.cloud.failures["swift"] = "timeout"

    page = admin.get(f"{URL}?tab=outputs")

    assert SECRET not in page.html
    assert "Object storage (Swift)" in page.text


def test_hidden_values_are_in_no_page(admin):
    info = save(admin.cloud)
    admin.cloud.heat.add("demo", roles=roles(), outputs={"Leak": SECRET})
    paths = [f"{URL}?tab={tab}" for tab in TABS] + [f"{URL}deploy/", f"{URL}undeploy/"]
    paths += [f"{URL}files/{file}/" for file in info.files]

    for path in paths:
        assert SECRET not in admin.get(path).html, path
    assert "Password: &#x27;********" in admin.get(f"{URL}files/environment.yaml/").html.replace("&quot;", "&#x27;")


def test_files_of_older_revisions_can_be_read(admin):
    info = save(admin.cloud)
    files = dict(admin.cloud.cloud().plans.read("demo").files) | {"notes.txt": "second"}
    admin.cloud.cloud().plans.save("demo", files, author="bob", etag=info.etag)

    page = admin.get(f"{URL}files/")

    assert "Files of revision 2" in page.text
    assert "Revision 1" in page.text
    assert "bob" in page.text
    assert "second" in admin.get(f"{URL}files/notes.txt/").text
    admin.get(f"{URL}files/notes.txt/?revision=1", status=404)
    assert "Revision 1 of" in admin.get(f"{URL}files/plan.yaml/?revision=1").text


@pytest.mark.parametrize("revision", ["x", "-1", "٣", "9" * 30])
def test_a_revision_that_is_none_is_404(admin, revision):
    save(admin.cloud)

    admin.get(f"{URL}files/plan.yaml/?revision={revision}", status=404)


def test_requests_of_the_deployment_and_no_others(admin):
    first = deploy(save(admin.cloud))
    other = deploy(save(admin.cloud, "other"))
    api.cancel(first.id, ALICE)

    page = admin.get(f"{URL}?tab=requests")

    assert first.id in page.content
    assert other.id not in page.content


def test_calls_are_the_same_for_10_and_for_1000_nodes(admin, request):
    save(admin.cloud)
    counted = {}
    for number in (10, 1000):
        admin.cloud.heat.stacks.clear()
        admin.cloud.compute.nodes.clear()
        stack = admin.cloud.heat.add("demo", roles=roles(number))
        for index in range(number - 1):
            occupy(admin.cloud, stack, "Compute", index, f"blade-{index}")
        for tab in TABS:
            counted[f"{tab} {number}"] = admin.calls_of(f"{URL}?tab={tab}")

    for tab in TABS:
        assert counted[f"{tab} 10"] == counted[f"{tab} 1000"]
    check_baseline(request.config, "deployment", counted)
