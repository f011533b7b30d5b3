"""Where instances go: properties of the decision for all requests, and the words it is explained with."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tripleo_ui.orchestration.instances.candidates import (
    AFFINITY,
    ANTI_AFFINITY,
    SOFT_AFFINITY,
    SOFT_ANTI_AFFINITY,
    Wanted,
    decide,
)
from tripleo_ui.orchestration.instances.demand import DISABLED, Demand, Group
from tripleo_ui.orchestration.instances.explanation import Lacks, explain, refusal
from tripleo_ui.services.placement import Candidate, Candidates, Inventory

POLICIES = ["", AFFINITY, ANTI_AFFINITY, SOFT_AFFINITY, SOFT_ANTI_AFFINITY]
CPU = 2


def offered(free):
    """Candidates of hosts with so many VCPU free, for instances of two."""
    ways = tuple(Candidate(host, {host: {"VCPU": CPU}}) for host, each in sorted(free.items()) if each >= CPU)
    return Candidates(ways, {host: {"VCPU": each} for host, each in free.items()})


hosts = st.dictionaries(st.sampled_from("abcdefgh"), st.integers(0, 20), max_size=8)
counts = st.integers(1, 30)


@st.composite
def requests(draw):
    count = draw(counts)
    return Wanted(
        count,
        draw(st.integers(0, count)),
        draw(st.sampled_from(POLICIES)),
        draw(st.integers(1, 3)),
        draw(st.dictionaries(st.sampled_from("abcdefgh"), st.integers(0, 3), max_size=3)),
        frozenset(draw(st.lists(st.sampled_from("abcdefgh"), max_size=3))),
    )


@given(hosts, requests())
def test_no_host_gets_more_than_it_has_and_no_rule_is_broken(free, wanted):
    decision = decide(offered(free), wanted)
    per_host = decision.per_host

    assert len(decision.places) <= wanted.count
    assert all(number * CPU <= free[host] for host, number in per_host.items())
    assert not wanted.excluded & set(per_host)
    if wanted.policy == ANTI_AFFINITY:
        assert all(number + wanted.members.get(host, 0) <= wanted.most_per_host for host, number in per_host.items())
    if wanted.policy == AFFINITY:
        present = {host for host, number in wanted.members.items() if number}
        assert set(per_host) <= present if present else len(per_host) <= 1


@given(hosts, requests())
def test_all_are_placed_or_as_many_as_can_be(free, wanted):
    decision = decide(offered(free), wanted)
    room = {host: each // CPU for host, each in free.items() if each >= CPU and host not in wanted.excluded}
    if wanted.policy == ANTI_AFFINITY:
        room = {host: min(n, max(0, wanted.most_per_host - wanted.members.get(host, 0))) for host, n in room.items()}
    most = sum(room.values())
    if wanted.policy == AFFINITY:
        present = {host for host, number in wanted.members.items() if number}
        most = sum(n for host, n in room.items() if host in present) if present else max(room.values(), default=0)
    most = min(most, wanted.count)

    assert len(decision.places) == (most if most >= wanted.min_count else 0)
    assert bool(decision.problem) == (most < wanted.min_count)


@given(hosts, requests())
def test_decision_depends_on_nothing_but_what_is_asked(free, wanted):
    turned = offered(free)
    turned = Candidates(turned.ways[::-1], dict(reversed(turned.free.items())))
    assert decide(offered(free), wanted).per_host == decide(turned, wanted).per_host


@given(st.integers(1, 8), counts)
def test_instances_are_spread_over_hosts_that_are_alike(number, count):
    free = {chr(ord("a") + each): 100 for each in range(number)}
    per_host = decide(offered(free), Wanted(count, count)).per_host
    loads = [per_host[host] for host in free]
    assert max(loads) - min(loads) <= 1


def test_soft_rules_give_way():
    free = {"a": 20, "b": 4}
    together = decide(offered(free), Wanted(11, 11, SOFT_AFFINITY, members={"b": 1}))
    assert together.per_host == Counter(a=9, b=2)
    apart = decide(offered({"a": 20, "b": 20}), Wanted(3, 3, SOFT_ANTI_AFFINITY, members={"a": 2}))
    assert apart.per_host == Counter(b=2, a=1)


def test_shared_parts_are_counted_once():
    ways = tuple(Candidate(host, {host: {"VCPU": 1}, "pool": {"DISK_GB": 10}}) for host in "ab")
    free = {"a": {"VCPU": 9}, "b": {"VCPU": 9}, "pool": {"DISK_GB": 35}}
    assert decide(Candidates(ways, free), Wanted(9, 1)).per_host == Counter(a=2, b=1)


@pytest.mark.parametrize(
    ("free", "wanted", "sentences"),
    [
        (
            {"a": 20, "b": 2},
            Wanted(5, 5),
            ["It has room for all 5; 4 go here.", "It has room for 1; 1 goes here."],
        ),
        (
            {"a": 4, "b": 8},
            Wanted(1, 1),
            ["It has room; the instance goes here.", "It has room, but another one has more."],
        ),
        (
            {"a": 8, "b": 8},
            Wanted(2, 1, ANTI_AFFINITY, members={"a": 1}),
            [
                "It has room for all 2; 1 goes here, to be apart from the others.",
                "The server group has 1 here already, and its rule allows no more.",
            ],
        ),
        (
            {"a": 8, "b": 4},
            Wanted(3, 3, AFFINITY),
            [
                "It has room for all 3; 3 go here, to be together.",
                "It has room for 2, but the server group keeps its members on one host, and that is another.",
            ],
        ),
        ({"a": 4}, Wanted(9, 9), ["It has room for 2, which is not enough."]),
    ],
)  # fmt: skip
def test_candidates_are_explained(free, wanted, sentences):
    decision = decide(offered(free), wanted)
    told = explain(decision, wanted, {host: f"host {host}" for host in free}, {})
    assert [why.why for why in told] == sentences


DEMAND = Demand({"": Group({"VCPU": 8, "MEMORY_MB": 512}, frozenset({"CUSTOM_A"}), frozenset({"CUSTOM_B", DISABLED}))})


@pytest.mark.parametrize(
    ("lacks", "sentence"),
    [
        (Lacks(resources=frozenset({"VCPU"}), inventories={"VCPU": Inventory(4, 16)}), "4 VCPU are free, 8 are asked."),
        (
            Lacks(resources=frozenset({"VCPU"}), inventories={"VCPU": Inventory(64, 4)}),
            "One instance may have 4 VCPU, 8 are asked.",
        ),
        (Lacks(resources=frozenset({"VCPU"}), inventories={}), "It has no VCPU."),
        (Lacks(resources=frozenset({"VCPU"})), "Fewer than 8 VCPU are free."),
        (Lacks(frozenset({"CUSTOM_A"})), "It lacks the trait CUSTOM_A."),
        (Lacks(frozenset({"CUSTOM_B"})), "It has the trait CUSTOM_B, which it must not."),
        (Lacks(frozenset({DISABLED}), resources=frozenset({"VCPU"})), "It is disabled."),
        (Lacks(zone=True), "It is in another availability zone."),
        (Lacks(), "Placement does not offer it."),
    ],
)
def test_hosts_that_are_no_candidates_say_why(lacks, sentence):
    assert refusal(lacks, DEMAND) == sentence
