"""What a draft holds: flat text as typed, compared and merged."""

import pytest
from django.http import QueryDict

from tripleo_ui.panels.deployments.wizard import sections
from tripleo_ui.panels.deployments.wizard.sections import Difference


def query(**fields):
    post = QueryDict(mutable=True)
    for name, value in fields.items():
        post.setlist(name, value if isinstance(value, list) else [value])
    return post


class TestTyped:
    def test_keeps_text_as_typed(self):
        post = query(name="  a b ", description="ünï\r\ncode\n")
        assert sections.typed(post) == {"name": "  a b ", "description": "ünï\ncode\n"}

    def test_leaves_out_what_steers_the_wizard(self):
        post = query(
            csrfmiddlewaretoken="x", seen="1", tab="2", turn="3", goto="next", finish="deploy", shown="A", x="y"
        )
        assert sections.typed(post) == {"x": "y"}

    def test_no_secret_enters_a_draft(self):
        post = query(**{"secret:Compute-1::Password": "hunter2", "Controller-1::Password": "hunter2", "other": "1"})
        assert sections.typed(post, without=["Controller-1::Password"]) == {"other": "1"}


class TestTypedRoles:
    def test_boxes_that_are_off_are_said_to_be_off(self):
        post = query(shown=["A", "B"], role=["A"], **{"A.service": ["x"], "A.element.x": "x2", "B.element.y": "y1"})
        assert sections.typed_roles(post, ["x", "y"]) == {
            "A": "on",
            "A.service.x": "on",
            "A.element.x": "x2",
            "A.service.y": "off",
            "B": "off",
            "B.service.x": "off",
            "B.service.y": "off",
            "B.element.y": "y1",
        }

    def test_an_element_is_remembered_while_its_service_is_off(self):
        post = query(shown=["A"], **{"A.element.x": "x2"})
        assert sections.typed_roles(post, ["x"])["A.element.x"] == "x2"

    def test_a_role_that_was_not_shown_is_not_touched(self):
        assert sections.typed_roles(query(role=["Z"]), ["x"]) == {}


class TestDigest:
    def test_order_does_not_count(self):
        assert sections.digest({"a": "1", "b": "2"}) == sections.digest({"b": "2", "a": "1"})

    @pytest.mark.parametrize("other", [{"a": "2"}, {"a": "1 "}, {"b": "1"}, {}])
    def test_any_other_text_counts(self, other):
        assert sections.digest({"a": "1"}) != sections.digest(other)


def test_every_step_has_a_section():
    assert sections.of({"name": {"name": "x"}, "visited": ["name"]}) == {
        "name": {"name": "x"},
        "roles": {},
        "counts": {},
        "parameters": {},
    }


def test_differences_are_in_the_order_of_the_steps():
    before = {"parameters": {"p": "1"}, "name": {"name": "a"}}
    after = {"parameters": {"p": "2", "q": "3"}, "name": {}}
    assert sections.differences(before, after) == [
        Difference("name", "name", "a", None),
        Difference("parameters", "p", "1", "2"),
        Difference("parameters", "q", None, "3"),
    ]


class TestOnTop:
    base = {"counts": {"A.count": "1", "A.flavor": "x", "A.image": "i"}}

    def test_mine_wins_where_i_changed(self):
        mine = {"counts": {"A.count": "3", "A.flavor": "x", "A.image": "i"}}
        theirs = {"counts": {"A.count": "2", "A.flavor": "y", "A.image": "i"}}
        merged = sections.on_top(self.base, mine, theirs)
        assert merged["counts"] == {"A.count": "3", "A.flavor": "y", "A.image": "i"}

    def test_what_no_form_showed_me_is_theirs(self):
        theirs = {"counts": {"A.count": "2"}, "parameters": {"p": "9"}}
        merged = sections.on_top(self.base, {}, theirs)
        assert merged["counts"] == {"A.count": "2"}
        assert merged["parameters"] == {"p": "9"}

    def test_theirs_is_not_changed_in_place(self):
        theirs = {"counts": {"A.count": "2"}}
        sections.on_top(self.base, {"counts": {"A.count": "5"}}, theirs)
        assert theirs == {"counts": {"A.count": "2"}}
