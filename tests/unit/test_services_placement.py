"""The client of Placement: claims for many or none, passing conflicts tried again, releases that bear absence."""

import pytest

from tests.fakes.infrastructure import SMALL, InstanceCloud
from tripleo_ui.services.errors import Conflict, ServiceError
from tripleo_ui.services.placement import Inventory


@pytest.fixture
def fake():
    return InstanceCloud(hosts=2, vcpus=4)


@pytest.fixture
def placement(fake):
    return fake.cloud().placement


@pytest.fixture
def host(fake):
    return next(iter(fake.made.placement.providers))


def test_candidates_have_their_hosts_and_what_is_free(fake, placement, host):
    fake.made.placement.consumers["x"] = {host: {"resources": {"VCPU": 3}}}
    found = placement.candidates({"resources": "VCPU:1,MEMORY_MB:512"})
    assert [way.root for way in found.ways] == list(fake.made.placement.providers)
    assert found.ways[0].claim == {host: {"VCPU": 1, "MEMORY_MB": 512}}
    assert found.free[host]["VCPU"] == 1
    assert [way.root for way in placement.candidates({"resources": "VCPU:2"}).ways] != [host]


def test_claims_are_made_for_all_or_for_none(fake, placement, host):
    with pytest.raises(Conflict):
        placement.claim({"a": {host: SMALL}, "b": {host: {"VCPU": 4}}}, "p1", "u1")
    assert placement.claims(["a", "b"]) == {}
    placement.claim({"a": {host: SMALL}, "b": {host: {"VCPU": 3}}}, "p1", "u1")
    assert placement.claims(["a", "b", "c"]) == {"a": {host: SMALL}, "b": {host: {"VCPU": 3}}}


def test_consumer_that_has_something_gets_nothing_more(placement, host):
    placement.claim({"a": {host: SMALL}}, "p1", "u1")
    with pytest.raises(Conflict, match="generation"):
        placement.claim({"a": {host: SMALL}}, "p1", "u1")


def test_what_another_one_changed_at_the_same_moment_is_tried_again(fake, placement, host, monkeypatch):
    answers = iter(
        [Conflict("placement", "claim", "Inventory changed while attempting to allocate: concurrent update")]
    )
    call = placement._call

    def first_fails(*arguments, **more):
        if error := next(answers, None):
            raise error
        return call(*arguments, **more)

    monkeypatch.setattr(placement, "_call", first_fails)
    placement.claim({"a": {host: SMALL}}, "p1", "u1")
    assert placement.claims(["a"])
    fake.made.faults["DELETE placement"] = [409, 409]
    placement.release("a")
    assert not placement.claims(["a"])
    placement.release("a")


def test_conflicts_that_do_not_pass_are_told(fake, placement):
    fake.made.faults["DELETE placement"] = [409] * 9
    with pytest.raises(Conflict):
        placement.release("a")
    fake.made.faults["POST placement"] = [500]
    with pytest.raises(ServiceError):
        placement.claim({"a": {}}, "p1", "u1")


def test_inventories_tell_what_is_free_and_the_largest_claim(fake, placement, host):
    fake.made.placement.consumers["x"] = {host: {"resources": {"VCPU": 3}}}
    assert placement.inventories([host])[host]["VCPU"] == Inventory(free=1, most=4)


def test_trees_are_found_by_what_they_have(fake, placement, host):
    fake.made.placement.providers[host]["traits"].add("CUSTOM_A")
    assert placement.trees(required="CUSTOM_A") == {host}
    assert placement.trees(resources="VCPU:5") == set()
    assert {provider.name for provider in placement.providers()} == {"host-1", "host-2"}
