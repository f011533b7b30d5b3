"""YAML as Heat reads it, with lines."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tripleo_ui.planning import yamlio
from tripleo_ui.planning.errors import PlanningError


def data(text):
    return yamlio.load(text, "f.yaml").data


def fails(text):
    with pytest.raises(PlanningError) as caught:
        yamlio.load(text, "f.yaml")
    assert "\n" not in str(caught.value)
    return caught.value


def test_dates_stay_text():
    assert data("heat_template_version: 2021-04-16\nat: 2001-12-14t21:59:43Z") == {
        "heat_template_version": "2021-04-16",
        "at": "2001-12-14t21:59:43Z",
    }


def test_a_key_twice_is_an_error_with_its_line():
    error = fails("a:\n  b: 1\n  c: 2\n  b: 3\n")
    assert (error.file, error.line) == ("f.yaml", 4)
    assert "'b' is given twice, first in line 2" in error.reason


def test_the_same_key_in_two_mappings_is_fine():
    assert data("a: {x: 1}\nb: {x: 1}") == {"a": {"x": 1}, "b": {"x": 1}}


def test_merged_keys_may_be_overridden():
    assert data("base: &b {x: 1, y: 2}\nown: {<<: *b, y: 3}")["own"] == {"x": 1, "y": 3}


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a: [1,\nb: 2", 2),
        ("a: 1\n b: 2", 2),
        ("a: 1\n---\nb: 2", 2),
        ("a: *nowhere", 1),
        ("a: 1\nb: !!python/object:os.system x", 2),
        ("ok: 1\n? [a]\n: 1\n\tb: 2", 4),
        ("a: =", 1),
        ("a: b\n\x07c: d", 2),
        ("{a: 1}\n{b: 2}", 2),
        ("a: {[]: 1}", 1),
    ],
)
def test_what_is_no_yaml_says_where(text, line):
    assert fails(text).line == line


def test_a_loop_of_aliases_is_refused():
    assert "contains it" in fails("a: &a [*a]").reason


def test_aliases_that_explode_are_refused():
    text = "a: &a [x,x,x,x,x,x,x,x,x,x]\n" + "".join(
        f"{name}: &{name} [{','.join(['*' + before] * 10)}]\n"
        for before, name in zip("abcdefgh", "bcdefghi", strict=True)
    )
    assert "repeat too much" in fails(text).reason


@pytest.mark.parametrize("text", ["[" * 50_000, "a: " + "{a: " * 50_000, "- " * 50_000 + "x"])
def test_depth_has_a_limit(text):
    assert "nest" in fails(text).reason


def test_an_empty_text_is_nothing():
    assert data("") is None
    assert data("# only a comment\n") is None


def test_lines_of_paths():
    document = yamlio.load("a:\n  b:\n  - x\n  - c: 1\n", "f")
    assert document.line(("a", "b", 1, "c")) == 4
    assert document.line(("a", "nothing")) == 1
    assert document.line(("a", "b", 7)) == 2
    assert document.node(("a", "b", 7)) is None
    assert str(document.error("no", ("a", "b"))) == "f:2: no"


def test_the_same_data_gives_the_same_bytes_without_aliases():
    shared = [1, 2]
    text = yamlio.dump({"b": shared, "a": shared, "text": "one\ntwo\n", "version": "2021-04-16", "yes": "no"})
    assert "&" not in text
    assert text.startswith("b:\n- 1")
    assert "|" in text
    assert data(text) == {"b": [1, 2], "a": [1, 2], "text": "one\ntwo\n", "version": "2021-04-16", "yes": "no"}


_TEXTS = st.text(alphabet=st.characters(blacklist_categories=["Cs"]))
_DATA = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | _TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_TEXTS, inner, max_size=4),
    max_leaves=20,
)


@given(_DATA)
def test_what_is_written_is_read_back(value):
    assert yamlio.load(yamlio.dump(value), "f").data == value


@given(st.text(max_size=60))
def test_any_text_is_data_or_an_error_of_ours(text):
    try:
        line = yamlio.load(text, "f").line()
    except PlanningError as error:
        line = error.line
    assert line >= 1
