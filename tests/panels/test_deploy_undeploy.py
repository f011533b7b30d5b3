"""Deploy and undeploy: what will change is shown, one request comes of it, nothing is destroyed by chance."""

import pytest

from tests.panels.conftest import signed_in
from tests.panels.plans import ALICE, deploy, save
from tripleo_ui.orchestration import api

URL = "/infrastructure/deployments/plans/demo/"


def form(page):
    """The fields of the page's form that a browser would post."""
    fields = {item["name"]: item.get("value", "") for item in page.elements("input") if item.get("type") == "hidden"}
    fields.pop("csrfmiddlewaretoken", None)
    return fields


def requests_of():
    return api.find("p1").items


def test_before_a_deployment_its_preview_shows(admin):
    save(admin.cloud)

    page = admin.get(URL + "deploy/")

    assert "What will be created" in page.text
    assert "1 resource created" in page.text


def test_before_an_update_the_difference_shows(admin):
    save(admin.cloud)
    admin.cloud.heat.add("demo")

    page = admin.get(URL + "deploy/")

    assert "What will change" in page.text
    assert "1 resource updated" in page.text


def test_a_preview_that_fails_says_why(admin):
    save(admin.cloud)
    admin.cloud.failures["heat"] = 503

    page = admin.get(URL + "deploy/")

    assert "heat was told to fail" in page.text.lower()


def test_deploy_makes_a_trust_and_one_request(admin):
    info = save(admin.cloud)

    response = admin.post(URL + "deploy/", form(admin.get(URL + "deploy/"))).response

    (request,) = requests_of()
    assert response["Location"] == URL
    assert request.workflow == "overcloud.deploy"
    assert request.params == {"plan": "demo", "etag": info.etag}
    assert request.requester.user_name == "alice"
    (trust,) = admin.cloud.trusts.values()
    assert request.trust_id == trust["id"]
    assert trust["trustor_user_id"] == "id-of-alice"
    assert trust["trustee_user_id"] == "conductor"
    assert {role["name"] for role in trust["roles"]} == {"admin", "member"}
    assert "Deploy demo" in admin.get(URL).text


def test_a_double_click_is_one_request_and_one_trust(admin):
    save(admin.cloud)
    fields = form(admin.get(URL + "deploy/"))

    admin.post(URL + "deploy/", fields)
    admin.post(URL + "deploy/", fields)

    assert len(requests_of()) == 1
    assert list(admin.cloud.trusts) == [requests_of()[0].trust_id]


def test_each_drawing_of_the_page_has_a_key_of_its_own(admin):
    save(admin.cloud)

    assert form(admin.get(URL + "deploy/"))["nonce"] != form(admin.get(URL + "deploy/"))["nonce"]


def test_a_second_request_names_who_holds_the_lock(admin):
    info = save(admin.cloud)
    fields = form(admin.get(URL + "deploy/"))
    bob = api.Requester("id-of-bob", "bob", "p1", "project", "RegionOne")
    holder = deploy(info, requester=bob)

    page = admin.post(URL + "deploy/", fields, status=409)

    assert "Another request works on this overcloud" in page.text
    assert "bob" in page.text
    assert holder.id in page.content
    assert not admin.cloud.trusts
    assert len(requests_of()) == 1


def test_a_plan_saved_meanwhile_is_not_deployed_unseen(admin):
    info = save(admin.cloud)
    fields = form(admin.get(URL + "deploy/"))
    files = admin.cloud.cloud().plans.read("demo").files
    admin.cloud.cloud().plans.save("demo", files, etag=info.etag)

    page = admin.post(URL + "deploy/", fields, status=409)

    assert "The plan was saved since" in page.text
    assert not requests_of()
    assert form(page)["etag"].startswith("2-")


