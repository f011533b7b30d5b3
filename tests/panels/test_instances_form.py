"""The form of an instance: all problems at once by field, nothing lost, one request for a double click."""

import html
import re
import time

import pytest

from tests.fakes.virtual import GROUP, NETWORK
from tests.panels.conftest import signed_in
from tests.panels.instances import FORM, URL, ask, requests

CREATE = f"{URL}create/"
USER_DATA = "#!/bin/sh\necho a secret of the tenant\n"


@pytest.fixture(autouse=True)
def offered(cloud):
    """What an instance can be made of."""
    cloud.virtual.offer()


def values(page):
    """What the form's fields hold."""
    shown = {field["name"]: field.get("value", "") for field in page.elements("input") if "name" in field}
    texts = re.findall(r'<textarea[^>]* name="([^"]+)"[^>]*>\n(.*?)</textarea>', page.content, re.DOTALL)
    chosen = re.findall(r'<select[^>]* name="([^"]+)".*?<option value="([^"]*)" selected', page.content, re.DOTALL)
    return shown | {name: html.unescape(text) for name, text in texts} | dict(chosen)


def error(page, path):
    """What is said at a field."""
    found = re.search(rf'id="id_{re.escape(path.replace(".", "_"))}-error">(.*?)</p>', page.content, re.DOTALL)
    assert found, f"no place for errors of {path}"
    return html.unescape(found.group(1).strip())


def kept_user_data(cloud):
    container = cloud.swift.containers.get("tripleo-ui-user-data", {"objects": {}})
    return [
        versions[-1]["content"].decode()
        for versions in container["objects"].values()
        if versions and versions[-1]["content"] is not None
    ]


def test_a_member_gets_the_form_with_all_choices(member):
    page = member.get(CREATE)

    for words in ("small: 1 VCPU, 512 MiB, 5 GiB", "tiny", "private (10.0.0.0/24)", "laptop", "8 left in the quota"):
        assert words in page.text
    assert f'value="{NETWORK}" selected' in page.content


def test_choices_cost_the_same_calls_however_much_there_is(member):
    few = member.calls_of(CREATE)
    for index in range(300):
        member.cloud.compute.add_flavor(f"f{index}", bare_metal=False)
        member.cloud.compute.add_image(f"i{index}")

    assert member.calls_of(CREATE) == few == {"nova": 5, "neutron": 3, "cinder": 2, "glance": 1}


@pytest.mark.parametrize("service", ["nova", "glance", "neutron", "cinder"])
def test_a_service_that_is_away_takes_only_its_choices_with_it(member, service):
    member.cloud.failures[service] = "refuse"

    page = member.get(CREATE)

    assert "could not list" in page.text
    assert "type a name or an id" in page.text
    typed = values(page)
    assert {"name", "flavor", "image", "key_name"} <= set(typed)


def test_a_slow_service_is_waited_for_once_and_not_for_each_list(member):
    member.cloud.latency["nova"] = 0.2

    began = time.monotonic()
    member.get(CREATE)

    assert time.monotonic() - began < 5 * 0.2


def test_a_request_is_submitted_with_a_trust_and_leads_to_its_page(member):
    response = member.post(CREATE, FORM | {"count": "2", "min_count": "1", "security_groups": GROUP}).response

    (request,) = requests()
    assert response["Location"] == f"{URL}requests/{request.id}/"
    assert request.trust_id in member.cloud.trusts
    assert request.requester.user_name == "bob"
    assert request.params["count"] == 2
    assert request.params["min_count"] == 1
    assert request.params["networks"] == [{"network": NETWORK, "fixed_ip": ""}]
    assert request.params["security_groups"] == [GROUP]
    assert request.params["boot_volume"] is None


def test_a_boot_volume_volumes_and_the_rest_come_through(member):
    form = FORM | {
        "source": "volume",
        "boot_volume.size": "8",
        "boot_volume.type": "fast",
        "volumes.0.size": "3",
        "volumes.0.type": "",
        "volumes.1.size": "4",
        "volumes.1.type": "t1",
        "volumes.1.delete": "on",
        "key_name": "laptop",
        "metadata": "role = web\n\ntier=front = end",
        "config_drive": "on",
        "availability_zone": "nova",
    }
    member.post(CREATE, form)

    params = requests()[0].params
    assert params["boot_volume"] == {"size": 8, "type": "fast", "delete": True}
    assert params["volumes"] == [
        {"size": 3, "type": "", "delete": False},
        {"size": 4, "type": "t1", "delete": True},
    ]
    assert params["metadata"] == {"role": "web", "tier": "front = end"}
    assert params["config_drive"] is True
    assert params["key_name"] == "laptop"


def test_every_problem_stands_at_its_field_and_nothing_that_was_typed_is_lost(member):
    wrong = FORM | {
        "name": "",
        "count": "200",
        "flavor": "no-such-flavor",
        "networks.0.fixed_ip": "10.0.0.1",
        "volumes.0.size": "much",
        "volumes.0.type": "",
        "key_name": "lost",
        "metadata": "tripleo_ui_request = x",
        "user_data": USER_DATA,
    }

    page = member.post(CREATE, wrong, status=400)

    assert error(page, "name") == "Give it a name."
    assert "from 1 to 100" in error(page, "count")
    assert "no flavor" in error(page, "flavor")
    assert "gateway" in error(page, "networks.0.fixed_ip")
    assert "whole number" in error(page, "volumes.0.size")
    assert "no key pair" in error(page, "key_name")
    assert "tripleo_ui_request: That name" in error(page, "metadata")
    assert "7 problems. Nothing was created." in page.text
    typed = values(page)
    assert {name: typed[name] for name in wrong if name not in ("source", "boot_volume.delete", "user_data")} == {
        name: value for name, value in wrong.items() if name not in ("source", "boot_volume.delete", "user_data")
    }
    assert typed["user_data"].split() == USER_DATA.split()
    assert not requests()
    assert not member.cloud.trusts


