"""Answers to a dialog as parameters."""

from dataclasses import replace

import pytest

from tripleo_ui.catalog import answers, dialog, processing
from tripleo_ui.catalog.fields import Condition, Dialog, Field, Limit
from tripleo_ui.catalog.template import Parameter, Template


def given(*fields, **found):
    return answers.parameters(Dialog(fields), found)


def test_blank_answers_are_left_out_so_that_generators_run():
    template = Template(
        "t", (), (Parameter("P", generate="expression", from_="[a-z]{9}", required=True), Parameter("Q"))
    )
    found = answers.parameters(dialog.build(template), {"P": " ", "Q": "", "Z": None})
    assert (found.parameters, found.problems) == ({}, {})
    assert len(processing.process(template, found.parameters).values["P"]) == 9


@pytest.mark.parametrize(
    ("kind", "answer", "text"),
    [
        ("text", "  as typed ", "  as typed "),
        ("multi-line", "a\nb\n", "a\nb\n"),
        ("int", " 7 ", "7"),
        ("int", 7, "7"),
        ("int", "9223372036854775807", "9223372036854775807"),
        ("number", "1.50", "1.50"),
        ("bool", True, "true"),
        ("bool", "Off", "false"),
        ("json", '{"a": 1}', '{"a": 1}'),
        ("json", {"a": [1, None]}, '{"a": [1, null]}'),
        ("json", "null", "null"),
        ("secret", " keep me ", " keep me "),
        ("pick", " m1.small ", "m1.small"),
    ],
)
def test_answers_become_texts(kind, answer, text):
    assert given(Field("P", type=kind), P=answer).parameters == {"P": text}


@pytest.mark.parametrize(
    ("field", "answer", "problem"),
    [
        (Field("P", type="int"), "1.5", "must be a whole number"),
        (Field("P", type="int"), True, "must be a whole number"),
        (Field("P", type="number"), "nan", "must be a number"),
        (Field("P", type="bool"), "perhaps", "must be true or false"),
        (Field("P", type="json"), "{a}", "must be JSON"),
        (Field("P", choices=(("a", "A"),)), "A", "must be one of the choices"),
        (Field("P", limits=(Limit("port"),)), "0", "must be at least 1"),
        (Field("P", limits=(Limit(pattern="a+"),)), "b", "does not fit the pattern a+"),
        (Field("P", limits=(Limit(low=2, high=3, of_length=True),)), "1", "must be at least 2 characters"),
        (
            Field("P", limits=(Limit("dns-label", before="x" * 60),)),
            "long",
            "has 64 characters, at most 63 are allowed",
        ),
        (Field("P", required=True), "", "needs a value"),
    ],
)
def test_wrong_answers_are_told_by_field(field, answer, problem):
    found = given(field, P=answer)
    assert (found.parameters, dict(found.problems), found.ok) == ({}, {"P": (problem,)}, False)


def test_messages_and_the_result_say_no_secret():
    found = given(Field("P", type="secret", limits=(Limit(pattern="a+"),)), P="tops3cret")
    assert "tops3cret" not in repr(found)
    assert "tops3cret" not in repr(given(Field("P", type="secret"), P="tops3cret"))


def test_unknown_names_are_told_and_not_sent():
    found = given(Field("P"), P="1", GONE="2")
    assert (found.parameters, found.unknown) == ({"P": "1"}, ("GONE",))


def test_what_is_not_shown_is_not_sent():
    shown = Field("SIZE", when=Condition("DISK", ("true",)), required=True)
    disk = Field("DISK", type="bool", default="false")
    assert given(disk, shown, SIZE="5").parameters == {}
    assert given(disk, shown, DISK="yes", SIZE="5").parameters == {"DISK": "true", "SIZE": "5"}
    assert given(disk, shown, DISK=True).problems == {"SIZE": ("needs a value",)}


def test_what_depends_on_something_hidden_by_another_answer_is_hidden_too():
    first = Field("A", default="no")
    second = Field("B", default="yes", when=Condition("A", ("yes",)))
    third = Field("C", when=Condition("B", ("yes",)))
    assert answers.shown(Dialog((first, second, third)), {}) == {"A"}
    assert answers.shown(Dialog((first, second, third)), {"A": "yes"}) == {"A", "B", "C"}
    assert answers.shown(Dialog((first, second, third)), {"A": "yes", "B": "no"}) == {"A", "B"}


def test_conditions_in_a_circle_show_nothing():
    fields = (
        Field("A", default="x", when=Condition("B", ("x",))),
        Field("B", default="x", when=Condition("A", ("x",))),
    )
    assert answers.shown(Dialog(fields), {"A": "x", "B": "x"}) == set()


@pytest.mark.parametrize("how", [{"hidden": True}, {"locked": True}])
def test_hidden_and_locked_fields_take_their_default(how):
    field = replace(Field("P", default="a", has_default=True), **how)
    assert given(field, P="b").parameters == {}
    assert given(replace(field, own_default=True), P="b").parameters == {"P": "a"}


def test_a_default_of_ones_own_is_sent_when_the_answer_is_blank():
    field = Field("P", default="a", own_default=True)
    assert given(field).parameters == {"P": "a"}
    assert given(field, P="b").parameters == {"P": "b"}


def test_secrets_are_not_kept_for_the_next_time():
    found = Dialog((Field("A"), Field("B", type="secret"), Field("C")))
    kept = answers.without_secrets(found, {"A": "1", "B": "tops3cret", "C": " ", "GONE": "x"})
    assert kept == {"A": "1"}
