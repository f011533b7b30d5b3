"""The list: plans, stacks and requests joined by name; filters and pages in the URL; calls bounded."""

import pytest

from tests.panels.pages import check_baseline
from tests.panels.plans import ALICE, deploy, plan, save
from tripleo_ui.orchestration import api
from tripleo_ui.planning import hot

URL = "/infrastructure/deployments/"


def names(page):
    return [
        link["href"].split("/")[4]
        for link in page.elements("a")
        if link.get("href", "").startswith("/infrastructure/deployments/plans/")
    ]


def many(cloud, number):
    files = hot.compose(plan("x", counts={"Controller": 1}))
    store = cloud.cloud().plans
    for index in range(number):
        store.save(f"cloud-{index:04}", {"plan.yaml": files["plan.yaml"]}, description="one of many")
        cloud.heat.add(f"cloud-{index:04}")


@pytest.fixture(autouse=True)
def no_settling(monkeypatch):
    """Nobody races in these tests, so that a save need not wait for it."""
    monkeypatch.setattr("tripleo_ui.services.plans.SETTLE_SECONDS", 0)


def test_an_empty_list_teaches_and_has_the_one_button(admin):
    page = admin.get(URL)

    assert "No deployments yet" in page.text
    assert "A deployment begins with a plan" in page.text
    assert any(link.get("href") == "/infrastructure/deployments/create/" for link in page.elements("a"))


def test_plans_stacks_and_requests_are_one_row_each(admin):
    save(admin.cloud, "planned")
    save(admin.cloud, "running")
    save(admin.cloud, "queued")
    admin.cloud.heat.add("running")
    admin.cloud.heat.add("orphan", "CREATE_FAILED")
    deploy(admin.cloud.cloud().plans.info("queued"))

    page = admin.get(URL)

    assert names(page) == ["orphan", "planned", "queued", "running"]
    rows = {name: page.content[page.content.find(f"/plans/{name}/") :][:1500] for name in names(page)}
    assert "Failed" in rows["orphan"]
    assert "No plan is stored" in rows["orphan"]
    assert "Planned" in rows["planned"]
    assert "Queued" in rows["queued"]
    assert "Deployed" in rows["running"]
    assert "4 deployments" in page.text


def test_stray_containers_are_no_plans(admin):
    admin.cloud.swift.containers["overcloud-plan-stray"] = {"meta": {}, "objects": {}}
    admin.cloud.swift.containers["overcloud-plan-with space"] = {"meta": {}, "objects": {}}
    admin.cloud.swift.containers["backups"] = {"meta": {}, "objects": {}}
    save(admin.cloud, "real")

    assert names(admin.get(URL)) == ["real"]


def test_the_newest_request_counts_after_a_retry(admin):
    info = save(admin.cloud)
    first = deploy(info)
    api.cancel(first.id, ALICE)
    api.retry(first.id, ALICE)

    assert "Queued" in admin.get(URL).text


def test_a_plan_that_changed_since_its_deployment_says_so(admin):
    info = save(admin.cloud)
    request = deploy(info)
    api.cancel(request.id, ALICE)
    admin.cloud.heat.add("demo")
    assert "The plan changed since" not in admin.get(URL).text

    admin.cloud.cloud().plans.save("demo", {"plan.yaml": "x"}, etag=info.etag)

    assert "The plan changed since" in admin.get(URL).text


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("?q=ALPHA", ["alpha"]),
        ("?state=planned", ["alpha", "beta"]),
        ("?state=deployed", ["gamma"]),
        ("?state=failed", ["delta"]),
        ("?state=working", ["epsilon"]),
        ("?state=planned&q=be", ["beta"]),
        ("?state=nonsense", []),
    ],
)
def test_filters_are_in_the_url(admin, query, expected):
    for name in ("alpha", "beta", "gamma", "delta", "epsilon"):
        save(admin.cloud, name, counts={"Controller": 1})
    admin.cloud.heat.add("gamma")
    admin.cloud.heat.add("delta", "UPDATE_FAILED")
    admin.cloud.heat.add("epsilon", "CREATE_IN_PROGRESS")

    page = admin.get(URL + query)

    assert names(page) == expected
    assert ("No deployment matches" in page.text) == (not expected)
    assert "No deployments yet" not in page.text


def test_filter_fields_keep_what_was_chosen(admin):
    page = admin.get(URL + "?q=some&state=failed")

    assert any(field.get("value") == "some" for field in page.elements("input"))
    assert '<option value="failed" selected>' in page.content


def test_pages_of_20_with_the_filter_kept(admin):
    many(admin.cloud, 45)

    first = admin.get(URL + "?q=cloud")
    second = admin.get(URL + "?q=cloud&page=2")
    last = admin.get(URL + "?q=cloud&page=99")

    assert names(first) == [f"cloud-{index:04}" for index in range(20)]
    assert "1 to 20 of 45" in first.text
    assert any(link.get("rel") == "next" and link["href"] == "?q=cloud&page=2" for link in first.elements("a"))
    assert names(second)[0] == "cloud-0020"
    assert any(link.get("rel") == "prev" and link["href"] == "?q=cloud" for link in second.elements("a"))
    assert names(last) == [f"cloud-{index:04}" for index in range(40, 45)]


@pytest.mark.parametrize("page", ["-1", "0", "x", "٣", "999999999999999999"])
def test_a_page_that_is_none_is_the_nearest(admin, page):
    save(admin.cloud)

    assert names(admin.get(f"{URL}?page={page}")) == ["demo"]


@pytest.mark.parametrize("failure", [500, "timeout", "refuse"])
def test_swift_down_shows_the_failure_and_what_heat_knows(admin, failure):
    save(admin.cloud)
    admin.cloud.heat.add("demo")
    admin.cloud.failures["swift"] = failure

    page = admin.get(URL)

    assert "Object storage (Swift)" in page.text
    assert "Try again" in page.text
    assert names(page) == ["demo"]
    assert "Not known" in page.text
    assert "No plan is stored" not in page.text


def test_heat_down_shows_the_failure_and_the_plans(admin):
    save(admin.cloud)
    admin.cloud.failures["heat"] = "timeout"

    page = admin.get(URL)

    assert "Orchestration (Heat)" in page.text
    assert names(page) == ["demo"]


def test_all_down_never_looks_like_an_empty_list(admin, database):
    for service in ("swift", "heat"):
        admin.cloud.failures[service] = "refuse"
    for file in database.parent.glob(f"{database.name}*"):
        file.unlink()

    page = admin.get(URL)

    assert "No deployments yet" not in page.text
    assert page.content.count("tu-failure-title") >= 3


def test_calls_are_the_same_for_10_and_for_1000_plans(admin, request):
    many(admin.cloud, 10)
    counted = {"10": admin.calls_of(URL)}
    many_more = {f"overcloud-plan-more-{index:04}": {"meta": {}, "objects": {}} for index in range(990)}
    admin.cloud.swift.containers.update(many_more)
    for index in range(990):
        admin.cloud.heat.add(f"more-{index:04}")
    counted["1000"] = admin.calls_of(URL)

    check_baseline(request.config, "deployments", counted)
    # Two calls for each plan of a page of 20, and two for the lists.
    assert sum(counted["1000"].values()) <= 2 + 2 * 20


def test_polling_asks_for_no_plan_again(admin):
    many(admin.cloud, 10)
    admin.get(URL)

    assert admin.calls_of(URL + "status/") == {"heat": 1, "swift": 1}
