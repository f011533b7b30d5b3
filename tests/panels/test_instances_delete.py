"""Deleting instances: named, confirmed, asked for once."""

import pytest

from tests.panels.instances import URL, add_server, delete
from tripleo_ui.orchestration import api

DELETE = f"{URL}delete/"
NONCE = "0" * 32


@pytest.fixture
def servers(member):
    for name in ("web", "db"):
        add_server(member.cloud, name)
    return ["server-web", "server-db"]


def asked():
    return api.find("p1", workflow="instance.delete").items


def test_the_page_names_what_goes_and_asks_for_the_name(member, servers):
    page = member.get(f"{DELETE}?server=server-web")

    assert "Delete web" in page.text
    assert "server-web" in page.text
    assert "This cannot be undone." in page.text
    assert "Type web to confirm" in page.text


def test_several_are_confirmed_by_their_number(member, servers):
    page = member.get(f"{DELETE}?server=server-web&server=server-db&server=server-web&server=gone")

    assert "Delete 2 instances" in page.text
    assert "Type their number, 2 , to confirm" in page.text


@pytest.mark.parametrize("confirm", ["", "Web", "2", "yes"])
def test_another_word_deletes_nothing(member, servers, confirm):
    page = member.post(DELETE, {"server": "server-web", "confirm": confirm, "nonce": NONCE}, status=400)

    assert "Nothing was deleted." in page.text
    assert not asked()
    assert not member.cloud.trusts


def test_what_was_confirmed_is_submitted_once(member, servers):
    form = {"server": servers, "confirm": "2", "nonce": NONCE}
    for _press in range(2):
        assert member.post(DELETE, form).response["Location"] == URL

    (request,) = asked()
    assert sorted(request.params["servers"]) == sorted(servers)
    assert request.title == "Delete 2 instances"
    assert request.requester.user_name == "bob"
    assert list(member.cloud.trusts) == [request.trust_id]


def test_what_went_meanwhile_changes_the_answer_that_is_needed(member, servers):
    member.cloud.compute.servers.pop()

    page = member.post(DELETE, {"server": servers, "confirm": "2", "nonce": NONCE}, status=400)

    assert "Type web to confirm" in page.text
    assert not asked()


def test_one_that_is_being_deleted_names_who_does_it(member, servers):
    delete("server-web")

    page = member.post(DELETE, {"server": servers, "confirm": "2", "nonce": NONCE}, status=409)

    assert "Another request works on one of these instances." in page.text
    assert "requested by alice" in page.text
    assert not member.cloud.trusts


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("", "No instance is selected"),
        ("?server=gone", "These instances are gone already"),
        ("?" + "&".join(f"server=s{index}" for index in range(101)), "Up to 100 instances can be deleted at once"),
    ],
)
def test_a_page_without_instances_says_why(member, query, said):
    page = member.get(DELETE + query)

    assert said in page.text
    assert "to confirm" not in page.text


def test_nova_down_never_looks_like_gone(member, servers):
    member.cloud.failures["nova"] = "timeout"

    page = member.get(f"{DELETE}?server=server-web")
    assert "Compute (Nova)" in page.text
    assert "gone already" not in page.text

    member.post(DELETE, {"server": "server-web", "confirm": "web", "nonce": NONCE}, status=409)
    assert not asked()
