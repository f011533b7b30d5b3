"""What the cases of each kind mean for us."""

import json
import os
import re
from pathlib import Path

import pytest

from tests.unit.catalog.commandline import on_the_command_line
from tripleo_ui.catalog import generator, processing, reading, references, values
from tripleo_ui.catalog.template import Parameter, Template

CORPUS = os.environ.get("TRIPLEO_UI_CORPUS", "")


def parameter(data):
    return Parameter(
        name=data["name"],
        value=data.get("value", ""),
        generate=data.get("generate") or "",
        from_=data.get("from", ""),
        required=data.get("required", False),
    )


def template(objects=(), parameters=(), **more):
    found = [Parameter(name, value=value) for name, value in dict(parameters).items()]
    return Template("test", tuple(objects), tuple(found), **more)


def substituted(text, parameters):
    made = processing.process(template([{"kind": "Thing", "spec": {"at": text}}], parameters), {})
    assert made.ok
    return made.objects[0]["spec"]


def a_generator(case):
    expression, expected = case["inputs"]["from"], case["expected"]
    if "error" in expected:
        with pytest.raises(ValueError, match=re.escape(expected["error"].rpartition(": ")[2])):
            generator.generate(expression)
    else:
        made = generator.generate(expression)
        assert len(made) == len(expected["value"])
        assert re.fullmatch(generator.pattern(expression), made)
        assert re.fullmatch(generator.pattern(expression), expected["value"])


def stays_literal(case):
    assert generator.generate(case["inputs"]["from"]) == case["inputs"]["from"]
    assert generator.is_literal(case["inputs"]["from"])


def fails(message):
    raise ValueError(message)


GENERATORS = {
    "returns 'foo'": lambda _from: "foo",
    "returns ''": lambda _from: "",
    "raises 'error'": lambda _from: fails("error"),
    "raises": lambda _from: fails("error"),
}


def a_parameter(case):
    generators = {name: GENERATORS[how] for name, how in case["inputs"].get("generators", {}).items()}
    found, _made, refused = values.resolve([parameter(case["inputs"]["parameter"])], {}, generators)
    expected = case["expected"]
    if "value" in expected:
        assert refused == []
        assert list(found.values()) == [expected["value"]]
    else:
        said = expected.get("message", expected.get("error")).removeprefix("template.parameters[0]: ")
        assert said in str(refused[0])
        assert str(refused[0]).startswith("template.parameters[0]: ")


def a_substitution(case):
    inputs = case["inputs"]
    if inputs["at"].endswith("apiVersion"):
        made = processing.process(
            template([{"kind": "Thing", "apiVersion": inputs["template_value"]}], inputs["parameters"]), {}
        )
        assert made.objects[0]["apiVersion"] == case["expected"]["value"]
    else:
        assert substituted(inputs["template_value"], inputs["parameters"]) == {"at": case["expected"]["value"]}


def a_substitution_without_place(case):
    expected = case["expected"]["value"]
    assert substituted(case["inputs"]["template_value"], case["inputs"]["parameters"]) == {"at": expected}


def a_label(case):
    inputs, expected = case["inputs"], case["expected"]
    if "object" in inputs:
        given = {each["name"]: each["value"] for each in inputs["parameters"]}
        made = processing.process(template([inputs["object"]], given, labels=inputs["template_labels"]), {})
        assert made.objects == (expected["object"],)
        assert made.labels == expected["template_labels"]
        return
    item = {"kind": inputs["object_kind"].partition("(")[0], "apiVersion": "v1", "metadata": {}}
    nested = "template.labels={}" in inputs["object_kind"]
    if nested:
        item["spec"] = {"template": {"metadata": {"labels": {}}}}
    if inputs["labels"] is not None:
        item["metadata"]["labels"] = inputs["labels"]
    made = processing.process(template([item], labels=inputs["add"]), {}).objects[0]
    wanted = expected["labels"]
    if nested:
        wanted = {key: value for key, value in wanted.items() if key != "_nested_template_labels"}
        assert made["spec"]["template"]["metadata"]["labels"] == expected["labels"]["_nested_template_labels"]
    assert made["metadata"].get("labels") == wanted


