"""Edits of YAML that leave every other byte alone."""

import copy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tripleo_ui.planning import yamlio
from tripleo_ui.planning.edits import Editor

TEXT = """\
# head
parameters:   # all of them
  one: '1'  # first
  two: plain
  map:
    list: [1, 2]
    text: |
      line
      more
  # the end of it

flow: {a: 1, b: "x"}
none: {}
null_:
last: z
"""


def edited(*operations, text=TEXT):
    editor = Editor(yamlio.load(text, "f.yaml"))
    for name, *arguments in operations:
        getattr(editor, name)(*arguments)
    result = editor.text()
    assert yamlio.load(result, "f.yaml").data == editor.data
    return result


def changed_lines(result, text=TEXT):
    before, after = text.splitlines(), result.splitlines()
    return [line for line in after if line not in before], [line for line in before if line not in after]


def test_nothing_done_nothing_changed():
    assert edited() == TEXT
    assert edited(("remove", ("nothing", "here"))) == TEXT


def test_a_value_is_replaced_in_place_with_its_comment_kept():
    assert changed_lines(edited(("set", ("parameters", "one"), 3))) == (["  one: 3  # first"], ["  one: '1'  # first"])


@pytest.mark.parametrize(
    ("path", "value", "line"),
    [
        (("parameters", "one"), "2", "  one: '2'  # first"),
        (("parameters", "one"), "it's", "  one: 'it''s'  # first"),
        (("parameters", "two"), "other words", "  two: other words"),
        (("parameters", "two"), "a: b", '  two: "a: b"'),
        (("parameters", "two"), "true", '  two: "true"'),
        (("parameters", "two"), True, "  two: true"),
        (("parameters", "two"), None, "  two: null"),
        (("parameters", "two"), "", '  two: ""'),
        (("parameters", "two"), "a\nb", '  two: "a\\nb"'),
        (("parameters", "two"), "2021-04-16", '  two: "2021-04-16"'),
        (("parameters", "map", "list"), [3], "    list: [3]"),
        (("flow", "b"), "y", 'flow: {a: 1, b: "y"}'),
        (("parameters", "map", "list", 0), 9, "    list: [9, 2]"),
    ],
)
def test_styles_are_kept_where_they_can_be(path, value, line):
    added, _gone = changed_lines(edited(("set", path, value)))
    assert added == [line]


def test_new_keys_come_last_in_their_mapping():
    result = edited(("set", ("parameters", "new"), {"deep": [1]}), ("set", ("parameters", "newer"), False))
    assert "      more\n  new:\n    deep:\n    - 1\n  newer: false\n  # the end of it\n" in result
    assert changed_lines(result)[1] == []


def test_missing_mappings_are_made():
    assert edited(("set", ("x", "y", "z"), 1)).endswith("last: z\nx:\n  y:\n    z: 1\n")


@pytest.mark.parametrize("key", ["none", "null_"])
def test_empty_sections_are_filled_in_place(key):
    result = edited(("set", (key, "a"), 1), ("set", (key, "b"), [2]))
    assert f"{key}:\n  a: 1\n  b:\n  - 2\n" in result
    assert result.startswith("# head\n")


def test_a_block_stays_a_block():
    result = edited(("set", ("parameters", "map"), {"k": 1}))
    assert "  map:\n    k: 1\n  # the end of it\n" in result


def test_a_text_block_is_replaced():
    assert '    text: "short"\n  # the end of it' in edited(("set", ("parameters", "map", "text"), "short"))


def test_removed_keys_take_their_lines_along():
    result = edited(("remove", ("parameters", "map")))
    assert changed_lines(result) == ([], ["  map:", "    list: [1, 2]", "    text: |", "      line", "      more"])


def test_a_mapping_that_loses_all_is_empty_not_null():
    result = edited(*(("remove", ("parameters", key)) for key in ("one", "two", "map")))
    assert "parameters: {}" in result
    assert result.endswith(TEXT[TEXT.index("flow:") :])


def test_remove_and_put_anew():
    result = edited(("remove", ("parameters", "two")), ("set", ("parameters", "two"), 2))
    assert changed_lines(result) == (["  two: 2"], ["  two: plain"])


def test_lists_of_mappings_grow_and_shrink_as_blocks():
    text = "groups:\n- a: 1\n- b: 2\nlast: z\n"
    grown = edited(("set", ("groups",), [{"a": 1}, {"b": 2}, {"c": [3]}]), text=text)
    assert grown == "groups:\n  - a: 1\n  - b: 2\n  - c:\n    - 3\nlast: z\n"
    assert edited(("remove", ("groups", 0)), text=text) == "groups:\n  - b: 2\nlast: z\n"


def test_the_type_counts():
    assert edited(("set", ("a",), True), text="a: 1\n") == "a: true\n"
    assert edited(("set", ("a",), "1"), text="a: 1\n") == 'a: "1"\n'


def test_aliases_are_no_trap():
    text = "base: &b {x: 1}\none: *b\ntwo:\n  <<: *b\n  y: 2\n"
    result = edited(("set", ("one", "x"), 5), text=text)
    assert yamlio.load(result, "f").data == {"base": {"x": 1}, "one": {"x": 5}, "two": {"x": 1, "y": 2}}
    assert yamlio.load(edited(("set", ("two", "x"), 7), text=text), "f").data["two"] == {"x": 7, "y": 2}


def test_lists_and_flow_mappings_are_written_anew():
    text = "a: [1, 2]\nb: {c: 1, d: 2}\n"
    assert yamlio.load(edited(("remove", ("a", 0)), text=text), "f").data["a"] == [2]
    assert yamlio.load(edited(("remove", ("b", "c")), text=text), "f").data["b"] == {"d": 2}


@pytest.mark.parametrize("text", ["", "# nothing\n", "just text\n"])
def test_files_without_a_mapping_become_one(text):
    assert yamlio.load(edited(("set", ("a", "b"), 1), text=text), "f").data == {"a": {"b": 1}}


def test_a_file_without_a_last_line_break():
    assert edited(("set", ("b",), 1), text="a: 1") == "a: 1\nb: 1\n"


_KEYS = st.sampled_from(["a", "b", "c", "d", "e: f"])
_LEAVES = st.none() | st.booleans() | st.integers() | st.text(max_size=8) | st.builds(dict) | st.builds(list)
_MAPPINGS = st.recursive(
    st.dictionaries(_KEYS, _LEAVES, max_size=4), lambda inner: st.dictionaries(_KEYS, inner | _LEAVES, max_size=4)
)
_EDITS = st.lists(
    st.tuples(st.just("set"), st.lists(_KEYS, min_size=1, max_size=3), _LEAVES)
    | st.tuples(st.just("remove"), st.lists(_KEYS, min_size=1, max_size=3)),
    max_size=5,
)


def _apply(data, edit):
    name, path, *value = edit
    for key in path[:-1]:
        below = data.get(key)
        if below is None and name == "set":
            below = data[key] = {}
        if not isinstance(below, dict):
            return False
        data = below
    if name == "set":
        data[path[-1]] = value[0]
    else:
        data.pop(path[-1], None)
    return True


@given(_MAPPINGS, _EDITS)
def test_any_edits_mean_what_they_say(start, edits):
    wanted = copy.deepcopy(start)
    editor = Editor(yamlio.load(yamlio.dump(start), "f"))
    for edit in edits:
        trial = copy.deepcopy(wanted)
        if _apply(trial, edit):
            wanted = trial
            getattr(editor, edit[0])(*edit[1:])
    assert yamlio.load(editor.text(), "f").data == wanted
