"""Random values from expressions."""

import re
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tripleo_ui.catalog import generator

RANGE = st.sampled_from(["a-z", "A-Z", "0-9", "b-b", "a-Z", "x-5", r"\w", r"\d", r"\a", r"\A"])
CLASSES = st.builds("[{}]{{{}}}".format, st.lists(RANGE, min_size=1, max_size=1).map("".join), st.integers(1, 255))
TEXTS = st.text(string.ascii_letters + "-_.$ ", max_size=8)
EXPRESSIONS = st.lists(st.one_of(TEXTS, CLASSES), max_size=5).map("".join)


@given(EXPRESSIONS)
def test_what_is_generated_matches_its_expression(expression):
    assert re.fullmatch(generator.pattern(expression), generator.generate(expression))


@pytest.mark.parametrize(
    ("inner", "expected"),
    [
        (r"\d", "0123456789"),
        ("0-9", "0123456789"),
        ("a-a", "a"),
        ("y-B", "yzAB"),
        (r"\d0-9", "0123456789"),
        ("xy0-2", "xy012"),
    ],
)
def test_alphabets_include_the_ends_and_nothing_twice(inner, expected):
    assert generator.alphabet(inner) == expected


def test_symbols_are_symbols_and_words_are_not():
    assert set(generator.alphabet(r"\A")) & set(string.ascii_letters + string.digits) == set()
    assert set(generator.alphabet(r"\w")) == set(string.ascii_letters + string.digits + "_")


def test_every_character_comes():
    assert set(generator.generate("[0-9]{255}" * 4)) == set(string.digits)


@pytest.mark.parametrize(
    ("expression", "problem"),
    [
        ("[ABC]{3}", "malformed expression syntax: [ABC]"),
        ("[z-a]{3}", "invalid range specified: z-a"),
        ("[a-z]{0}", "range must be within [1-255] characters (0)"),
        ("[a-z]{256}", "range must be within [1-255] characters (256)"),
        ("[a-z]{" + "9" * 5000 + "}", "range must be within [1-255] characters"),
    ],
)
def test_wrong_expressions_are_refused(expression, problem):
    with pytest.raises(ValueError, match=re.escape(problem)):
        generator.generate(expression)
    assert problem in generator.check(expression)


def test_what_is_not_generated_is_not_looked_at_again(monkeypatch):
    monkeypatch.setattr(generator.secrets, "choice", lambda _alphabet: "[")
    assert generator.generate(r"[\A]{1}a-z]{3}") == "[a-z]{3}"


@pytest.mark.parametrize("expression", ["[a-z]", "[a-z_]{8}", "plain", ""])
def test_literal_texts_stay(expression):
    assert generator.is_literal(expression)
    assert generator.generate(expression) == expression
    assert generator.check(expression) == ""