def test_keystone_down_is_told_and_nothing_is_asked(admin):
    save(admin.cloud)
    fields = form(admin.get(URL + "deploy/"))
    admin.cloud.failures["keystone"] = 503

    page = admin.post(URL + "deploy/", fields, status=502)

    assert "Identity (Keystone)" in page.text
    assert "req-keystone" in page.text
    assert not requests_of()


def test_swift_down_at_the_press_is_told(admin):
    save(admin.cloud)
    fields = form(admin.get(URL + "deploy/"))
    admin.cloud.failures["swift"] = "timeout"

    page = admin.post(URL + "deploy/", fields, status=200)

    assert "Object storage (Swift)" in page.text
    assert not requests_of()


@pytest.mark.parametrize("action", ["deploy", "undeploy"])
def test_csrf_is_required(cloud, action):
    save(cloud)
    client = signed_in(cloud.catalog(), ["admin"], enforce_csrf=True)

    response = client.post(URL + f"{action}/", {"confirm": "demo"})

    assert response.status_code == 403
    assert not requests_of()


@pytest.mark.parametrize("action", ["deploy", "undeploy"])
def test_of_an_unknown_name_is_404(admin, action):
    admin.get(URL + f"{action}/", status=404)


def test_undeploy_names_what_it_destroys(admin):
    save(admin.cloud)
    admin.cloud.heat.add("demo")

    page = admin.get(URL + "undeploy/")

    assert "The stack “demo” with all its servers and their data" in page.text
    assert "cannot be undone" in page.text
    assert "Delete the plan with all its revisions too" in page.text
    # Horizon's script would ask once more, without a name, before a button of that class.
    assert not [item for item in page.elements("button") if "btn-danger" in item.get("class", "")]


@pytest.mark.parametrize("typed", ["", "Demo", "demo ", "demo2", "dem"])
def test_undeploy_wants_the_exact_name(admin, typed):
    save(admin.cloud)
    admin.cloud.heat.add("demo")
    fields = form(admin.get(URL + "undeploy/"))

    page = admin.post(URL + "undeploy/", {**fields, "confirm": typed}, status=400)

    assert "Nothing was deleted" in page.text
    assert not requests_of()
    assert not admin.cloud.trusts
    assert f'value="{typed}"' in page.content


@pytest.mark.parametrize("with_plan", [True, False])
def test_undeploy_asks_for_the_stack_and_perhaps_the_plan(admin, with_plan):
    save(admin.cloud)
    stack = admin.cloud.heat.add("demo")
    fields = form(admin.get(URL + "undeploy/")) | {"confirm": "demo"} | ({"delete_plan": "on"} if with_plan else {})

    admin.post(URL + "undeploy/", fields)
    admin.post(URL + "undeploy/", fields)

    (request,) = requests_of()
    assert request.workflow == "overcloud.delete"
    assert request.params == {"plan": "demo", "stack_id": stack["id"], "delete_plan": with_plan}
    assert "demo" in admin.cloud.heat.stacks


def test_a_plan_alone_is_deleted_by_the_same_page(admin):
    save(admin.cloud)

    page = admin.get(URL + "undeploy/")
    assert "Delete plan demo" in page.text
    admin.post(URL + "undeploy/", form(page) | {"confirm": "demo"})

    assert requests_of()[0].params == {"plan": "demo", "delete_plan": True}


def test_with_heat_down_the_page_does_not_pretend_that_only_a_plan_is_there(admin):
    save(admin.cloud)
    admin.cloud.failures["heat"] = "refuse"

    page = admin.get(URL + "undeploy/")

    assert "Undeploy demo" in page.text
    assert "Orchestration (Heat)" in page.text


def test_actions_follow_the_state(admin):
    info = save(admin.cloud)
    assert "deploy/" in admin.get(URL).content

    request = deploy(info)
    busy = admin.get(URL)
    assert URL + "undeploy/" not in busy.content
    assert "Cancel" in busy.text

    api.cancel(request.id, ALICE)
    assert URL + "undeploy/" in admin.get(URL).content
