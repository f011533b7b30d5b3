"""What is wrong with objects before they are created, all in one answer."""

import pytest

from tripleo_ui.catalog import formats, schemas, validation
from tripleo_ui.catalog.template import Parameter, Template


def item(kind="ConfigMap", api_version="v1", name="a", **more):
    return {"apiVersion": api_version, "kind": kind, "metadata": {"name": name}, **more}


def found(*objects, parameters=(), answers=None, **options):
    template = Template("t", objects, tuple(parameters))
    return [
        (each.level, each.path, each.message)
        for each in validation.validate(template, answers or {}, **options).problems
    ]


def test_good_objects_have_no_problems():
    assert found(item(), item("Service", spec={"ports": [{"port": 80}]}), item("Anything", "example.com/v1")) == []


def test_everything_is_told_at_once():
    parameters = (Parameter("A", required=True), Parameter("N", value="Big"))
    problems = found(
        item(name="${N}"),
        item(),
        item(),
        item("Deployment", "apps/v1", name="${A}", spec={"replicas": "${N}"}),
        item(name="${GONE}"),
        parameters=parameters,
        answers={"X": "1"},
    )
    assert [(level, path) for level, path, _message in problems] == [
        ("error", "parameters"),
        ("error", "parameters[0]"),
        ("warning", "objects[4].metadata.name"),
        ("error", "objects[0].metadata.name"),
        ("error", "objects[2].metadata.name"),
        ("error", "objects[3].spec.replicas"),
        ("error", "objects[3].spec"),
        ("error", "objects[4].metadata.name"),
    ]


def test_a_text_where_a_number_belongs_says_how_to_mend_it():
    deployment = item("Deployment", "apps/v1", spec={"replicas": "${N}", "selector": {}, "template": {}})
    [(_level, path, message)] = found(deployment, parameters=[Parameter("N", value="2")])
    assert path == "objects[0].spec.replicas"
    assert message == (
        "must be a whole number; the template has ${N}, which is a text: ${{N}} would give its value as JSON"
    )


def test_messages_have_no_values():
    secret = item("Secret", stringData={"a": "${{P}}"})
    [(_level, _path, message)] = found(secret, parameters=[Parameter("P")], answers={"P": "4711"})
    assert message == "must be a text"


@pytest.mark.parametrize(
    ("kind", "name", "ok"),
    [
        ("ConfigMap", "a.b-c", True),
        ("ConfigMap", "A", False),
        ("Service", "1a", False),
        ("Service", "a.b", False),
        ("Namespace", "a.b", False),
        ("ImageStreamTag", "a:latest", True),
        ("ConfigMap", "a" * 253, True),
        ("ConfigMap", "a" * 254, False),
    ],
)
def test_names(kind, name, ok):
    assert (found(item(kind, "example.com/v1", name=name)) == []) is ok


def test_the_same_object_in_two_namespaces_is_no_duplicate():
    two = [{**item(), "metadata": {"name": "a", "namespace": f"${{{name}}}"}} for name in "AB"]
    parameters = [Parameter("A", value="x"), Parameter("B", value="y")]
    assert found(*two, parameters=parameters) == []
    assert [path for _level, path, _message in found(*two, parameters=parameters, answers={"B": "x"})] == [
        "objects[1].metadata.name"
    ]


def test_a_name_that_the_cluster_makes_is_enough():
    made = {**item(), "metadata": {"generateName": "a-"}}
    assert found(made, made) == []


def test_undefined_references_are_told_once_with_their_number():
    [(level, _path, message)] = found(item(data={"a": "${X}", "b": "${X:-x} ${X}", "c": "$X"}))
    assert (level, message) == ("warning", "${X} names no parameter and stays as it is, 2 times")


def test_kinds_of_other_groups_are_not_checked_as_kubernetes_own():
    assert schemas.problems(item("Deployment", "apps.example.com/v1", spec=1), schemas.newest()) is None
    assert schemas.problems(item("Deployment", "apps/v1", spec=1), schemas.newest())


@pytest.mark.parametrize(
    ("version", "closest"),
    [("v1.29.4+k3s1", "1.29"), ("1.11", "1.25"), ("1.99", schemas.newest()), ("2.0", schemas.newest())],
)
def test_the_closest_schemas_are_taken(version, closest):
    assert schemas.closest(version) == closest


def test_an_older_cluster_has_older_kinds():
    budget = item("PodDisruptionBudget", "policy/v1", spec={"minAvailable": []})
    assert [path for _level, path, _message in found(budget, kubernetes="1.25")] == ["objects[0].spec.minAvailable"]


@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [
        ("port", ["1", "65535"], ["0", "65536", "web", "1.5", "9" * 5000]),
        ("port-or-name", ["80", "http", "a-1"], ["0", "UPPER", "-a", "a" * 16]),
        ("quantity", ["512Mi", "0.5", "250m", "1e3", "2Gi", ".5"], ["512MB", "-1", "many", "1 Gi"]),
        ("replicas", ["0", "3"], ["-1", "x"]),
        ("whole-number", ["-1", "+2"], ["1.0", "", "\uff11"]),
        ("dns-label", ["a", "a-1"], ["-a", "a.b", "A", ""]),
    ],
)
def test_formats(name, good, bad):
    assert [formats.CHECKS[name](text) for text in good] == [""] * len(good)
    assert all(formats.CHECKS[name](text) for text in bad)
