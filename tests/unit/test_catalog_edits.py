"""An administrator's edits of a dialog, and templates that change under them."""

import json
from dataclasses import replace

import pytest

from tripleo_ui.catalog import answers, dialog, edits, revision
from tripleo_ui.catalog.edits import Edits, FieldEdit
from tripleo_ui.catalog.fields import Condition, Group
from tripleo_ui.catalog.template import Parameter, Template

PARAMETERS = (
    Parameter("NAME", value="web", required=True),
    Parameter("SIZE", description="One of: small, large", value="small"),
    Parameter("PASSWORD", generate="expression", from_="[a-z]{8}"),
    Parameter("HOST", required=True),
)
EVERYTHING = Edits(
    {
        "NAME": FieldEdit(label="Name", help="Short.", pattern="[a-z]+", group="first", order=1),
        "SIZE": FieldEdit(choices=(("small", "S"), ("large", "L")), when=Condition("NAME", ("web",)), order=0),
        "HOST": FieldEdit(default="host", hidden=True),
        "PASSWORD": FieldEdit(type="text", locked=False),
    },
    {"first": "First of all"},
)


def built(*parameters):
    return dialog.build(Template("t", (), parameters or PARAMETERS))


def test_edits_survive_json():
    assert edits.load(json.loads(json.dumps(EVERYTHING.data()))) == EVERYTHING


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        ({}, "edits of version None"),
        ({"version": 2}, "edits of version 2"),
        ({"version": 1, "fields": []}, None),
        ({"version": 1, "fields": [1]}, "are maps"),
        ({"version": 1, "fields": {"P": {"colour": "red"}}}, "P: an edit has"),
        ({"version": 1, "fields": {"P": {"label": 1}}}, "P: label is of another type"),
        ({"version": 1, "fields": {"P": {"hidden": "no"}}}, "P: hidden is of another type"),
        ({"version": 1, "fields": {"P": {"order": True}}}, "P: order is of another type"),
        ({"version": 1, "fields": {"P": {"choices": ["abc"]}}}, "P: choices are pairs"),
        ({"version": 1, "fields": {"P": {"when": {"field": "Q"}}}}, "P: choices are pairs, when has field and values"),
    ],
)
def test_other_data_is_refused(data, problem):
    if problem is None:
        assert edits.load(data) == Edits()
    else:
        with pytest.raises(ValueError, match=problem):
            edits.load(data)


def test_edits_change_the_dialog_and_nothing_else():
    before = built()
    after = edits.merge(before, EVERYTHING)
    assert [each.name for each in after.fields] == ["SIZE", "NAME", "PASSWORD", "HOST"]
    assert after.groups[0] == Group("first", "First of all")
    name, size, host = (after.by_name[each] for each in ("NAME", "SIZE", "HOST"))
    assert (name.label, name.help, name.group) == ("Name", "Short.", "first")
    assert name.default == "web"
    assert size.choices == (("small", "S"), ("large", "L"))
    assert (host.hidden, host.required, host.own_default) == (True, False, True)
    assert edits.merge(before, Edits()) == before


def test_a_merged_dialog_is_answered():
    merged = edits.merge(built(), EVERYTHING)
    found = answers.parameters(merged, {"NAME": "Web", "SIZE": "large", "HOST": "mine"})
    assert (found.parameters, found.problems) == ({"HOST": "host"}, {"NAME": ("does not fit the pattern [a-z]+",)})
    assert answers.parameters(merged, {"SIZE": "large"}).parameters == {"SIZE": "large", "HOST": "host"}


def test_what_fits_has_no_problems():
    assert edits.problems(built(), EVERYTHING) == {}


@pytest.mark.parametrize(
    ("name", "edit", "part", "why"),
    [
        ("GONE", FieldEdit(label="x"), "label", "no such parameter"),
        ("NAME", FieldEdit(type="colour"), "type", "there is no type colour"),
        ("NAME", FieldEdit(type="choice"), "type", "a choice needs values"),
        ("SIZE", FieldEdit(choices=()), "choices", "a choice needs values"),
        ("NAME", FieldEdit(pattern="["), "pattern", "no regular expression"),
        ("NAME", FieldEdit(when=Condition("GONE", ("x",))), "when", "there is no field GONE"),
        ("NAME", FieldEdit(when=Condition("NAME", ("x",))), "when", "depends on itself"),
        ("SIZE", FieldEdit(default="huge"), "default", "one of the choices"),
        ("NAME", FieldEdit(type="int", default="x"), "default", "whole number"),
        ("PASSWORD", FieldEdit(default="tops3cret"), "default", "a secret is not kept"),
        ("SIZE", FieldEdit(choices=(("huge", "Huge"),)), "choices", "the default is not among them"),
        ("HOST", FieldEdit(hidden=True), "hidden", "needs a default first"),
        ("HOST", FieldEdit(locked=True), "locked", "needs a default first"),
    ],
)
def test_what_does_not_fit_is_told_and_taken_out_alone(name, edit, part, why):
    both = Edits(
        {name: replace(edit, help="Kept."), "SIZE": EVERYTHING.fields["SIZE"]} if name != "SIZE" else {name: edit}
    )
    assert why in edits.problems(built(), both)[name][part]
    fitting = revision.fitting(built(), both)
    assert why in fitting.dropped[name][part]
    assert edits.problems(built(), fitting.edits) == {}
    if name not in {"GONE", "SIZE"}:
        assert fitting.edits.fields[name].help == "Kept."
        assert fitting.edits.fields["SIZE"] == EVERYTHING.fields["SIZE"]


def test_conditions_in_a_circle_do_not_fit():
    circle = Edits(
        {"NAME": FieldEdit(when=Condition("SIZE", ("x",))), "SIZE": FieldEdit(when=Condition("NAME", ("x",)))}
    )
    assert {name: set(parts) for name, parts in edits.problems(built(), circle).items()} == {
        "NAME": {"when"},
        "SIZE": {"when"},
    }


def test_a_changed_template_says_what_changed_and_keeps_what_fits():
    before = json.loads(json.dumps(revision.snapshot(built())))
    assert revision.changes(before, built()) == ()
    after = built(
        Parameter("NAME", value="site", required=True),
        Parameter("SIZE", description="One of: small, huge", value="small"),
        Parameter("HOST", required=True),
        Parameter("COLOUR"),
    )
    assert [
        (each.kind, each.field, each.part, each.before, each.after) for each in revision.changes(before, after)
    ] == [
        ("added", "COLOUR", "", None, None),
        ("removed", "PASSWORD", "", None, None),
        ("changed", "NAME", "default", "web", "site"),
        ("changed", "SIZE", "help", "One of: small, large", "One of: small, huge"),
        ("changed", "SIZE", "choices", ["small", "large"], ["small", "huge"]),
    ]
    fitting = revision.fitting(after, EVERYTHING)
    assert {name: set(parts) for name, parts in fitting.dropped.items()} == {"PASSWORD": {"type", "locked"}}
    assert fitting.edits.fields == {name: EVERYTHING.fields[name] for name in ("NAME", "SIZE", "HOST")}


def test_a_snapshot_has_no_secrets():
    assert "tops3cret" not in json.dumps(revision.snapshot(built(Parameter("PASSWORD", value="tops3cret"))))
