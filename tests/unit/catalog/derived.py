"""Cases that were read from the platform's code, and what each means for us."""

from tests.unit.catalog.kinds import (
    a_generator,
    a_substitution_without_place,
    injected,
    parameter,
    stays_literal,
    substituted,
    template,
)
from tripleo_ui.catalog import generator, processing, reading, validation, values
from tripleo_ui.catalog.template import Template


def derived_mixed_class(case):
    assert set(generator.alphabet(r"\wA-Z")) == set(generator.alphabet(r"\w"))


def derived_range(case):
    assert set(generator.alphabet("0-1")) == {"0", "1"}


def derived_same_ends(case):
    assert generator.generate("[a-a]{3}") == "aaa"


def derived_value_wins(case):
    assert values.resolve([parameter(case["inputs"]["parameter"])], {})[0] == {"P": case["expected"]["value"]}


def derived_empty_answer(case):
    answers = {"P": case["inputs"]["user_value"]}
    _found, _made, refused = values.resolve([parameter(case["inputs"]["parameter"])], answers)
    assert case["expected"]["error_contains"] in str(refused[0])


def derived_empty_from(case):
    _found, _made, refused = values.resolve([parameter({"name": "P", **case["inputs"]})], {})
    assert case["expected"]["error_contains"] in str(refused[0])


def derived_null(case):
    assert substituted("${{A}}", {"A": "null"}) == {}
    made = processing.process(template([{"kind": "Thing", "spec": ["${{A}}"]}], {"A": "null"}), {})
    assert "null" in made.problems[0].message


def derived_quirk(case):
    assert substituted("${A}-${B}", case["inputs"]["parameters"]) == {"at": "${B}-x"}


def derived_big(case):
    assert substituted("${{A}}", case["inputs"]["parameters"]) == {"at": 9007199254740993}


def derived_plain(case):
    inputs = case["inputs"]
    found = template([], inputs["parameters"], message=inputs["message"], labels=inputs["template.labels"])
    made = processing.process(found, {})
    assert {"labels": made.labels, "message": made.message} == case["expected"]


def derived_dropped_labels(case):
    inputs = case["inputs"]
    item = {"kind": "Thing", "metadata": {"labels": inputs["object.metadata.labels"]}}
    made = processing.process(template([item], inputs["parameters"], labels=inputs["template.labels"]), {})
    assert made.objects[0]["metadata"]["labels"] == case["expected"]["object.metadata.labels"]
    assert "the label i1 is no text" in made.problems[0].message


def derived_object(case):
    item = {"kind": "Thing", **case["inputs"]["object"]}
    made = processing.process(template([item], case["inputs"]["parameters"]), {})
    assert made.objects == ({"kind": "Thing", **case["expected"]["object"]},)


def derived_duplicates(answers, value):
    def check(case):
        twice = tuple(parameter(each) for each in case["inputs"]["parameters"])
        found = Template("t", ({"kind": "Thing", "spec": case["inputs"]["template_value"]},), twice)
        assert processing.process(found, answers).objects[0]["spec"] == value

    return check


def derived_groups(case):
    made = processing.process(template(case["inputs"]["objects"]), {})
    assert [item["apiVersion"] for item in made.objects] == case["expected"]["apiVersions"]


def derived_no_kind(case):
    [problem] = processing.process(template([case["inputs"]["object"]]), {}).problems
    assert case["expected"]["error_contains"] in problem.message
    assert case["expected"]["message_contains"] in problem.message


def derived_integer(case):
    found = reading.from_data({"kind": "Template", "parameters": [case["inputs"]["parameter"]]}, "file.yaml")
    [problem] = [each for each in found.problems if each.parameter]
    assert (problem.level, problem.parameter, problem.file) == ("warning", "P", "file.yaml")
    assert found.templates[0].parameters[0].value == "5"


def derived_values(case):
    given = {each["name"]: each["value"] for each in case["inputs"]["parameters"]}
    assert substituted(case["inputs"]["template_value"], given) == {"at": case["expected"]["value"]}


def derived_empty_name(case):
    item = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "${N}"}}
    verdict = validation.validate(template([item], {"N": ""}), {})
    assert verdict.processed.objects[0]["metadata"]["name"] == ""
    assert "name or generateName is required" in verdict.problems[0].message


BY_ID = {
    "inject-0": injected,
    "derived-range-end-exclusive": derived_range,
    "derived-reverse-case": a_generator,
    "derived-empty-alphabet": derived_same_ends,
    "derived-no-length": stays_literal,
    "derived-foreign-chars-literal": stays_literal,
    "derived-underscore-literal": stays_literal,
    "derived-mixed-class": derived_mixed_class,
    "derived-empty-from": derived_empty_from,
    "derived-value-wins": derived_value_wins,
    "derived-user-empty-overrides-generate": derived_empty_answer,
    "derived-no-recursion": a_substitution_without_place,
    "derived-sequential-quirk": derived_quirk,
    "derived-unquoted-null-in-map": derived_null,
    "derived-unquoted-empty": a_substitution_without_place,
    "derived-unquoted-leading-zero": a_substitution_without_place,
    "derived-unquoted-space": a_substitution_without_place,
    "derived-unquoted-bool": a_substitution_without_place,
    "derived-unquoted-yaml-bool": a_substitution_without_place,
    "derived-unquoted-bigint": derived_big,
    "derived-unquoted-in-label-or-message": derived_plain,
    "derived-nonstring-label-drops-labels": derived_dropped_labels,
    "derived-map-key": derived_object,
    "derived-undefined-ref": a_substitution_without_place,
    "derived-dup-params": derived_duplicates({}, "2"),
    "derived-dup-params-user": derived_duplicates({"P": "9"}, "9"),
    "derived-legacy-group": derived_groups,
    "derived-object-without-kind": derived_no_kind,
    "derived-param-int-value": derived_integer,
    "derived-values-not-substituted": derived_values,
    "derived-name-substituted-before-create": derived_empty_name,
}
