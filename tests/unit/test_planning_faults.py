"""The faults that were seen in the composer that the package's layout comes from; ours has none of them."""

from dataclasses import replace

import pytest
import yaml

from tests.unit.planning import build
from tripleo_ui.planning import checks, hot
from tripleo_ui.planning.errors import PlanningError
from tripleo_ui.planning.plan import parameters

SERVER = "type: OS::Nova::Server, properties: {flavor: f, image: i}"

#: Parts of HOT and of environments that were dropped on the way through.
PRECIOUS = {
    "conditions": ("plan.yaml", "conditions:\n  c: {equals: [1, 1]}\n"),
    "condition": ("plan.yaml", "outputs:\n  o: {value: 1, condition: c}\nconditions: {c: true}\n"),
    "parameter_groups": ("plan.yaml", "parameter_groups:\n- {label: l, parameters: [p]}\n"),
    "parameter_defaults": ("environment.yaml", "parameter_defaults: {x: 1}\n"),
    "encrypted_param_names": ("environment.yaml", "encrypted_param_names: [p]\n"),
    "event_sinks": ("environment.yaml", "event_sinks: [{type: zaqar-queue, target: t}]\n"),
    "parameter_merge_strategies": ("environment.yaml", "parameter_merge_strategies: {p: merge}\n"),
    "hooks": ("environment.yaml", "resource_registry: {resources: {a: {hooks: [pre-create, pre-update]}}}\n"),
    "nested_mapping": ("environment.yaml", "resource_registry: {resources: {'*-db': {'A::B': 'OS::Heat::None'}}}\n"),
    "a comment": ("plan.yaml", "# by hand\n"),
}


def package(**extra):
    files = {
        "plan.yaml": build.template(
            f"  a: {{{SERVER}, external_id: 7b0, condition: c2, deletion_policy: retain, update_policy: {{}}}}\n",
            "  p: {type: string, default: x, tags: [t], immutable: true, schema: {type: string}, label: l}\n",
        ),
        "environment.yaml": "parameters: {p: y}\n",
    }
    return {name: text + extra.get(name, "") for name, text in files.items()}


@pytest.mark.parametrize("what", PRECIOUS)
def test_a_round_trip_drops_nothing(what):
    name, text = PRECIOUS[what]
    files = package(**{name: text})
    plan = hot.parse(files)
    assert hot.compose(plan) == files
    changed = hot.compose(replace(plan, parameters={"p": "z"}))
    assert changed["plan.yaml"] == files["plan.yaml"]
    before, after = (yaml.safe_load(each["environment.yaml"]) for each in (files, changed))
    assert after == {**before, "parameters": {"p": "z"}}


def test_a_change_keeps_what_resources_and_parameters_have_beside_it():
    files = package()
    plan = hot.parse(files)
    changed = hot.compose(replace(plan, description="new", roles=(replace(plan.roles[0], flavor="g"),)))
    before, after = (yaml.safe_load(each["plan.yaml"]) for each in (files, changed))
    before["description"] = "new"
    before["resources"]["a"]["properties"]["flavor"] = "g"
    assert after == before


def test_two_versions_of_one_role_stay_two():
    both = replace(build.plan(), roles=(*build.plan().roles, build.plan_role("Compute", version=2)))
    files = hot.compose(both)
    groups = {name for name, each in yaml.safe_load(files["plan.yaml"])["resources"].items() if "Group" in each["type"]}
    assert groups == {"Controller", "Compute", "Compute-2"}
    without = hot.parse(hot.compose(replace(both, roles=(both.roles[0], both.roles[2]))))
    assert [each.namespace for each in without.roles] == ["Controller-1", "Compute-2"]


def test_two_versions_in_a_foreign_package_stay_two():
    group = (
        "  {}:\n    type: OS::Heat::ResourceGroup\n    properties:\n"
        "      count: 1\n      resource_def: {{type: 'Tuskar::Compute-{}'}}\n"
    )
    files = {
        "plan.yaml": build.template(group.format("one", 1) + group.format("two", 2)),
        "environment.yaml": "resource_registry: {'Tuskar::Compute-1': c.yaml, 'Tuskar::Compute-2': c.yaml}\n",
        "c.yaml": build.template(f"  a: {{{SERVER}}}\n"),
    }
    plan = hot.parse(files)
    assert [(each.namespace, each.group) for each in plan.roles] == [("Compute-1", "one"), ("Compute-2", "two")]
    left = hot.compose(replace(plan, roles=plan.roles[1:]))
    assert "Tuskar::Compute-1" not in left["plan.yaml"] + left["environment.yaml"]
    assert left["c.yaml"] == files["c.yaml"]
    assert [each.namespace for each in hot.parse(left).roles] == ["Compute-2"]


