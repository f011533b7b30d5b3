"""Hidden values: masked wherever people look, generated where nobody gave one."""

from dataclasses import replace

import pytest

from tests.unit.planning import build
from tripleo_ui.planning import checks, diff, hot, planfile, redact, secret_values
from tripleo_ui.planning.constraints import Constraint
from tripleo_ui.planning.parameters import MASK, Parameter
from tripleo_ui.planning.plan import parameters


@pytest.fixture
def plan():
    return build.plan()


def secrets_of(plan):
    return [plan.parameters[each.name] for each in parameters(plan) if each.hidden and each.given]


def test_generated_values_make_a_plan_complete():
    bare = build.plan(secrets=False)
    missing = secret_values.missing(bare)
    assert len(missing) > 20
    made = secret_values.generate(bare)
    assert checks.check(made) == ()
    assert secret_values.missing(made) == ()
    values = [made.parameters[each.name] for each in missing]
    assert len(set(values)) == len(values)


def test_given_values_are_not_generated_again(plan):
    assert secret_values.generate(plan) == plan


def test_values_of_a_stored_plan_are_kept(plan):
    bare = build.plan(secrets=False)
    bare = replace(bare, parameters={"RabbitPassword": "my own password"})
    kept = secret_values.kept(bare, plan)
    assert kept.parameters == {**plan.parameters, "RabbitPassword": "my own password"}


@pytest.mark.parametrize(
    ("constraint", "length"),
    [
        (Constraint("length", {"min": 40, "max": 50}), 40),
        (Constraint("length", {"max": 8}), 8),
        (Constraint("allowed_pattern", "[0-9a-f]{32}"), 32),
        (Constraint("allowed_pattern", "[0-9]+"), 32),
    ],
)
def test_generated_values_fit_their_constraints(constraint, length):
    parameter = Parameter("P", hidden=True, constraints=(constraint,))
    value = secret_values.random_value(parameter)
    assert parameter.parse(value) == value
    assert len(value) == length


@pytest.mark.parametrize(
    "parameter",
    [
        Parameter("P", hidden=True, constraints=(Constraint("allowed_values", ["a", "b"]),)),
        Parameter("P", "json", hidden=True),
    ],
)
def test_what_cannot_be_made_up_has_to_be_given(parameter):
    with pytest.raises(ValueError, match="P"):
        secret_values.random_value(parameter)


def test_a_redacted_package_has_no_secret_and_is_otherwise_the_same(plan):
    files = hot.compose(plan)
    shown = redact.files(files)
    assert not any(secret in text for secret in secrets_of(plan) for text in shown.values())
    assert {name for name in files if files[name] != shown[name]} == {"environment.yaml"}
    before, after = files["environment.yaml"].splitlines(), shown["environment.yaml"].splitlines()
    for old, new in zip(before, after, strict=True):
        assert old == new or new.endswith((MASK, f'"{MASK}"'))


def test_defaults_and_values_of_others_are_masked_in_place():
    files = build.handwritten()
    shown = redact.files(files)
    assert "tops3cret" not in shown["environment.yaml"]
    assert f"  db_password: '{MASK}'   # do not show\n" in shown["environment.yaml"]
    assert "changeme" not in shown["templates/web.yaml"]
    assert shown["plan.yaml"] == files["plan.yaml"]
    assert shown["scripts/cache.sh"] == files["scripts/cache.sh"]


def test_names_are_hidden_by_any_template_that_hides_them():
    files = {
        "plan.yaml": build.template("", "  Compute-1::Key: {type: string}\n"),
        "provider.yaml": build.template("", "  Key: {type: string, hidden: 'true'}\n"),
        "environment.yaml": "parameters: {Compute-1::Key: s3c1}\nparameter_defaults: {Key: s3c2, token: s3c3, x: jkl}\n"
        "encrypted_param_names: [token]\n",
    }
    shown = redact.files(files)["environment.yaml"]
    assert not any(secret in shown for secret in ("s3c1", "s3c2", "s3c3"))
    assert "jkl" in shown
    assert redact.hidden_names(files) >= {"Compute-1::Key", "Key", "token"}


@pytest.mark.parametrize(
    "text", ["parameters:\n  Password: s3cret\n  Password: s3cret\n", "parameters: {Password: s3cret"]
)
def test_a_file_that_cannot_be_read_is_not_shown(text):
    assert "s3cret" not in redact.files({"environment.yaml": text})["environment.yaml"]


def test_values_of_nested_types_are_masked():
    files = {
        "plan.yaml": build.template("", "  Keys: {type: json, hidden: true, default: {a: s3cret}}\n"),
        "environment.yaml": "parameters:\n  Keys:\n    b:\n    - s3cret\n",
    }
    shown = redact.files(files)
    assert not any("s3cret" in text for text in shown.values())


def test_a_plans_file_has_no_secret(plan):
    for text in (
        planfile.dump(plan),
        planfile.dump(hot.parse(build.handwritten())),
        repr(hot.parse(build.handwritten()).files),
    ):
        if text.startswith("name:"):
            assert not any(secret in text for secret in [*secrets_of(plan), "tops3cret", "changeme"])


def test_differences_are_shown_without_secrets(plan):
    old = hot.compose(plan)
    roles = (plan.roles[0], replace(plan.roles[1], count=7))
    new = hot.compose(replace(plan, roles=roles, parameters={**plan.parameters, "RabbitPassword": "another secret"}))
    (found,) = diff.diff(old, new)
    assert (found.name, found.change) == ("environment.yaml", "changed")
    assert "-  Compute-1::count: 2" in found.text
    assert "+  Compute-1::count: 7" in found.text
    assert "another secret" not in found.text


def test_a_secret_that_alone_differs_leaves_an_empty_text(plan):
    new = replace(plan, parameters={**plan.parameters, "RabbitPassword": "another secret"})
    (found,) = diff.diff(hot.compose(plan), hot.compose(new))
    assert (found.change, found.text) == ("changed", "")


def test_files_that_come_and_go(plan):
    more = hot.compose(build.plan(Controller=1, Compute=2, BlockStorage=1))
    names = {each.name: each.change for each in diff.diff(hot.compose(plan), more)}
    assert names["provider-BlockStorage-1.yaml"] == "added"
    back = {each.name: each.change for each in diff.diff(more, hot.compose(plan))}
    assert back["provider-BlockStorage-1.yaml"] == "removed"
    assert diff.diff(more, more) == ()
