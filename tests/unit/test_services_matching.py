"""Nodes for all flavors at once."""

import itertools
import random

import pytest

from tripleo_ui.services.matching import Shortage, shortage
from tripleo_ui.services.nodes import Node
from tripleo_ui.services.nova import Flavor

CLASS = "CUSTOM_NODE"


def flavor(name, *traits):
    return Flavor(name, name, 1, 1, 1, CLASS, frozenset(traits))


def nodes(*traits):
    return [Node(str(at), str(at), "node", frozenset(each), "available", "power off") for at, each in enumerate(traits)]


PLAIN, FAST = flavor("plain"), flavor("fast", "FAST")
BOTH = {"plain": PLAIN, "fast": FAST}


def test_flavors_that_fit_the_same_nodes_share_them():
    same = {"one": flavor("one"), "two": flavor("two")}
    found = shortage({"one": 2, "two": 2}, same, nodes([], [], []))
    assert found == Shortage({"one": 2, "two": 2}, 3)
    assert (
        str(found) == "4 nodes of flavors one (2) and two (2) are wanted together and 3 that fit any of them are free"
    )
    assert shortage({"one": 2, "two": 1}, same, nodes([], [], [])) is None


def test_a_choosy_flavor_gets_the_nodes_that_only_it_needs():
    assert shortage({"plain": 2, "fast": 2}, BOTH, nodes(["FAST"], ["FAST"], [], [])) is None


def test_a_flavor_that_misses_nodes_by_itself_is_named_alone():
    found = shortage({"plain": 1, "fast": 2}, BOTH, nodes(["FAST"], [], [], []))
    assert str(found) == "2 nodes of flavor fast are wanted and 1 are free"


def test_flavors_with_enough_are_not_named():
    other = Flavor("other", "other", 1, 1, 1, "CUSTOM_OTHER")
    found = shortage({"other": 0, "plain": 2, "fast": 1}, BOTH | {"other": other}, nodes(["FAST"], []))
    assert set(found.wanted) == {"plain", "fast"}
    assert found.found == 2


def test_nothing_is_wanted_of_nothing():
    assert shortage({}, {}, []) is None
    assert shortage({"plain": 0}, BOTH, []) is None


@pytest.mark.parametrize("seed", range(200))
def test_it_says_what_trying_every_set_of_flavors_says(seed):
    """Hall's theorem: all get their nodes unless some flavors together want more than fit any of them."""
    dice = random.Random(seed)
    letters = "ABC"
    flavors = {
        f"f{at}": flavor(f"f{at}", *dice.sample(letters, dice.randint(0, 3))) for at in range(dice.randint(1, 5))
    }
    there = nodes(*(dice.sample(letters, dice.randint(0, 3)) for _ in range(dice.randint(0, 12))))
    wanted = {name: dice.randint(0, 4) for name in flavors}

    def missing(names):
        return sum(wanted[name] for name in names) - sum(any(n.fits(flavors[name]) for name in names) for n in there)

    sets = [names for size in range(1, 6) for names in itertools.combinations(flavors, size)]
    found = shortage(wanted, flavors, there)

    assert (found is None) == all(missing(names) <= 0 for names in sets)
    if found:
        assert sum(found.wanted.values()) - found.found == missing(list(found.wanted)) > 0


def test_ten_thousand_nodes_take_no_time():
    flavors = {f"f{at}": flavor(f"f{at}", f"T{at % 7}") for at in range(20)}
    there = nodes(*([f"T{at % 7}", f"T{at % 5}"] for at in range(10_000)))
    assert shortage(dict.fromkeys(flavors, 400), flavors, there) is None