def test_removing_a_role_leaves_no_dangling_reference():
    full = hot.parse({**hot.compose(build.plan(Controller=1, Compute=1)), "notes.txt": "mine"})
    assert full.foreign
    composed = hot.compose(replace(full, roles=full.roles[:1]))
    assert "Compute-1" not in composed["plan.yaml"] + composed["environment.yaml"]
    master = yaml.safe_load(composed["plan.yaml"])
    assert "ComputeServers" not in master["outputs"]
    assert [group["label"] for group in master["parameter_groups"]] == ["All roles", "Controller"]
    assert "provider-Compute-1.yaml" not in composed
    assert composed["notes.txt"] == "mine"


VERSION = "heat_template_version: 2018-08-31\n"
GROUP = f"{VERSION}resources:\n  a:\n    type: OS::Heat::ResourceGroup\n"


@pytest.mark.parametrize(
    "text",
    [
        f"{VERSION}parameters:\nresources:\noutputs:\nconditions:\n",
        f"{VERSION}parameters: null\nresources:\n  a: {{{SERVER}}}\n",
        f"{VERSION}parameters:\n  p: {{type: string, constraints: null, default: null}}\n",
        GROUP,
        f"{GROUP}    properties: null\n",
        f"{GROUP}    properties: {{resource_def: null}}\n",
        f"{GROUP}    properties: {{resource_def: {{type: OS::Nova::Server}}}}\n",
        f"{GROUP}    properties: {{resource_def: {{type: OS::Nova::Server, properties: null}}}}\n",
    ],
)
def test_nulls_and_gaps_do_not_crash(text):
    files = {"plan.yaml": text, "environment.yaml": "parameters:\nresource_registry:\nparameter_defaults:\n"}
    plan = hot.parse(files)
    assert hot.compose(plan) == files
    assert isinstance(checks.check(plan), tuple)
    assert isinstance(parameters(plan), tuple)


@pytest.mark.parametrize("count", [-5, "abc"])
def test_bad_numbers_are_problems(count):
    plan = build.plan()
    problems = checks.check(replace(plan, roles=(replace(plan.roles[0], count=count), plan.roles[1])))
    assert [each.field for each in problems if each.step == "counts"] == ["Controller-1.count"]


def test_a_bad_number_in_a_package_says_where():
    files = hot.compose(build.plan())
    files["environment.yaml"] = files["environment.yaml"].replace("Compute-1::count: 2", "Compute-1::count: abc")
    with pytest.raises(PlanningError, match=r"environment.yaml:\d+: the number of Compute is 'abc'"):
        hot.parse(files)
    files["environment.yaml"] = files["environment.yaml"].replace("Compute-1::count: abc", "Compute-1::count: -5")
    problems = checks.check(hot.parse(files))
    assert [each.field for each in problems if each.step == "counts"] == ["Compute-1.count"]


@pytest.mark.parametrize("name", ["", "a/b c::d"])
def test_bad_names_are_problems(name):
    assert [each.step for each in checks.check(replace(build.plan(), name=name))] == ["name"]


def test_a_bad_value_leaves_the_package_as_it_was():
    files = package()
    plan = hot.parse(files)
    before = dict(plan.files)
    with pytest.raises(PlanningError):
        hot.compose(replace(plan, roles=(replace(plan.roles[0], count=9),)))
    assert plan.files == before


def test_five_roles_of_a_hundred_parameters():
    parameters_ = "".join(
        f"  P{index}: {{type: string, default: x, description: one of many}}\n" for index in range(100)
    )
    groups, top, values, registry = "", "", "", ""
    files = {}
    for role in range(5):
        given = "".join(f"          P{index}: {{get_param: ['R{role}-1::P{index}']}}\n" for index in range(100))
        groups += (
            f"  R{role}:\n    type: OS::Heat::ResourceGroup\n    properties:\n"
            f"      count: {{get_param: ['R{role}-1::count']}}\n"
            f"      resource_def:\n        type: Tuskar::R{role}-1\n        properties:\n{given}"
        )
        top += f"  R{role}-1::count: {{type: number, default: 1}}\n"
        top += "".join(f"  R{role}-1::P{index}: {{type: string, default: x}}\n" for index in range(100))
        values += "".join(f"  R{role}-1::P{index}: y\n" for index in range(100))
        registry += f"  Tuskar::R{role}-1: provider-R{role}-1.yaml\n"
        files[f"provider-R{role}-1.yaml"] = build.template(f"  a: {{{SERVER}}}\n", parameters_)
    files["plan.yaml"] = build.template(groups, top)
    files["environment.yaml"] = f"parameters:\n{values}resource_registry:\n{registry}"
    plan = hot.parse(files)
    assert hot.compose(plan) == files
    assert len(parameters(plan)) == 500
