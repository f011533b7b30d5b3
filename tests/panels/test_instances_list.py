"""The list of instances: servers with their requests, filters and pages in the URL, one call to Nova."""

import pytest

from tests.panels.instances import URL, add_server, add_servers, ask, delete
from tests.panels.pages import check_baseline
from tests.panels.plans import ALICE
from tripleo_ui.orchestration import api


def names(page):
    return [box["aria-label"].removeprefix("Select ") for box in page.elements("input") if box.get("name") == "server"]


def test_an_empty_list_teaches_and_has_the_one_button(member):
    page = member.get(URL)

    assert "No instances yet" in page.text
    assert any(link.get("href") == f"{URL}create/" for link in page.elements("a"))


def test_a_row_says_state_addresses_flavor_and_request(member):
    add_server(member.cloud, "web", request="r-1", status="SHUTOFF")

    page = member.get(URL)

    assert names(page) == ["web"]
    assert {"Off", "10.0.0.0", "small"} <= set(page.text.split())
    assert any(link.get("href") == f"{URL}requests/r-1/" for link in page.elements("a"))


@pytest.mark.parametrize(
    ("server", "word"),
    [
        ({"status": "ERROR", "fault": {"message": "No valid host"}}, "No valid host"),
        ({"status": "BUILD"}, "Building"),
        ({"status": "ACTIVE", "OS-EXT-STS:task_state": "powering-off"}, "Powering-off"),
        ({"status": "ACTIVE", "OS-EXT-STS:task_state": "deleting"}, "Deleting"),
        ({"status": "SOME_NEW_STATE"}, "Some new state"),
    ],
)
def test_every_state_has_a_word(member, server, word):
    add_server(member.cloud, "web", **server)

    assert word in member.get(URL).text


def test_requests_that_run_stand_above_the_servers(member):
    request = ask()

    page = member.get(URL)

    assert "Create 2 instances web" in page.text
    assert any(link.get("href") == f"{URL}requests/{request.id}/" for link in page.elements("a"))
    assert "No instances yet" not in page.text
    assert page.attribute("data-status-active") == "1"


def test_requests_that_were_cancelled_do_not(member):
    api.cancel(ask().id, ALICE)

    assert "Create 2 instances web" not in member.get(URL).text


def test_requests_of_other_projects_are_not_shown(member):
    ask(api.Requester("x", "x", "other", "other", "RegionOne"))

    assert "No instances yet" in member.get(URL).text


def test_a_server_whose_deletion_is_asked_says_so_and_cannot_be_chosen_again(member):
    add_server(member.cloud, "web")
    delete("server-web")

    page = member.get(URL)

    assert "Deleting" in page.text
    assert [box for box in page.elements("input") if box.get("name") == "server" and "disabled" in box]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("?q=web-1", ["web-1"]),
        ("?q=.*", []),
        ("?status=ERROR", ["db.1"]),
        ("?status=nonsense", ["web-1", "web-2", "db.1"]),
        ("?q=.1", ["db.1"]),
    ],
)
def test_filters_are_in_the_url_and_names_are_no_patterns(member, query, expected):
    add_server(member.cloud, "web-1")
    add_server(member.cloud, "web-2")
    add_server(member.cloud, "db.1", status="ERROR")

    page = member.get(URL + query)

    assert names(page) == expected
    assert ("No instance matches" in page.text) == (not expected)


def test_pages_of_20_by_marker_with_the_filter_kept(member):
    add_servers(member.cloud, 45)

    first = member.get(URL + "?q=vm")
    following = next(link["href"] for link in first.elements("a") if link.get("rel") == "next")
    second = member.get(URL + following)

    assert names(first) == [f"vm-{index:04}" for index in range(20)]
    assert following == "?q=vm&marker=server-vm-0019&first=21"
    assert names(second)[0] == "vm-0020"
    assert "21 to 40" in second.text
    assert any(link.get("rel") == "prev" and link["href"] == "?q=vm" for link in second.elements("a"))


def test_a_full_last_page_has_no_next_one(member):
    add_servers(member.cloud, 20)

    assert not any(link.get("rel") == "next" for link in member.get(URL).elements("a"))


def test_a_marker_that_is_gone_is_the_beginning(member):
    add_servers(member.cloud, 3)

    assert len(names(member.get(URL + "?marker=gone&first=21"))) == 3


@pytest.mark.parametrize("failure", [500, "timeout", "refuse"])
def test_nova_down_shows_the_failure_and_the_requests(member, failure):
    ask()
    member.cloud.failures["nova"] = failure

    page = member.get(URL)

    assert "Compute (Nova)" in page.text
    assert "Create 2 instances web" in page.text
    assert "No instances yet" not in page.text


def test_calls_are_the_same_for_10_and_for_1000_servers(member, request):
    add_servers(member.cloud, 10)
    counted = {"10": member.calls_of(URL)}
    add_servers(member.cloud, 990)
    counted["1000"] = member.calls_of(URL)

    check_baseline(request.config, "instances", counted)
    assert counted["1000"] == {"nova": 1}


def test_nothing_changed_is_304(member):
    add_server(member.cloud, "web")
    etag = member.get(URL).attribute("data-status-etag")

    member.get(f"{URL}status/", status=304, **{"If-None-Match": etag})
    member.cloud.compute.servers[0]["status"] = "SHUTOFF"
    member.get(f"{URL}status/", status=200, **{"If-None-Match": etag})