def a_visit(case):
    """Texts in values and keys are reached, nothing else; theirs prefixes each, ours replaces a reference in each."""
    expected, marked = case["expected"]["object"], json.dumps(case["inputs"]["object"])
    structure = {"MapInMap", "ArrayInMap"} & {str(key) for key in case["inputs"]["object"]}
    inner = json.loads(re.sub(r'"([^"]*)"', r'"${P}\1"', marked))
    made = processing.process(template([{"kind": "Thing", "spec": inner}], {"P": "sample-"}), {}).objects[0]["spec"]
    assert made == ({f"sample-{key}": expected[key] for key in structure} or expected)


def a_name(case):
    name, expected = case["inputs"]["parameter_name"], case["expected"]
    found = reading.from_data({"kind": "Template", "objects": [], "parameters": [{"name": name}]})
    wrong = [str(problem.message) for problem in found.problems if problem.level == "error"]
    assert bool(references.NAME.fullmatch(name)) is expected["valid"] is (wrong == [])
    if wrong:
        assert wrong[0].startswith(expected["error"].removeprefix("parameters[i].name: "))


def a_valid_template(case):
    data = {
        "empty template": {},
        "name templateId (upper case) only": {"metadata": {"name": "templateId"}},
        "parameter with empty name": {"metadata": {"name": "t"}, "parameters": [{"name": ""}]},
        "valid parameter": {"metadata": {"name": "t"}, "parameters": [{"name": "VALUE"}]},
        "no objects": {"metadata": {"name": "t"}, "objects": []},
    }[case["inputs"]["template"]]
    found = reading.from_data({"kind": "Template", **data})
    ok = bool(found.templates) and processing.process(found.templates[0], {}).ok
    assert ok is case["expected"]["valid"]


def a_namespace(case):
    item = {"kind": "Service", "metadata": {"namespace": case["inputs"]["metadata.namespace"]}}
    made = processing.process(template([item], case["inputs"]["parameters"]), {}).objects[0]
    assert made["metadata"].get("namespace") == case["expected"]["metadata.namespace"]


def guestbook(case):
    folder = Path(CORPUS, "corpus/openshift/openshift__library-go/pkg/template/templateprocessing/testdata")
    [found] = reading.read_file(str(folder / "guestbook.json")).templates
    expected = json.loads((folder / "guestbook_list.json").read_text())
    last = {each["name"]: each["value"] for each in expected["parameters"] if each["name"] != "CUSTOM_PARAM1"}
    assert found.effective.keys() >= last.keys()
    made = processing.process(found, last)
    assert made.ok
    for item, own in zip(expected["objects"], made.objects, strict=True):
        assert _without_time(own) == _without_time(item)


def _without_time(item):
    """Theirs come from typed objects in part, which have an empty time."""
    return {**item, "metadata": {key: value for key, value in item["metadata"].items() if key != "creationTimestamp"}}


def injected(case):
    one, two = case["inputs"]["template_params"]
    given = dict.fromkeys(case["inputs"]["given"], "new value")
    made = processing.process(template(parameters={one: "old", two: "untouched"}), given)
    assert len(made.problems) == case["expected"]["n_errors"]
    assert all("unknown parameter name" in problem.message for problem in made.problems)
    assert (made.values[one], made.values[two]) == ("new value", "untouched")


BY_KIND = {
    "generator": a_generator,
    "parameter": a_parameter,
    "substitution": a_substitution,
    "labels": a_label,
    "visitor": a_visit,
    "validation": lambda case: (a_name if case["id"].startswith("param-name") else a_valid_template)(case),
    "namespace": a_namespace,
    "process": guestbook,
    "cli": on_the_command_line,
}
