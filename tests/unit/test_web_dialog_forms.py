"""The form of a dialog: widgets, hints, folds, conditions; secrets go in and never come out."""

import json
import time

import pytest
from django.http import QueryDict
from django.template.loader import render_to_string

from benchmarks.catalog import PARAMETERS, large_template
from tripleo_ui.catalog import dialog as dialogs
from tripleo_ui.catalog.fields import TYPES, Condition, Dialog, Field, Group, Limit
from tripleo_ui.web import dialog_forms
from tripleo_ui.web.schema_forms import TYPEAHEAD_OVER


def one(typed=None, errors=(), offered=None, **field):
    """The form's field of a dialog with one question."""
    made = Field("THING", **field)
    given = {} if typed is None else {"THING": typed}
    choices = {} if offered is None else {"THING": offered}
    (group,) = dialog_forms.form(Dialog((made,)), given, {"THING": errors}, choices)
    return (*group.required, *group.optional)[0]


def drawn(dialog, typed=None, errors=None, offered=None):
    groups = dialog_forms.form(dialog, typed or {}, errors or {}, offered or {})
    return render_to_string("tripleo_ui/_dialog.html", {"groups": groups})


@pytest.mark.parametrize(
    ("field", "kind", "value"),
    [
        ({"type": "text", "default": "a"}, "text", "a"),
        ({"type": "text", "default": "x" * 200}, "textarea", "x" * 200),
        ({"type": "multi-line", "multiline": True}, "textarea", ""),
        ({"type": "int", "default": "3"}, "text", "3"),
        ({"type": "number", "default": "0.5"}, "text", "0.5"),
        ({"type": "bool", "default": "false"}, "select", "false"),
        ({"type": "json", "default": "{}"}, "textarea", "{}"),
        ({"type": "list", "default": "a,b"}, "text", "a,b"),
        ({"type": "choice", "choices": (("a", "A"), ("b", "B")), "default": "b"}, "select", "b"),
        ({"type": "secret", "has_default": True}, "password", ""),
        ({"type": "secret", "multiline": True}, "masked", ""),
        ({"type": "storage-class"}, "text", ""),
        ({"type": "image-stream"}, "text", ""),
        ({"type": "pick", "picker": "nova.flavor"}, "text", ""),
    ],
)
def test_each_type_has_its_widget(field, kind, value):
    made = one(**field)

    assert (made.kind, made.value, made.changed) == (kind, value, False)
    assert made.name == "p.THING"


def test_every_type_of_the_catalog_can_be_drawn():
    fields = tuple(Field(f"F{index}", type=kind, label=kind) for index, kind in enumerate(TYPES))

    html = drawn(Dialog(fields))

    assert html.count('name="p.') == len(TYPES)


@pytest.mark.parametrize("kind", ["storage-class", "pick"])
def test_what_can_be_picked_is_a_list_a_search_or_text_where_nobody_knows_it(kind):
    few = one(type=kind, offered=[("fast", "Fast"), ("slow", "Slow")])
    many = one(type=kind, offered=[(str(number), str(number)) for number in range(TYPEAHEAD_OVER + 1)])
    unknown = one(type=kind)

    assert [few.kind, many.kind, unknown.kind] == ["select", "typeahead", "text"]
    assert few.options[0] == ("", "Not set")
    assert "type a name" in unknown.hint
    assert one("gone", type=kind, offered=[("fast", "Fast")]).options[0] == ("gone", "gone")


def test_image_streams_are_suggested_for_there_are_more_in_other_namespaces():
    assert one("mine", type="image-stream", offered=[("httpd", "httpd (openshift)")]).kind == "typeahead"


