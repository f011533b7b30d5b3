"""Templates with answers to objects: order, substitution, labels, namespaces."""

import json

from hypothesis import given
from hypothesis import strategies as st

from tripleo_ui.catalog import processing, reading
from tripleo_ui.catalog.template import Parameter, Template

LEAVES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**63), 2**64),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(st.characters(blacklist_characters="$", blacklist_categories=["Cs"]), max_size=10),
)
KEYS = st.text("abcxyz-./", min_size=1, max_size=6)
DATA = st.recursive(
    LEAVES,
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(KEYS, inner, max_size=4)),
    max_leaves=20,
)
VALUES = st.text(st.characters(blacklist_categories=["Cs"]), max_size=12)


def template(*objects, **more):
    return Template("t", objects, **more)


def one(spec, **values):
    parameters = tuple(Parameter(name, value=value) for name, value in values.items())
    made = processing.process(Template("t", ({"kind": "Thing", "spec": spec},), parameters), {})
    return made.objects[0]["spec"] if made.ok else [str(problem) for problem in made.problems]


@given(DATA)
def test_what_has_no_reference_is_untouched(data):
    assert one(data, P="x") == data


@given(st.dictionaries(st.sampled_from("ABC"), VALUES), DATA)
def test_twice_the_same_answers_are_twice_the_same_objects(answers, data):
    spec = {"data": data, "${A}-${B}": ["${{C}}x", "${A}${A}", {"${C}": "${B}"}]}
    found = template({"kind": "Thing", "spec": spec}, parameters=tuple(map(Parameter, "ABC")))
    first, second = processing.process(found, answers), processing.process(found, answers)
    assert first == second
    assert first.ok
    assert found.objects[0]["spec"] is spec


@given(VALUES)
def test_values_come_through_as_they_are(value):
    assert one("<${A}>", A=value, B="never") == f"<{value}>"


@given(st.integers(-(2**63), 2**64))
def test_whole_numbers_keep_their_digits(number):
    assert one("${{A}}", A=str(number)) == number


@given(DATA.filter(lambda data: data is not None))
def test_json_values_become_what_they_are(data):
    assert one("${{A}}", A=json.dumps(data)) == data


def test_what_is_no_json_stays_text():
    for value in ("yes", "007", "NaN", "Infinity", "1e999", "[1", "nul", "", "[" * 100_000):
        assert one("${{A}}", A=value) == value


def test_keys_get_plain_text():
    assert one({"${A}": 1, "${{B}}": 2}, A="x", B="5") == {"x": 1, "5": 2}


def test_a_generated_value_is_the_same_everywhere():
    parameter = Parameter("A", generate="expression", from_="[a-z]{20}")
    made = processing.process(template({"kind": "Thing", "a": "${A}", "b": "x${A}"}, parameters=(parameter,)), {})
    assert made.generated == ("A",)
    assert made.objects[0]["b"] == "x" + made.objects[0]["a"]
    assert len(made.values["A"]) == 20


def test_an_answer_or_a_default_is_not_generated():
    parameter = Parameter("A", generate="expression", from_="[a-z]{20}")
    assert processing.process(template(parameters=(parameter,)), {"A": "x"}).values == {"A": "x"}
    assert processing.process(template(parameters=(parameter,)), {"A": ""}).values == {"A": ""}


def test_all_wrong_answers_are_told_and_nothing_is_made():
    parameters = (Parameter("A", required=True), Parameter("B", generate="dice"), Parameter("C", required=True))
    made = processing.process(template({"kind": "Thing"}, parameters=parameters), {"X": "1"})
    assert made.objects == ()
    assert [problem.parameter for problem in made.problems] == ["X", "A", "B", "C"]
    assert str(made.problems[1]).endswith(
        "template.parameters[0]: Required value: parameter A is required and must be specified"
    )


def test_labels_come_last_and_win():
    item = {
        "kind": "Pod",
        "metadata": {"labels": {"a": "1", "b": "${P}"}},
        "spec": {"metadata": {"labels": {"c": "3"}}},
    }
    found = template(item, labels={"a": "${P}"}, parameters=(Parameter("P", value="x"),))
    made = processing.process(found, {}).objects[0]
    assert made["metadata"]["labels"] == {"a": "x", "b": "x"}
    assert made["spec"]["metadata"]["labels"] == {"c": "3"}


def test_a_namespace_that_is_a_map_is_removed_and_told():
    text = "kind: Template\nobjects:\n- kind: Service\n  metadata:\n    namespace: { NAMESPACE }\n"
    [found] = reading.read(text, "t.yaml").templates
    made = processing.process(found, {})
    assert made.objects == ({"kind": "Service", "metadata": {}},)
    assert [str(each) for each in made.problems] == [
        "t.yaml:5: warning: the namespace is no text and is removed; ${NAMESPACE} may be meant"
    ]


def test_a_kind_that_is_made_by_a_value_gets_its_group():
    item = {"apiVersion": "v${V}", "kind": "${K}"}
    found = template(item, parameters=(Parameter("V", value="1"), Parameter("K", value="Route")))
    assert processing.process(found, {}).objects[0]["apiVersion"] == "route.openshift.io/v1"


def test_what_is_sent_to_a_cluster_processes_to_the_same():
    parameters = (
        Parameter("A", value="1"),
        Parameter("A", value="2"),
        Parameter("B", generate="expression", from_="[a-z]{3}"),
    )
    found = template({"kind": "Thing", "spec": "${A}-${B}"}, parameters=parameters)
    answers = {"A": "9", "B": "x"}
    sent = processing.answered(found, answers)
    [again] = reading.from_data(sent.data()).templates
    assert processing.process(again, {}).objects == processing.process(found, answers).objects
    assert "generate" not in sent.data()["parameters"][1]


def test_values_are_in_no_text_about_the_result():
    made = processing.process(template(parameters=(Parameter("A"),)), {"A": "tops3cret", "B": "tops3cret"})
    assert "tops3cret" not in " ".join(map(str, made.problems))
    assert "tops3cret" not in repr(made)
