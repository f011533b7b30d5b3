"""A plan as one YAML file."""

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings

from tests.unit.planning import build
from tests.unit.test_planning_compose import plans
from tripleo_ui.planning import hot, planfile
from tripleo_ui.planning.errors import PlanningError
from tripleo_ui.planning.parameters import MASK

SMALL = """\
name: small
roles:
- name: Controller
- name: Compute
  count: 3
  flavor: big
parameters:
  Debug: 'yes'
  Compute-1::NovaReservedHostMemory: 100
"""


def fails(text, **more):
    with pytest.raises(PlanningError) as caught:
        planfile.load(text, "p.yaml", **more)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_what_is_not_said_is_as_the_role_says():
    plan = planfile.load(SMALL, "p.yaml")
    assert [(each.name, each.count, each.flavor, each.image) for each in plan.roles] == [
        ("Controller", 1, "control", "overcloud-control"),
        ("Compute", 3, "big", "overcloud-compute"),
    ]
    assert plan.parameters == {"Debug": True, "Compute-1::NovaReservedHostMemory": 100}


def test_a_role_of_ones_own():
    text = "name: a\nroles:\n- {name: Web, services: {dashboard: horizon}, image: i, flavor: f, defaults: {max: 3}}\n"
    (web,) = planfile.load(text, "p.yaml").roles
    assert (web.namespace, web.role.max_count, web.image) == ("Web-1", 3, "i")


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(plans())
def test_any_plan_without_secrets_comes_back(plan):
    hidden = {each.name for each in planfile.parameters(plan) if each.hidden}
    values = {name: value for name, value in plan.parameters.items() if name not in hidden}
    plan = replace(plan, name="a", parameters=values)
    assert planfile.load(planfile.dump(plan), "p.yaml") == plan


def test_hidden_values_come_from_the_package_that_is_named():
    plan = build.plan()
    files = hot.compose(plan)
    text = planfile.dump(plan, "/some/where")
    assert "package: /some/where\n" in text
    asked = []

    def read_package(name):
        asked.append(name)
        return files

    assert planfile.load(text, "p.yaml", read_package=read_package) == plan
    assert asked == ["/some/where"]


def test_hidden_values_that_are_nowhere_are_named():
    text = planfile.dump(build.plan())
    message = fails(text)
    assert message.startswith("p.yaml:")
    assert "hidden values are not in this file: AdminPassword, " in message
    kept = planfile.load(text, "p.yaml", keep_missing=True)
    assert kept == replace(build.plan(secrets=False))


def test_a_package_may_be_named_on_a_command_line_only():
    assert "a package cannot be named here" in fails("name: a\npackage: /etc\n")


def test_a_foreign_plan_refers_to_its_package():
    files = build.handwritten()
    plan = hot.parse(files)
    text = planfile.dump(plan, "dir")
    assert "tops3cret" not in text
    again = planfile.load(text, "p.yaml", read_package=lambda _name: files)
    assert again == plan
    more = planfile.load(text.replace("count: 2", "count: 4"), "p.yaml", read_package=lambda _name: files)
    assert more.roles[0].count == 4
    assert "web_count: 4" in hot.compose(more)["environment.yaml"]


def test_a_foreign_plan_can_carry_its_files_but_no_secrets():
    plan = hot.parse(build.handwritten())
    text = planfile.dump(plan)
    assert "db_password" in fails(text)
    carried = planfile.load(text, "p.yaml", keep_missing=True)
    assert carried.roles == plan.roles
    assert "db_password" not in carried.parameters


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("name: small", "title: small", "p.yaml:1:"),
        ("name: small", "name: a/b c::d", "p.yaml:1: 'a/b c::d' is no name of a plan"),
        ("name: small", "name: ''", "p.yaml:1: the name of a plan is empty"),
        ("count: 3", "count: -5", "p.yaml:5: roles.1.count: -5 is less than the minimum of 0"),
        ("count: 3", "count: abc", "p.yaml:5: roles.1.count: 'abc' is not of type 'integer'"),
        ("count: 3", "cuont: 3", "p.yaml:5: roles.1: unknown: cuont"),
        ("count: 3", "count: 3\n  count: 4", "p.yaml:6: the key 'count' is given twice"),
        ("name: Compute", "name: Commute", "p.yaml:4: there is no role Commute of version 1"),
        ("name: Compute", "name: Compute\n  version: 2", "p.yaml:4: there is no role Compute of version 2"),
        ("name: Compute", "name: Controller", "p.yaml:4: the role Controller-1 is in the plan twice"),
        ("flavor: big", "services: {wisdom: owl}", "p.yaml:6: there is no service wisdom"),
        ("flavor: big", "services: {hypervisor: owl}", "p.yaml:6: no element owl fulfils hypervisor"),
        ("Debug: 'yes'", "Debug: maybe", "p.yaml:8: Debug: neither true nor false"),
        ("Memory: 100", "Memory: [1]", "p.yaml:9: Compute-1::NovaReservedHostMemory: not a number"),
        ("parameters:", "parameters: [1]\nx:", "p.yaml:"),
        ("Debug: 'yes'", f"RabbitPassword: '{MASK}'", "p.yaml:8: RabbitPassword is masked"),
        ("Debug: 'yes'", "RabbitPassword: [s3cret]", "p.yaml:8: RabbitPassword: not a text"),
        ("roles:", "roles: [", "p.yaml:3:"),
        ("name: small", "name: small\nfiles: {a: b}\npackage: x", "p.yaml:3: a plan has files or names a package"),
    ],
)
def test_bad_files_say_file_and_line(old, new, said):
    assert old in SMALL
    message = fails(SMALL.replace(old, new))
    assert message.startswith(said)
    assert "s3cret" not in message


@pytest.mark.parametrize("text", ["", "[]", "just words", "name: a\nroles: {}\n", "name: [a]\n"])
def test_what_is_no_plan(text):
    assert fails(text).startswith("p.yaml:")


def test_no_parameters_at_all_is_fine():
    assert planfile.load("name: a\nparameters:\n", "p.yaml").parameters == {}
