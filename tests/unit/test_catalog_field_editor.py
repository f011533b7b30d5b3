"""One field of a dialog in a form: what is typed is an edit only where the template says something else."""

import pytest

from tripleo_ui.catalog.edits import Edits, FieldEdit, merge, problems
from tripleo_ui.catalog.fields import Condition, Dialog, Field, Group
from tripleo_ui.panels.catalog import field_editor
from tripleo_ui.panels.catalog.field_editor import FIRST, apply, headings, moved, values

DIALOG = Dialog(
    (
        Field("A", "Name", "About A", default="a", group="one"),
        Field("B", "Size", type="choice", choices=(("s", "s"), ("l", "Large")), default="s", group="one"),
        Field("C", "Count", type="int", group="two"),
        Field("D", "Key", type="secret", group="one"),
    ),
    (Group("one", "First"), Group("two", "Second")),
)
NONE = Edits()


def edited(name, edits=NONE, **changes):
    return apply(DIALOG, edits, name, values(DIALOG, edits, name) | changes)


def names(edits):
    return [each.name for each in merge(DIALOG, edits).fields]


@pytest.mark.parametrize("name", DIALOG.by_name)
def test_an_untouched_form_is_no_edit(name):
    assert edited(name) == NONE


@pytest.mark.parametrize(
    ("name", "typed", "edit"),
    [
        ("A", {"label": "Title"}, FieldEdit(label="Title")),
        ("A", {"help": ""}, FieldEdit(help="")),
        ("A", {"default": ""}, FieldEdit(default="")),
        ("A", {"type": "multi-line"}, FieldEdit(type="multi-line")),
        ("A", {"choices": "a\nb = Bee"}, FieldEdit(choices=(("a", "a"), ("b", "Bee")))),
        ("A", {"choices": "a\nb", "type": "choice"}, FieldEdit(choices=(("a", "a"), ("b", "b")))),
        ("B", {"choices": "", "type": "text"}, FieldEdit(choices=(), type="text")),
        ("B", {"pattern": "[sl]"}, FieldEdit(pattern="[sl]")),
        ("C", {"hidden": "on", "locked": "on"}, FieldEdit(hidden=True, locked=True)),
        ("C", {"group": "First"}, FieldEdit(group="one")),
        ("C", {"group": "Third"}, FieldEdit(group="Third")),
        ("C", {"group": ""}, FieldEdit()),
        ("C", {"when_field": "B", "when_values": "l\n"}, FieldEdit(when=Condition("B", ("l", "")))),
        ("C", {"when_values": "l"}, FieldEdit()),
    ],
)
def test_what_is_typed_is_the_edit(name, typed, edit):
    found = edited(name, **typed)

    assert found.fields.get(name, FieldEdit()) == edit
    assert edited(name, found) == found


def test_edits_of_a_field_can_be_taken_back_and_leave_the_others():
    both = edited("B", edited("A", label="x"), label="y")

    assert field_editor.without(both, "A") == edited("B", label="y")


@pytest.mark.parametrize(
    ("name", "after", "order"),
    [
        ("D", "A", "ADBC"),
        ("D", FIRST, "DABC"),
        ("A", "B", "BACD"),
        ("A", "D", "BCDA"),
        ("C", FIRST, "CABD"),
        ("A", FIRST, "ABCD"),
        ("A", "NO_SUCH", "ABCD"),
    ],
)
def test_fields_move_and_the_form_shows_where_they_are(name, after, order):
    found = moved(DIALOG, NONE, name, after)

    assert "".join(names(found)) == order
    assert problems(DIALOG, found) == {}
    if after in DIALOG.by_name and name != "C":
        assert values(DIALOG, found, name)["after"] == after
    assert edited(name, found) == found


def test_a_move_back_leaves_no_edit():
    away = moved(DIALOG, NONE, "A", "D")

    assert moved(DIALOG, away, "A", FIRST) == NONE


def test_a_new_field_of_a_changed_template_comes_after_those_that_were_moved():
    found = moved(DIALOG, NONE, "B", FIRST)
    larger = Dialog((*DIALOG.fields, Field("NEW", group="one")), DIALOG.groups)

    assert [each.name for each in merge(larger, found).fields] == ["B", "A", "C", "D", "NEW"]


def test_headings_are_renamed_and_sorted_and_the_templates_own_are_no_edit():
    post = {"heading.one": "Basics", "place.one": "2", "heading.two": "", "place.two": "1"}

    found = headings(DIALOG, NONE, post)

    assert list(found.groups.items()) == [("two", "Second"), ("one", "Basics")]
    assert headings(DIALOG, found, {"heading.one": "First", "place.one": "1", "place.two": "x"}) == NONE


def test_problems_stand_at_their_fields_and_what_was_typed_is_shown():
    typed = values(DIALOG, NONE, "C") | {"default": "many", "when_field": "GONE"}
    edits = apply(DIALOG, NONE, "C", typed)

    fields = field_editor.form(DIALOG, NONE, "C", typed, problems(DIALOG, edits)["C"])

    assert fields["default"].value == "many"
    assert fields["when_field"].errors == ("there is no field GONE",)
    assert fields["type"].options[0] == ("text", "text")
