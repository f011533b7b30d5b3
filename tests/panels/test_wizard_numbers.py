"""Free and missing nodes beside each count."""

import pytest

from tripleo_ui.panels.deployments.wizard.numbers import Want, compute


@pytest.mark.parametrize(
    ("count", "free", "owned", "state", "missing"),
    [
        ("1", 3, 0, "enough", 0),
        ("3", 3, 0, "enough", 0),
        ("4", 3, 0, "missing", 1),
        ("0", 0, 0, "none", 0),
        ("", 3, 0, "none", 0),
        ("abc", 3, 0, "none", 0),
        ("-5", 3, 0, "none", 0),
        (" 2 ", 1, 0, "missing", 1),
        ("3", 1, 2, "enough", 0),
        ("4", 1, 2, "missing", 1),
        ("1", 0, 2, "enough", 0),
        ("9999999", 0, 0, "missing", 9999999),
    ],
)
def test_one_role(count, free, owned, state, missing):
    result = compute([Want("A", count, "f")], {"f": free}, {"A": owned})["A"]
    assert (result.state, result.missing) == (state, missing)
    assert result.word


def test_roles_of_one_flavor_share_its_nodes():
    wants = [Want("A", "2", "f"), Want("B", "2", "f"), Want("C", "1", "g")]
    result = compute(wants, {"f": 3, "g": 1}, {})
    assert [result[role].missing for role in "ABC"] == [0, 1, 0]
    assert result["B"].free == 3


def test_a_flavor_that_nobody_knows():
    result = compute([Want("A", "2", "typed by hand")], {"f": 3}, {})["A"]
    assert result.state == "unknown"
    assert result.detail == ""


def test_numbers_are_said_in_words():
    result = compute([Want("A", "4", "f")], {"f": 3}, {})["A"]
    assert result.word == "1 missing"
    assert result.detail == "3 free and matching, 4 to take"
