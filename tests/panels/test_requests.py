"""The requests panel: filters and pages in the URL, the timeline, what can be done, and by whom."""

import pytest

from tests.panels.plans import ALICE, deploy, save
from tripleo_ui.orchestration import api

URL = "/infrastructure/requests/"


@pytest.fixture
def info(admin):
    return save(admin.cloud)


def titles(page):
    """The ids of the listed requests, in their order."""
    return [
        link["href"].split("/")[3]
        for link in page.elements("a")
        if link.get("href", "").startswith(URL) and link["href"].count("/") == 4
    ]


def ended(info, number):
    """Requests that were cancelled at once, newest last."""
    made = []
    for _index in range(number):
        made.append(deploy(info))
        api.cancel(made[-1].id, ALICE)
    return made


def test_an_empty_page_teaches(member):
    page = member.get(URL)

    assert "No requests yet" in page.text
    assert "Each deployment, update and removal becomes a request" in page.text


def test_newest_first_and_none_of_other_projects(admin, info):
    first, second = ended(info, 2)
    stranger = api.Requester("x", "x", "other", "other", "RegionOne")
    api.submit("overcloud.deploy", stranger, {"plan": "demo", "etag": info.etag})

    assert titles(admin.get(URL)) == [second.id, first.id]


def test_pages_of_20(admin, info):
    made = ended(info, 45)[::-1]

    first = admin.get(URL)
    next_url = next(link["href"] for link in first.elements("a") if link.get("rel") == "next")
    second = admin.get(URL + next_url)

    assert titles(first) == [request.id for request in made[:20]]
    assert titles(second) == [request.id for request in made[20:40]]
    assert "1 to 20 of 45" in first.text
    assert "21 to 40 of 45" in second.text


def test_a_stale_place_in_the_list_is_its_beginning(admin, info):
    (request,) = ended(info, 1)

    assert titles(admin.get(URL + "?marker=gone&first=21")) == [request.id]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("?state=CANCELLED", True),
        ("?state=FAILED", False),
        ("?workflow=overcloud.deploy", True),
        ("?workflow=overcloud.delete", False),
        ("?q=demo", True),
        ("?q=nothing+like+it", False),
        ("?state=nonsense", True),
    ],
)
def test_filters_are_in_the_url(admin, info, query, found):
    (request,) = ended(info, 1)

    page = admin.get(URL + query)

    assert titles(page) == ([request.id] if found else [])
    assert ("No request matches" in page.text) == (not found)


def test_a_broken_database_never_looks_like_no_requests(admin, database):
    for file in database.parent.glob(f"{database.name}*"):
        file.unlink()

    page = admin.get(URL)

    assert "Orchestrator" in page.text
    assert "No requests yet" not in page.text


def test_a_request_shows_phases_and_timeline(admin, info):
    request = deploy(info)

    page = admin.get(f"{URL}{request.id}/")

    for words in ("Queued", "Check the plan", "Deploy nodes", "Collect outputs", "Timeline", "alice", "demo"):
        assert words in page.text
    assert "trust-0" not in page.html


def test_an_unknown_request_is_404(admin):
    assert "no such request" in admin.get(f"{URL}nothing/", status=404).text


def test_a_request_of_another_project_is_404_and_stays_as_it_is(admin, info):
    stranger = api.Requester("x", "x", "other", "other", "RegionOne")
    request = api.submit("overcloud.deploy", stranger, {"plan": "demo", "etag": info.etag})

    admin.get(f"{URL}{request.id}/", status=404)
    admin.post(f"{URL}{request.id}/action/", {"action": "cancel"})

    assert api.get(request.id, "other").state is api.State.QUEUED


def test_cancel(admin, info):
    request = deploy(info)
    page = admin.get(f"{URL}{request.id}/")
    assert "Cancel" in page.text

    response = admin.post(f"{URL}{request.id}/action/", {"action": "cancel"}).response

    assert response["Location"] == f"{URL}{request.id}/"
    assert api.get(request.id, "p1").state is api.State.CANCELLED
    shown = admin.get(f"{URL}{request.id}/")
    assert "Cancelled" in shown.text
    assert "Try again" in shown.text


def test_retry_acts_through_a_new_trust(admin, info):
    (request,) = ended(info, 1)

    admin.post(f"{URL}{request.id}/action/", {"action": "retry"})

    again = api.get(request.id, "p1")
    assert again.state is api.State.QUEUED
    assert again.attempt == 2
    assert [again.trust_id] == list(admin.cloud.trusts)


def test_a_retry_that_is_locked_out_names_the_holder_and_leaves_no_trust(admin, info):
    (request,) = ended(info, 1)
    holder = deploy(info)

    page = admin.post(f"{URL}{request.id}/action/", {"action": "retry"}, status=409)

    assert "Another request works on the same thing." in page.text
    assert f"{URL}{holder.id}/" in [link.get("href") for link in page.elements("a")]
    assert api.get(request.id, "p1").state is api.State.CANCELLED
    assert not admin.cloud.trusts


def test_a_retry_without_keystone_is_told(admin, info):
    (request,) = ended(info, 1)
    admin.cloud.failures["keystone"] = 503

    admin.post(f"{URL}{request.id}/action/", {"action": "retry"})

    assert "keystone was told to fail" in admin.get(f"{URL}{request.id}/").html
    assert api.get(request.id, "p1").state is api.State.CANCELLED


@pytest.mark.parametrize("action", ["retry", "rollback", "", "delete", "__class__"])
def test_what_the_state_does_not_allow_is_refused(admin, info, action):
    request = deploy(info)

    admin.post(f"{URL}{request.id}/action/", {"action": action})

    assert api.get(request.id, "p1").state is api.State.QUEUED


def test_actions_are_posted(admin, info):
    request = deploy(info)

    assert admin.client.get(f"{URL}{request.id}/action/").status_code == 405


@pytest.mark.parametrize("onward", ["https://evil.invalid/", "//evil.invalid/", "javascript:alert(1)"])
def test_the_way_back_stays_here(admin, info, onward):
    request = deploy(info)

    response = admin.post(f"{URL}{request.id}/action/", {"action": "cancel", "next": onward}).response

    assert response["Location"] == f"{URL}{request.id}/"


def test_a_member_of_the_project_can_cancel_too(member, admin, info):
    request = deploy(info)

    member.post(f"{URL}{request.id}/action/", {"action": "cancel"})

    assert api.get(request.id, "p1").state is api.State.CANCELLED
    assert any(event.actor == "bob" for event in api.events(request.id, "p1"))


def test_pages_of_requests_call_no_service(admin, info):
    request = deploy(info)

    assert admin.calls_of(URL) == {}
    assert admin.calls_of(f"{URL}{request.id}/") == {}