@pytest.mark.parametrize(
    ("field", "words"),
    [
        ({"limits": (Limit("port", "A port of Service web."),)}, "A port of Service web."),
        ({"limits": (Limit(pattern="a+", reason="Set by an administrator."),)}, "It fits the pattern a+."),
        ({"limits": (Limit(low=1, high=5),)}, "From 1 to 5."),
        ({"limits": (Limit(low=2, reason="It holds a quorum"),)}, "It holds a quorum. At least 2."),
        ({"limits": (Limit(high=8, of_length=True),)}, "At most 8 characters."),
        ({"generated": "[a-z]{8}"}, "Leave it empty to have it generated."),
        ({"type": "secret", "has_default": True}, "Leave it empty for the template's own value."),
        ({"locked": True, "default": "x"}, "Set by an administrator."),
        ({"type": "int"}, "A whole number."),
        ({"when": Condition("OTHER", ("a", ""))}, "Asked for where “OTHER” is a or empty."),
    ],
)
def test_hints_say_what_is_accepted_and_why(field, words):
    assert words in one(**field).hint


def test_groups_keep_their_order_required_first_and_hidden_fields_are_not_asked():
    fields = (
        Field("A", group="two"),
        Field("B", group="one", required=True),
        Field("C", group="two", required=True),
        Field("D", group="one", hidden=True),
    )
    dialog = Dialog(fields, (Group("one", "First"), Group("two", "Second")))

    groups = dialog_forms.form(dialog, {}, {"A": ["is wrong"]}, {})

    assert [(group.label, len(group.required), len(group.optional)) for group in groups] == [
        ("First", 1, 0),
        ("Second", 1, 1),
    ]
    assert groups[1].open
    assert "p.D" not in drawn(dialog)


def test_conditions_are_evaluated_for_what_was_typed_and_told_to_the_script():
    fields = (Field("TLS", type="bool", default="false"), Field("CERT", when=Condition("TLS", ("true",))))
    dialog = Dialog(fields)

    def cert(typed):
        return dialog_forms.form(dialog, typed, {}, {})[0].optional[1]

    assert cert({}).unmet
    assert not cert({"TLS": "yes"}).unmet
    assert json.loads(cert({}).when) == {"field": "p.TLS", "values": ["true"]}
    assert "is-unmet" in drawn(dialog)
    assert "is-unmet" not in drawn(dialog, {"TLS": "true"})


def test_a_locked_field_is_shown_and_not_sent():
    html = drawn(Dialog((Field("THING", default="fixed", locked=True),)))

    assert 'value="fixed"' in html
    assert "readonly" in html
    assert 'name="' not in html


def test_secrets_are_never_drawn_nor_kept():
    fields = (
        Field("PASSWORD", type="secret"),
        Field("KEY", type="secret", multiline=True),
        Field("USER", default="admin"),
        Field("EMPTIED", default="full"),
    )
    dialog = Dialog(fields)
    answers = {"PASSWORD": "hunter2", "KEY": "-----BEGIN", "USER": "root", "EMPTIED": ""}

    html = drawn(dialog, answers)

    assert "hunter2" not in html
    assert "BEGIN" not in html
    assert 'value="root"' in html
    assert dialog_forms.kept(dialog, answers) == {"USER": "root", "EMPTIED": ""}
    assert dialog_forms.preset(dialog, answers) == {"USER": "root"}
    assert dialog_forms.kept(dialog, {"USER": "admin"}) == {}


def test_what_was_posted_is_read_as_it_was_typed():
    dialog = Dialog((Field("A"), Field("B"), Field("C")))
    post = QueryDict("p.A=1%0D%0A2&p.B=+&p.X=9&cluster=c")

    assert dialog_forms.typed(dialog, post) == {"A": "1\n2", "B": " "}


def test_hostile_labels_and_values_are_text():
    field = Field("A", label="<b>", help="<i>", default='"><script>', choices=(), when=Condition("A", ('">',)))

    html = drawn(Dialog((field,)), {"A": "</textarea><script>"}, {"A": ["<u>"]})

    for raw in ("<b>", "<i>", "<script>", "<u>"):
        assert raw not in html


def test_the_largest_dialog_is_drawn_in_time():
    dialog = dialogs.build(large_template())
    drawn(dialog)

    began = time.perf_counter()
    html = drawn(dialog, {each.name: "typed" for each in dialog.fields})

    assert time.perf_counter() - began < 0.3
    assert html.count('name="p.') == PARAMETERS
