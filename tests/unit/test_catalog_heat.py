"""Heat templates through the same dialogs."""

import pytest

from tripleo_ui.catalog import answers
from tripleo_ui.planning import parameters
from tripleo_ui.web import heat_dialogs

HOT = {
    "image": {"type": "string", "constraints": [{"custom_constraint": "glance.image"}]},
    "size": {"type": "string", "default": "small", "constraints": [{"allowed_values": ["small", "large"]}]},
    "count": {"type": "number", "default": 2, "constraints": [{"range": {"min": 1, "max": 5}}]},
    "password": {"type": "string", "hidden": True, "constraints": [{"length": {"min": 8}}]},
    "name": {"type": "string", "default": "a", "constraints": [{"allowed_pattern": "[a-z]+", "description": "Small."}]},
    "tags": {"type": "comma_delimited_list", "default": ["a", "b"]},
    "debug": {"type": "boolean", "default": False, "label": "Debugging"},
}


@pytest.fixture
def dialog():
    found = [parameters.read(name, definition) for name, definition in HOT.items()]
    return heat_dialogs.build(found, [{"label": "Machine", "parameters": ["image", "size"]}])


def test_types_follow_from_hot(dialog):
    assert {each.name: each.type for each in dialog.fields} == {
        "image": "pick",
        "size": "choice",
        "count": "number",
        "password": "secret",
        "name": "text",
        "tags": "list",
        "debug": "bool",
    }
    assert dialog.by_name["image"].picker == "glance.image"
    assert [each.name for each in dialog.fields if each.required] == ["image", "password"]
    assert [(group.label, len(fields)) for group, fields in dialog.grouped()] == [("Machine", 2), ("General", 5)]


@pytest.mark.parametrize(
    ("name", "answer", "problem"),
    [
        ("size", "medium", "must be one of the choices"),
        ("count", "9", "must be at most 5"),
        ("count", "many", "must be a number"),
        ("password", "short", "must be at least 8 characters"),
        ("name", "A", "does not fit the pattern [a-z]+"),
        ("debug", "maybe", "must be true or false"),
    ],
)
def test_constraints_hold(dialog, name, answer, problem):
    found = answers.parameters(dialog, {"image": "fedora", "password": "longenough", name: answer})
    assert found.problems == {name: (problem,)}


def test_answers_become_texts_that_heat_reads(dialog):
    given = {"image": "fedora", "password": "longenough", "count": 3, "debug": True, "tags": ""}
    found = answers.parameters(dialog, given)
    assert found.parameters == {"image": "fedora", "password": "longenough", "count": "3", "debug": "true"}