def test_what_is_missing_hides_no_other_problem(member):
    missing = FORM | {"name": "", "flavor": "", "image": "", "networks.0.network": "", "key_name": "lost"}
    page = member.post(CREATE, missing, status=400)

    for path, said in (("name", "Give it a name."), ("flavor", "Choose a flavor."), ("image", "Choose an image.")):
        assert error(page, path) == said
    assert error(page, "networks.0.network") == "Choose a network."
    assert "no key pair" in error(page, "key_name")


def test_problems_lead_to_their_fields(member):
    page = member.post(CREATE, FORM | {"count": "9"}, status=400)

    assert "9 instances are asked, and 8 of the quota of 10 are free." in error(page, "count")
    assert any(link.get("href") == "#id_count" for link in page.elements("a"))


def test_a_double_click_is_one_request(member):
    form = FORM | {"user_data": USER_DATA}
    first = member.post(CREATE, form).response
    second = member.post(CREATE, form).response

    assert first["Location"] == second["Location"]
    assert len(requests()) == 1
    assert len(member.cloud.trusts) == 1
    assert len(kept_user_data(member.cloud)) == 1


def test_the_same_form_with_other_content_is_told_and_can_be_sent_again(member):
    member.post(CREATE, FORM)
    page = member.post(CREATE, FORM | {"name": "db"}, status=409)

    assert "sent before with other content" in page.text
    again = values(page)["nonce"]
    assert again != FORM["nonce"]
    member.post(CREATE, FORM | {"name": "db", "nonce": again})
    assert [request.params["name"] for request in requests()] == ["db", "web"]


def test_a_name_that_is_being_made_names_who_makes_it(member):
    ask(count=1)
    page = member.post(CREATE, FORM | {"user_data": USER_DATA}, status=409)

    assert "Another request makes instances of this name." in page.text
    assert "requested by alice" in page.text
    assert kept_user_data(member.cloud) == []


def test_user_data_is_in_swift_and_in_no_table(member, database):
    member.post(CREATE, FORM | {"user_data": USER_DATA})

    assert "a secret of the tenant" in kept_user_data(member.cloud)[0]
    assert requests()[0].params["user_data_ref"]
    assert all(b"secret of the tenant" not in file.read_bytes() for file in database.parent.glob("*.sqlite*"))


def test_user_data_of_a_form_with_problems_is_not_kept(member):
    member.post(CREATE, FORM | {"user_data": USER_DATA, "count": "0"}, status=400)

    assert kept_user_data(member.cloud) == []


def test_user_data_that_is_too_long_is_a_problem_of_its_field(member):
    page = member.post(CREATE, FORM | {"user_data": "x" * 60000}, status=400)

    assert "65535" in error(page, "user_data")


@pytest.mark.parametrize("service", ["nova", "neutron", "keystone"])
def test_a_service_that_is_away_at_the_last_moment_loses_nothing(member, service):
    member.cloud.failures[service] = 503
    page = member.post(CREATE, FORM | {"user_data": USER_DATA}, status=502)

    assert values(page)["name"] == "web"
    assert values(page)["user_data"].split() == USER_DATA.split()
    assert "was told to fail" in page.text
    assert not requests()
    assert kept_user_data(member.cloud) == []


def test_rows_are_added_and_removed_without_a_script(member):
    page = member.post(CREATE, FORM | {"rows": "add:networks"}, status=200)
    assert {"networks.0.network", "networks.1.network"} <= set(values(page))

    more = FORM | {"networks.1.network": "other", "networks.1.fixed_ip": "10.9.9.9", "rows": "remove:networks.0"}
    page = member.post(CREATE, more, status=200)
    assert values(page)["networks.0.fixed_ip"] == "10.9.9.9"
    assert "networks.1.network" not in values(page)

    page = member.post(CREATE, FORM | {"rows": "add:volumes", "user_data": USER_DATA}, status=200)
    assert "volumes.0.size" in values(page)
    assert values(page)["user_data"].split() == USER_DATA.split()
    assert not requests()
    assert kept_user_data(member.cloud) == []


@pytest.mark.parametrize("rows", ["remove:networks.7", "remove:networks", "add:networks.99"])
def test_rows_that_are_not_there_harm_nothing(member, rows):
    member.post(CREATE, FORM | {"rows": rows}, status=200)


def test_there_are_no_more_rows_than_a_request_may_have(member):
    many = {f"networks.{index}.network": NETWORK for index in range(20)}

    page = member.post(CREATE, FORM | many | {"rows": "add:networks"}, status=200)

    assert "networks.20.network" not in values(page)


def test_hostile_texts_stay_texts(member):
    page = member.post(
        CREATE, FORM | {"name": '"><script>alert(1)</script>', "user_data": "</textarea><b>"}, status=302
    )
    page = member.get(page.response["Location"])
    assert "<script>alert" not in page.content

    page = member.post(
        CREATE, FORM | {"nonce": "1" * 32, "flavor": "</select><b>", "user_data": "</textarea><b>"}, status=400
    )
    assert "</select><b>" not in page.content
    assert "</textarea><b>" not in page.content


def test_a_stranger_cannot_post_without_the_forms_token(cloud):
    client = signed_in(cloud.catalog(), ["member"], enforce_csrf=True)

    assert client.post(CREATE, FORM).status_code == 403
    assert not requests()
