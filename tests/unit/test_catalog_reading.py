"""Templates from texts: each oddity has a clear result."""

import json

import pytest

from tripleo_ui.catalog import reading

HEAD = "apiVersion: template.openshift.io/v1\nkind: Template\nmetadata: {name: t}\nobjects: [{kind: Thing}]\n"


def read(text):
    return reading.read(text, "t.yaml")


def said(text):
    return [str(problem) for problem in read(text).problems]


def test_a_template_is_read_with_its_lines():
    found = read(HEAD + "parameters:\n- name: A\n  displayName: An A\n  value: x\n  required: true\n")
    assert found.problems == ()
    [template] = found.templates
    assert (template.name, template.objects) == ("t", ({"kind": "Thing"},))
    assert vars(template.parameters[0]) == {
        "name": "A",
        "display_name": "An A",
        "description": "",
        "value": "x",
        "generate": "",
        "from_": "",
        "required": True,
    }
    assert template.place.line(("parameters", 0, "value")) == 8


@pytest.mark.parametrize(
    ("parameter", "warning"),
    [
        ("{name: P, value: 1}", "value is a number, which the platform refuses: write it in quotes"),
        ("{name: P, value: yes}", "value is a truth value, which the platform refuses: write it in quotes"),
        ("{name: P, required: 'true'}", "required is a text, which the platform refuses: write it without quotes"),
        (
            "{name: P, displayname: x}",
            "the platform knows no field displayname and ignores it; displayName may be meant",
        ),
        (
            "{name: P, Description: x}",
            "the platform knows no field Description and ignores it; description may be meant",
        ),
        ("{name: P, example: x}", "the platform knows no field example and ignores it"),
        ("{name: P, generate: expression}", "generate without from makes an empty value"),
        (
            "{name: P, generate: expression, from: '[a-z_]{3}'}",
            "from is [a-z_]{3}, which the generator does not understand and gives back as it stands",
        ),
        (
            "{name: P, value: 'x-${P}'}",
            "its value mentions ${P}, which stays as it is: values are not substituted again",
        ),
    ],
)
def test_what_can_be_understood_is_a_warning(parameter, warning):
    found = read(f"{HEAD}parameters:\n- {parameter}\n")
    assert [(each.level, each.line, each.message) for each in found.problems] == [("warning", 6, warning)]
    assert found.problems[0].parameter == "P"
    assert len(found.templates) == 1


@pytest.mark.parametrize(("written", "value"), [("007", "007"), ("1.10", "1.10"), ("yes", "yes"), ("~", "")])
def test_a_value_that_is_no_text_is_taken_as_it_is_written(written, value):
    [template] = read(f"{HEAD}parameters: [{{name: P, value: {written}}}]\n").templates
    assert template.parameters[0].value == value


@pytest.mark.parametrize(
    ("text", "error"),
    [
        (HEAD + "parameters: [{name: P, value: {a: b}}]", "parameter P: value is a map and must be a text"),
        (HEAD + "parameters: [{name: P-Q}]", '"P-Q": does not match'),
        (HEAD + "parameters: [{value: x}]", "a parameter has a name"),
        (HEAD + "parameters: [x]", "a parameter is a map"),
        (HEAD + "parameters: {P: x}", "parameters is a map and must be a list"),
        (HEAD + "labels: [x]", "labels is a list and must be a map"),
        ("kind: Template\nobjects: [x]", "t.yaml:2: error: an object is a map"),
        ("kind: Service", "not a valid Template but Service"),
        ("", "not a valid Template but an empty text"),
        ("[1, 2]", "not a valid Template but something without a kind"),
        ("a: [", "t.yaml:1: error: "),
        ('{"kind": "Template",\n "objects": ]', "t.yaml:2: error: expecting value"),
        ("kind: Template\n{{- range .Values }}\n", "looks like a Helm chart's file"),
        ("a: " + "[" * 300, "nested deeper than 200 levels"),
        ('{"a": ' + "[" * 300, "nested deeper than 200 levels"),
        ("a: &a [x]\nb: *c", "undefined alias"),
        ('{"kind": "Template", "message": "\\ud800"}', "half of a character"),
        ("a: .nan", "is no number that JSON has"),
        ("? [a]\n: b", "a list as a key"),
    ],
)
def test_what_cannot_be_understood_is_an_error(text, error):
    found = read(text)
    assert found.templates == ()
    assert any(error in str(problem) for problem in found.problems if problem.level == "error")


