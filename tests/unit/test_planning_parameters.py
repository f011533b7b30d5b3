"""Parameters: five types, typed both ways, with Heat's constraints."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tripleo_ui.planning import parameters
from tripleo_ui.planning.constraints import Constraint
from tripleo_ui.planning.parameters import MASK, TYPES, Parameter


def make(kind, *constraints, **more):
    return Parameter("P", kind, constraints=tuple(Constraint(*each) for each in constraints), **more)


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        ("string", "", ""),
        ("string", " a ", " a "),
        ("string", "0", "0"),
        ("number", "0", 0),
        ("number", "-7", -7),
        ("number", " 1.5 ", 1.5),
        ("number", "1e3", 1000.0),
        ("boolean", "false", False),
        ("boolean", "True", True),
        ("boolean", "0", False),
        ("boolean", "on", True),
        ("json", "{}", {}),
        ("json", '[{"a": null}]', [{"a": None}]),
        ("comma_delimited_list", "", []),
        ("comma_delimited_list", "a, b", ["a", "b"]),
        ("comma_delimited_list", '["a,b", "c"]', ["a,b", "c"]),
    ],
)
def test_text_to_value(kind, text, value):
    found = make(kind).parse(text)
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("number", ""),
        ("number", "abc"),
        ("number", "1_000"),
        ("number", "nan"),
        ("number", "inf"),
        ("number", "1e999"),
        ("number", "٣"),
        ("boolean", "maybe"),
        ("boolean", ""),
        ("json", ""),
        ("json", "1"),
        ("json", '"text"'),
        ("json", "{'a': 1}"),
        ("json", "[NaN]"),
        ("json", "[" * 100_000),
    ],
)
def test_bad_text_is_refused(kind, text):
    with pytest.raises(ValueError, match=r"\w"):
        make(kind).parse(text)


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=10,
)
_VALUES = {
    "string": st.text(),
    "number": st.integers(-(10**15), 10**15) | st.floats(allow_nan=False, allow_infinity=False),
    "boolean": st.booleans(),
    "json": st.lists(_JSON, max_size=4) | st.dictionaries(st.text(), _JSON, max_size=4),
    "comma_delimited_list": st.lists(st.text(), max_size=6),
}


@pytest.mark.parametrize("kind", TYPES)
def test_values_survive_the_way_to_text_and_back(kind):
    @given(_VALUES[kind])
    def check(value):
        parameter = make(kind)
        assert parameter.parse(parameter.format(value)) == value
        assert parameter.accept(value) == value

    check()


@pytest.mark.parametrize(
    ("kind", "value", "found"),
    [
        ("string", 5, "5"),
        ("string", False, "false"),
        ("number", "9292", 9292),
        ("boolean", "False", False),
        ("boolean", 1, True),
        ("json", '{"a": 1}', {"a": 1}),
        ("comma_delimited_list", "a,b", ["a", "b"]),
        ("comma_delimited_list", [1, True], ["1", "true"]),
    ],
)
def test_yaml_values_are_accepted_as_heat_does(kind, value, found):
    assert make(kind).accept(value) == found


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("string", {"a": 1}),
        ("string", None),
        ("number", True),
        ("number", [1]),
        ("number", math.nan),
        ("boolean", 2),
        ("json", 1),
        ("comma_delimited_list", {"a": 1}),
        ("comma_delimited_list", [[1]]),
    ],
)
def test_values_of_other_types_are_refused(kind, value):
    with pytest.raises(ValueError, match=r"\w"):
        make(kind).accept(value)
    assert parameters.typed(make(kind), value) is value


@pytest.mark.parametrize(
    ("kind", "constraint", "good", "bad"),
    [
        ("number", ("range", {"min": 0, "max": 5}), 5, 6),
        ("number", ("range", {"min": "0"}), 0, -1),
        ("string", ("length", {"min": 2, "max": 3}), "abc", "abcd"),
        ("comma_delimited_list", ("length", {"max": 1}), ["a"], ["a", "b"]),
        ("number", ("modulo", {"step": 2, "offset": 1}), 3, 4),
        ("string", ("allowed_values", ["a", "b"]), "a", "c"),
        ("comma_delimited_list", ("allowed_values", ["a", "b"]), ["b", "a"], ["a", "c"]),
        ("number", ("allowed_values", ["1", 2]), 1, 3),
        ("string", ("allowed_pattern", "[a-z]+"), "abc", "abc1"),
        ("string", ("allowed_pattern", "(a|ab)"), "a", "ab"),
    ],
)
def test_constraints(kind, constraint, good, bad):
    parameter = make(kind, constraint)
    assert parameter.accept(good) == good
    with pytest.raises(ValueError, match=r"\w"):
        parameter.accept(bad)


def test_a_custom_constraint_is_heats_to_check():
    assert make("string", ("custom_constraint", "nova.flavor")).accept("x") == "x"


def test_a_constraints_own_words_are_used():
    with pytest.raises(ValueError, match="Only small ones"):
        make("number", ("range", {"max": 1}, "Only small ones.")).parse("2")


@pytest.mark.parametrize("description", ["", "Eight or more."])
def test_a_hidden_value_is_never_in_a_message(description):
    parameter = make("string", ("allowed_pattern", ".{8,}", description), hidden=True)
    with pytest.raises(ValueError, match=r"\w") as caught:
        parameter.parse("s3cr3t")
    assert "s3cr3t" not in str(caught.value)


def test_shown_values():
    assert make("string", hidden=True).with_value("s3cr3t").text == MASK
    assert make("string", hidden=True).text == ""
    assert make("number", default=0).text == "0"
    assert make("boolean", default=False).text == "false"
    assert make("boolean", default=True).with_value(False).effective is False


def test_required_missing_and_given():
    assert make("string").required
    assert make("string").missing
    assert not make("string", default="").required
    given = make("number").with_value(0)
    assert given.given
    assert not given.missing
    assert given.required


def test_limits_for_a_form():
    parameter = make("number", ("range", {"min": "0", "max": 2.5}), ("allowed_values", [1, 2]))
    assert parameter.range == (0, 2.5)
    assert parameter.length == (None, None)
    assert parameter.allowed_values == (1, 2)


def test_definition_survives_reading_and_writing():
    definition = {
        "type": "number",
        "label": "L",
        "description": "D",
        "default": 0,
        "hidden": True,
        "constraints": [{"range": {"min": 0}, "description": "R"}],
    }
    assert parameters.read("P", definition).hot() == definition


@pytest.mark.parametrize(
    "definition",
    [
        {},
        {"type": "Number"},
        {"type": "string", "constraints": {"range": {}}},
        {"type": "string", "constraints": ["range"]},
        {"type": "string", "constraints": [{"range": 1}]},
        {"type": "string", "constraints": [{"range": {}, "length": {}}]},
        {"type": "string", "constraints": [{"allowed_values": "a"}]},
        {"type": "string", "constraints": [{"allowed_pattern": "("}]},
        {"type": "string", "constraints": [{"surprise": 1}]},
    ],
)
def test_bad_definitions_name_the_parameter(definition):
    with pytest.raises(ValueError, match="parameter P"):
        parameters.read("P", definition)
