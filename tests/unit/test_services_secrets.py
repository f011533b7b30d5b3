"""Heat repeats what it refuses: no hidden value may get into an error."""

import pytest

from tests.fakes import FakeCloud
from tests.fakes.cloud import Answer
from tripleo_ui.services import heat_secrets
from tripleo_ui.services.errors import ServiceError
from tripleo_ui.services.heat_secrets import WITHHELD, Secrets

SECRET = "HUSH-hush-1"
TEMPLATE = """
heat_template_version: 2021-04-16
parameters:
  Password: {type: string, hidden: true}
  Compute-1::Password: {type: string, hidden: true}
  Pin: {type: number, hidden: "true", default: 77}
  Keys: {type: json, hidden: true}
  Name: {type: string}
"""
ENVIRONMENT = f"""
parameters:
  Password: {SECRET}
  Name: public-name
parameter_defaults:
  Keys: {{one: inner-key, more: [other-key]}}
"""
FILES = {"plan.yaml": TEMPLATE, "environment.yaml": ENVIRONMENT, "files/blob.bin": "{:"}


@pytest.mark.parametrize(
    ("cause", "told"),
    [
        (
            f"Parameter 'Password' is invalid: \"{SECRET}\" does not match",
            "Parameter 'Password' is invalid: \"******\" does not match",
        ),
        (f"could not convert: '{SECRET}'", "could not convert: '******'"),
        (f"in the middle {SECRET}.", "in the middle ******."),
        ("inner-key and other-key", "****** and ******"),
        ("77 of 177 nodes: '77'", "77 of 177 nodes: '******'"),
        ("public-name is taken", "public-name is taken"),
        (f"it was cut here: {SECRET[:7]}", "it was cut here: ******"),
        ("", ""),
    ],
)
def test_hidden_values_are_masked_and_others_are_told(cause, told):
    assert heat_secrets.masked(cause, FILES) == told


def test_role_parameter_is_hidden_when_its_template_hides_it():
    files = {
        "plan.yaml": "parameters: {}",
        "provider-Compute-1.yaml": "parameters: {NovaPassword: {type: string, hidden: true}}",
        "environment.yaml": "parameters: {'Compute-1::NovaPassword': nova-secret}",
    }
    assert heat_secrets.masked("bad: nova-secret", files) == "bad: ******"


def test_value_with_a_line_end_is_masked_as_it_is_quoted():
    files = {"plan.yaml": TEMPLATE, "environment.yaml": 'parameters: {Password: "first\\nsecond"}'}
    assert heat_secrets.masked(r"not a number: 'first\nsecond'", files) == "not a number: '******'"
    assert heat_secrets.masked("not a number: first\nsecond", files) == "not a number: ******"


def test_of_a_file_that_cannot_be_read_no_line_is_quoted():
    files = FILES | {"environment.yaml": "parameters: {Password: [HUSH"}
    told = heat_secrets.masked("Error parsing: while parsing a flow\n  Password: [HUSH\n   ^", files)
    assert told == "environment.yaml is no valid YAML: Error parsing: while parsing a flow"
    assert heat_secrets.masked("", files) == "environment.yaml is no valid YAML"


@pytest.mark.parametrize("document", ["", "- a", "text", "parameters: 3", "parameters: [a]", "parameters: {a: }"])
def test_odd_documents_hide_nothing(document):
    assert heat_secrets.masked("cause", {"plan.yaml": document}) == "cause"


def test_validated_parameters_come_without_hidden_values():
    told = heat_secrets.shown(
        {
            "P": {"Type": "String", "NoEcho": "true", "Value": SECRET, "Default": "x"},
            "N": {"NoEcho": "false", "Value": 1},
        }
    )
    assert told == {"P": {"Type": "String", "NoEcho": "true"}, "N": {"NoEcho": "false", "Value": 1}}


@pytest.mark.parametrize("operation", ["validate", "preview", "create", "update", "preview_update"])
def test_no_operation_tells_a_secret(operation):
    fake = FakeCloud()
    heat = fake.cloud().heat
    fake.heat.add("oc")
    stack = heat.find("oc")
    answer = Answer(400, {"error": {"message": f"Parameter 'Password' is invalid: {SECRET}"}})
    fake._routes["heat"] = [(method, pattern, lambda *_call: answer) for method, pattern, _ in fake.heat.routes()]
    first = {"validate": (), "preview": ("oc",), "create": ("oc",)}.get(operation, (stack,))

    with pytest.raises(ServiceError) as failed:
        getattr(heat, operation)(*first, FILES)
    assert failed.value.cause == "Parameter 'Password' is invalid: ******"
    assert SECRET not in repr(failed.value)
    assert SECRET not in str(failed.value.as_dict())


def hidden(*packages):
    reads = []
    return Secrets(lambda: reads.append(1) or packages), reads


def test_reasons_of_stacks_resources_and_events_come_without_secrets_of_any_revision():
    fake = FakeCloud()
    reason = f"Property error: '{SECRET}' and '{SECRET}-older' at server"
    fake.heat.add("oc", "CREATE_FAILED", {"Compute": [("CREATE_FAILED", reason)]}, reason=reason)
    older = FILES | {"environment.yaml": f"parameters: {{Password: {SECRET}-older}}"}
    secrets, reads = hidden(FILES, older)
    heat = fake.cloud().heat.hiding(secrets)

    stack = heat.find("oc")
    masked = "Property error: '******' and '******' at server"
    assert stack.reason == heat.list()[0].reason == heat.failure(stack).reason == heat.events(stack)[0].reason == masked
    assert SECRET not in repr(heat.resources(stack))
    assert reads == [1]


def test_what_went_well_needs_no_plan():
    secrets, reads = hidden(FILES)
    for text in ("", "state changed", "Stack CREATE started", "Stack UPDATE completed successfully"):
        assert secrets.mask(text) == text
    assert reads == []


def test_while_nobody_knows_what_is_secret_reasons_are_withheld():
    assert Secrets(lambda: None).mask(f"it is {SECRET}") == WITHHELD
    assert hidden({"environment.yaml": "parameters: {Password: [HUSH"})[0].mask("HUSH") == WITHHELD
