"""Names of plans and roles."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tripleo_ui.planning.errors import PlanningError
from tripleo_ui.planning.names import check_plan_name, check_role_name


@pytest.mark.parametrize("name", ["a", "overcloud", "Over-Cloud-2", "x" * 63])
def test_good_names(name):
    assert check_plan_name(name) == name


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("", "empty"),
        ("x" * 300, "300 characters"),
        ("x" * 64, "64 characters"),
        ("my_cloud", "no name of a plan"),
        ("a/b", "no name of a plan"),
        ("a/b c::d", "no name of a plan"),
        ("a::b", "no name of a plan"),
        ("1st", "begins with a letter"),
        ("-a", "begins with a letter"),
        ("überwolke", "no name of a plan"),
        ("a\n", "no name of a plan"),
        ("..", "no name of a plan"),
    ],
)
def test_bad_names_say_why(name, reason):
    with pytest.raises(ValueError, match=reason):
        check_plan_name(name)


@given(st.text(max_size=80))
def test_what_passes_is_safe_in_a_url_a_container_and_a_host_name(name):
    try:
        check_plan_name(name)
    except ValueError:
        return
    assert name.isascii()
    assert name.replace("-", "").isalnum()
    assert 0 < len(name) <= 63


def test_roles_have_their_own_word():
    with pytest.raises(ValueError, match="name of a role"):
        check_role_name("a b")


def test_errors_are_one_line_with_file_and_line():
    assert str(PlanningError("wrong", "a.yaml", 3)) == "a.yaml:3: wrong"
    assert str(PlanningError("wrong", "a.yaml")) == "a.yaml: wrong"
    assert str(PlanningError("wrong")) == "wrong"
