"""The client of Nova, for servers; and user data, which waits for them in Swift."""

import pytest

from tests.fakes import FakeCloud
from tests.fakes.infrastructure import InstanceCloud
from tripleo_ui.services.errors import NotFound
from tripleo_ui.services.nova import Limit


def test_servers_are_found_by_their_mark_through_all_pages(monkeypatch):
    fake = FakeCloud()
    for number in range(7):
        fake.compute.add_server(f"s{number}", metadata={"tripleo_ui_request": "r1" if number % 2 else "r2"})
    monkeypatch.setattr("tripleo_ui.services.nova.LIMIT", 3)
    assert [server.name for server in fake.cloud().nova.marked("r1")] == ["s1", "s3", "s5"]


def test_page_says_where_the_next_one_begins():
    fake = FakeCloud()
    for number in range(3):
        fake.compute.add_server(f"s{number}")
    nova = fake.cloud().nova
    page, marker = nova.page(2)
    assert [server.name for server in page] == ["s0", "s1"]
    page, marker = nova.page(2, marker)
    assert ([server.name for server in page], marker) == (["s2"], None)


def test_server_that_is_gone_is_none_and_needs_no_deletion():
    nova = InstanceCloud().cloud().nova
    assert nova.server("x") is None
    nova.delete("x")


def test_limits_key_pairs_and_groups():
    fake = InstanceCloud()
    fake.made.unlimited["maxTotalCores"] = 4
    fake.made.groups.append({"id": "g", "name": "g", "policy": "anti-affinity", "members": ["s"], "rules": None})
    nova = fake.cloud().nova
    assert nova.limits()["cores"] == Limit(0, 4)
    assert (nova.limits()["instances"].free, nova.limits()["cores"].free) == (None, 4)
    assert (nova.has_key_pair("laptop"), nova.has_key_pair("phone")) == (True, False)
    assert [(group.policy, group.members, group.most_per_host) for group in nova.server_groups()] == [
        ("anti-affinity", ("s",), 1)
    ]


def test_chosen_hosts_go_with_the_services_own_token(monkeypatch):
    fake = InstanceCloud()
    cloud = fake.cloud()
    tokens = []
    send = type(fake).send

    def record(self, request, **more):
        tokens.append((request.headers.get("X-Auth-Token"), request.headers.get("X-Service-Token")))
        return send(self, request, **more)

    monkeypatch.setattr(type(fake), "send", record)
    cloud.nova.limits()
    cloud.placing.limits()
    cloud.service.placing.limits()
    assert tokens == [("token", None), ("token", "token"), ("token", None)]


def test_user_data_is_kept_until_it_is_forgotten():
    userdata = InstanceCloud().cloud().userdata
    first, second = userdata.put("päss"), userdata.put("two")
    assert (userdata.get(first), userdata.get(second)) == ("päss", "two")
    userdata.delete(first)
    userdata.delete(first)
    with pytest.raises(NotFound):
        userdata.get(first)
    assert userdata.get(second) == "two"
