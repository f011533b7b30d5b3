"""Fields made from HOT parameters."""

import pytest
from django.template.loader import render_to_string

from tripleo_ui.planning.parameters import read
from tripleo_ui.web import schema_forms
from tripleo_ui.web.schema_forms import TYPEAHEAD_OVER, element_id, from_parameter, grouped, picker


def field(typed=None, errors=(), value=None, **definition):
    return from_parameter(read("Compute-1::Thing", {"type": "string"} | definition, value=value), typed, errors)


@pytest.mark.parametrize(
    ("definition", "kind", "value"),
    [
        ({"type": "string", "default": "a"}, "text", "a"),
        ({"type": "string", "default": ""}, "text", ""),
        ({"type": "string", "default": "two\nlines"}, "textarea", "two\nlines"),
        ({"type": "string", "default": "x" * 200}, "textarea", "x" * 200),
        ({"type": "number", "default": 0}, "text", "0"),
        ({"type": "number", "default": 1.5}, "text", "1.5"),
        ({"type": "boolean", "default": False}, "select", "false"),
        ({"type": "boolean", "default": True}, "select", "true"),
        ({"type": "json", "default": {"a": [1]}}, "textarea", '{"a": [1]}'),
        ({"type": "comma_delimited_list", "default": ["a", "b"]}, "text", "a,b"),
        ({"type": "string", "default": "b", "constraints": [{"allowed_values": ["a", "b"]}]}, "select", "b"),
        ({"type": "string", "default": "secret", "hidden": True}, "password", ""),
    ],
)
def test_each_type_has_its_field(definition, kind, value):
    made = field(**definition)

    assert (made.kind, made.value, made.changed) == (kind, value, False)


@pytest.mark.parametrize("typed", ["", "0", "false", "  spaces ", "{not json", "<b>"])
def test_what_was_typed_is_shown_as_typed(typed):
    made = field(typed, type="json", default={"a": 1})

    assert made.value == typed
    assert made.changed


def test_a_stored_value_counts_as_changed():
    made = field(value=7, type="number", default=5)

    assert (made.value, made.changed) == ("7", True)


@pytest.mark.parametrize("typed", [None, "hunter2"])
def test_a_hidden_value_is_never_in_its_field(typed):
    made = field(typed, value="hunter2", hidden=True)

    assert made.value == ""
    assert "hunter2" not in repr(made)


def test_a_value_that_is_not_allowed_stays_in_the_list():
    made = field("maybe", type="boolean", default=True)

    assert [value for value, _label in made.options] == ["maybe", "true", "false"]


@pytest.mark.parametrize(("number", "kind"), [(TYPEAHEAD_OVER, "select"), (TYPEAHEAD_OVER + 1, "typeahead")])
def test_many_choices_become_a_typeahead(number, kind):
    allowed = [f"v{index}" for index in range(number)]

    assert field(default="v1", constraints=[{"allowed_values": allowed}]).kind == kind
    assert picker("x", "X", "v1", [(value, value) for value in allowed]).kind == kind


@pytest.mark.parametrize(
    ("constraints", "hint"),
    [
        ([{"range": {"min": 1, "max": 9}}], "A number. From 1 to 9."),
        ([{"range": {"min": 0}}], "A number. At least 0."),
        ([{"range": {"max": 9}}], "A number. At most 9."),
        ([], "A number."),
    ],
)
def test_hints_say_what_is_accepted(constraints, hint):
    assert field(type="number", default=1, constraints=constraints).hint == hint


def test_lengths_are_said():
    assert field(default="abc", constraints=[{"length": {"min": 2, "max": 4}}]).hint == "2 to 4 characters."


@pytest.mark.parametrize(
    ("choices", "kind", "first"),
    [
        (None, "text", None),
        ([("a", "A")], "select", ("typed", "typed (not there)")),
        ([("typed", "T")], "select", ("typed", "T")),
        ([], "select", ("typed", "typed (not there)")),
    ],
)
def test_a_name_that_the_cloud_does_not_know_is_kept(choices, kind, first):
    made = picker("Compute-1.flavor", "Flavor", "typed", choices)

    assert (made.kind, made.value) == (kind, "typed")
    assert (made.options[0] if made.options else None) == first


def test_ids_have_nothing_that_selectors_dislike():
    assert element_id("Compute-1::Nova.Password x") == "id_Compute-1__Nova_Password_x"


def test_groups_keep_their_order_and_part_required_from_optional():
    required, optional = field(), field(default="x")

    groups = grouped([("b", optional), ("", required), ("b", required)], {"": "All", "a": "A", "b": "B"})

    assert [(group.label, len(group.required), len(group.optional)) for group in groups] == [("All", 1, 0), ("B", 1, 1)]


def test_a_fold_with_an_error_is_open():
    (group,) = grouped([("", field("x", ["wrong"], default="y"))], {"": "All"})

    assert group.open
    assert group.changed == 1


class TestDrawing:
    def draw(self, *fields):
        return render_to_string("tripleo_ui/deployments/wizard/_fields.html", {"fields": fields})

    def test_names_and_values_are_escaped(self):
        html = self.draw(field('"><script>x</script>', label="<i>", description="<u>"))

        assert "<script>" not in html
        assert "<i>" not in html
        assert "<u>" not in html

    def test_a_textarea_keeps_a_leading_line_break(self):
        assert ">\n\n\nx</textarea>" in self.draw(field("\n\nx", type="json", default={}))

    def test_labels_help_and_errors_belong_to_the_field(self):
        html = self.draw(field("x", ["wrong"], type="number", default=1, description="What it is."))

        assert 'for="id_Compute-1__Thing"' in html
        assert 'aria-describedby="id_Compute-1__Thing-help id_Compute-1__Thing-error"' in html
        assert 'aria-invalid="true"' in html
        assert "wrong" in html

    def test_a_hidden_field_has_no_value(self):
        assert "hunter2" not in self.draw(field("hunter2", value="hunter2", hidden=True))

    def test_hundreds_of_fields_are_drawn_in_one_go(self):
        fields = [field(default=f"value-{index}") for index in range(544)]

        html = self.draw(*fields)

        assert html.count("<input") == 544
        assert "value-543" in html


def test_the_default_of_a_hidden_parameter_is_not_text():
    assert schema_forms.default_text(read("X", {"type": "string", "default": "s", "hidden": True})) == ""