def test_aliases_that_explode_are_refused():
    bomb = "a0: &a0 [x, x]\n" + "".join(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]\n" for n in range(1, 40))
    assert said(bomb)[0].endswith("error: aliases repeat too much of the text")


@pytest.mark.parametrize(
    "wrap",
    [
        lambda template: {"kind": "List", "items": [{"kind": "Service"}, template]},
        lambda template: {"kind": "TemplateInstance", "spec": {"template": template}},
        lambda template: {"kind": "List", "items": [{"kind": "TemplateInstance", "spec": {"template": template}}]},
    ],
    ids=["list", "instance", "instance in a list"],
)
def test_a_template_inside_something_is_found(wrap):
    inner = {"kind": "Template", "objects": [{"kind": "Thing"}], "parameters": [{"name": "P", "value": 1}]}
    found = read(json.dumps(wrap(inner), indent=1))
    assert len(found.templates) == 1
    lines = json.dumps(wrap(inner), indent=1).splitlines()
    assert '"value": 1' in lines[found.problems[0].line - 1]


def test_several_documents_are_several_templates():
    assert len(read(HEAD + "---\n---\n" + HEAD).templates) == 2
    assert len(read('{"kind": "Template", "objects": [{}]}\n{"kind": "Template", "objects": [{}]}').templates) == 2


@pytest.mark.parametrize(
    "text",
    [
        "kind: Template\nobjects: [{}]\nmessage: a\nmessage: b\n",
        '{"kind": "Template",\n"objects": [{}],\n"message": "a",\n"message": "b"}',
    ],
)
def test_the_last_of_two_keys_counts_and_is_told(text):
    found = read(text)
    assert found.templates[0].message == "b"
    assert said(text) == ["t.yaml:4: warning: the key message is given twice; the last one counts"]


def test_the_last_of_two_parameters_counts_and_is_told():
    [template] = read(HEAD + "parameters:\n- {name: P, value: a}\n- {name: P, value: b}\n").templates
    assert template.effective["P"].value == "b"
    assert [str(each) for each in template.warnings] == [
        "t.yaml:7: warning: the parameter P is given twice; this one, the last, counts"
    ]


def test_json_with_a_comma_too_many_is_read_as_yaml():
    assert said('{"kind": "Template", "objects": [{"kind": "A"},],}')[0].startswith("t.yaml:1: warning: no valid JSON")


def test_a_template_without_objects_is_told():
    assert said("kind: Template\nobjects:\n") == ["t.yaml:2: warning: there are no objects to create"]


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("22:22", "22:22"),
        ("2001-01-01", "2001-01-01"),
        ("1e3", 1000),
        ("1.0", 1),
        ("0x1F", 31),
        ("017", 15),
        ("1_000", 1000),
        ("y", True),
        ("off", False),
        ("9223372036854775807", 9223372036854775807),
        ("=", "="),
        ("{1: a, true: b}", {"1": "a", "true": "b"}),
    ],
)
def test_yaml_means_what_the_platform_reads(written, value):
    [template] = read(f"kind: Template\nobjects: [{{kind: A, at: {written}}}]").templates
    assert template.objects[0]["at"] == value


def test_a_file_that_is_no_text(tmp_path):
    (tmp_path / "t.yaml").write_bytes(b"\xff\xfe\x00")
    found = reading.read_file(str(tmp_path / "t.yaml"))
    assert found.problems[0].message == "not UTF-8 text"


def test_an_answer_of_a_cluster_is_read_and_written_again():
    data = {
        "apiVersion": "template.openshift.io/v1",
        "kind": "Template",
        "metadata": {"name": "t", "annotations": {"iconClass": "icon"}},
        "message": "m",
        "objects": [{"kind": "Thing"}],
        "parameters": [{"name": "P", "generate": "expression", "from": "[a-z]{3}", "required": True}],
        "labels": {"a": "b"},
    }
    [template] = reading.from_data(data, "openshift/t").templates
    assert template.data() == data
    assert template.annotations == {"iconClass": "icon"}
