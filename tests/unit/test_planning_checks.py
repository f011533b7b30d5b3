"""What is wrong with a plan, and where the wizard mends it."""

from dataclasses import replace

import pytest

from tests.unit.planning import build
from tripleo_ui.planning import checks, hot
from tripleo_ui.planning.plan import Plan, PlanRole
from tripleo_ui.planning.roles import Role, ServiceChoice


def found(plan, step=None):
    return [(each.level, each.field, each.message) for each in checks.check(plan) if step in (None, each.step)]


def with_services(plan, name, **changes):
    """The plan with other elements of one role; None takes a service away; _ in a key stands for -."""
    changes = {key.replace("_", "-"): element for key, element in changes.items()}
    old = plan.role(name)
    own = {choice.service: choice.element for choice in old.role.services} | changes
    services = tuple(ServiceChoice(key, element) for key, element in own.items() if element)
    new = replace(old, role=replace(old.role, services=services))
    return replace(plan, roles=tuple(new if each is old else each for each in plan.roles))


@pytest.fixture
def plan():
    return build.plan()


@pytest.mark.parametrize(
    "counts",
    [
        {"Controller": 1, "Compute": 2},
        {"Controller": 3, "Compute": 1, "BlockStorage": 1, "ObjectStorage": 2, "Network": 1},
        {"AllInOne": 1},
        {"AllInOne": 1, "Compute": 0, "BlockStorage": 1},
    ],
)
def test_plans_of_default_roles_are_fine(counts):
    assert checks.check(build.plan(**counts)) == ()


@pytest.mark.parametrize("name", ["", "a/b c::d", "a_b", "x" * 300])
def test_names(plan, name):
    ((level, field, message),) = found(replace(plan, name=name), "name")
    assert (level, field) == ("error", "name")
    assert message.endswith(".")


def test_no_roles():
    assert found(Plan("a"), "roles") == [("error", "roles", "Choose at least one role.")]


def test_a_role_twice(plan):
    twice = replace(plan, roles=(*plan.roles, plan.roles[1]))
    assert ("error", "Compute-1", "The role Compute-1 is in the plan 2 times.") in found(twice, "roles")


def test_a_service_that_is_needed_and_missing(plan):
    problems = found(with_services(plan, "Controller", identity=None), "roles")
    assert (
        "error",
        "Controller-1.service.image",
        "Image needs Identity: no role has it.",
    ) in problems


def test_a_service_on_a_role_without_servers_is_missing():
    problems = found(build.plan(Controller=1, Compute=0), "roles")
    assert (
        "error",
        "Controller-1.service.compute-control",
        "Compute control needs Hypervisor: Compute would have it, but has no servers.",
    ) in problems


def test_what_a_role_without_servers_needs_is_no_problem():
    assert found(build.plan(AllInOne=1, Network=0), "roles") == []


def test_elements_in_conflict_on_one_role(plan):
    both = replace(
        plan.roles[0],
        role=replace(
            plan.roles[0].role,
            services=(*plan.roles[0].role.services, ServiceChoice("message-broker", "qpid-server")),
        ),
    )
    problems = found(replace(plan, roles=(both, *plan.roles[1:])), "roles")
    field = "Controller-1.service.message-broker"
    assert ("error", field, "RabbitMQ and Qpid cannot both be on Controller.") in problems
    assert ("error", field, "Message broker has more than one element on Controller.") in problems


def test_elements_that_exclude_each_other_in_one_plan(plan):
    problems = found(with_services(plan, "Compute", network_agents="neutron-ovn-controller"), "roles")
    assert any("cannot be in one overcloud" in message for _level, _field, message in problems)
    assert {field for _level, field, _message in problems} == {"Compute-1.service.network-agents"}


def test_a_service_on_two_roles_that_may_be_on_one(plan):
    problems = found(with_services(plan, "Compute", database="mariadb"), "roles")
    message = "Database may be on one role only, not on Controller and Compute."
    assert problems == [("error", "Compute-1.service.database", message)]


def test_two_controlling_roles():
    problems = found(build.plan(Controller=1, AllInOne=1), "roles")
    assert (
        "error",
        "AllInOne-1.service.identity",
        "Identity may be on one role only, not on Controller and All-in-One.",
    ) in problems


@pytest.mark.parametrize(
    ("service", "element", "said"),
    [("wisdom", "owl", "unknown service wisdom"), ("database", "owl", "No element owl fulfils Database")],
)
def test_unknown_services_and_elements(plan, service, element, said):
    problems = found(with_services(plan, "Controller", **{service: element}), "roles")
    assert any(said in message for _level, _field, message in problems)


def test_a_role_without_services_is_a_warning(plan):
    bare = PlanRole(Role("Bare", image="i", flavor="f"), 1, "f", "i")
    problems = found(replace(plan, roles=(*plan.roles, bare)))
    assert problems == [("warning", "Bare-1", "Bare has no services: nothing runs there.")]
    assert not checks.has_errors(checks.check(replace(plan, roles=(*plan.roles, bare))))


@pytest.mark.parametrize(
    ("count", "said"),
    [
        (-5, "cannot be negative"),
        ("abc", "whole number"),
        (1.5, "whole number"),
        (True, "whole number"),
        (None, "whole number"),
        (1001, "at most 1000"),
    ],
)
def test_counts(plan, count, said):
    roles = (plan.roles[0], replace(plan.roles[1], count=count))
    ((level, field, message),) = found(replace(plan, roles=roles), "counts")
    assert (level, field) == ("error", "Compute-1.count")
    assert said in message


def test_no_servers_at_all(plan):
    empty = replace(plan, roles=tuple(replace(each, count=0) for each in plan.roles))
    assert found(empty, "counts") == [("error", "Controller-1.count", "Give at least one role a server.")]


def test_flavor_and_image_must_be_chosen(plan):
    roles = (replace(plan.roles[0], flavor="", image=""), plan.roles[1])
    fields = [field for _level, field, _message in found(replace(plan, roles=roles), "counts")]
    assert fields == ["Controller-1.flavor", "Controller-1.image"]


def test_required_parameters():
    problems = found(build.plan(secrets=False), "parameters")
    assert ("error", "RabbitPassword", "RabbitPassword needs a value, which can be generated.") in problems


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("Compute-1::NovaReservedHostMemory", -1, "out of range"),
        ("Compute-1::NovaReservedHostMemory", "abc", "not a number"),
        ("Compute-1::NovaComputeLibvirtType", "xen", "is not one of kvm, qemu, lxc"),
        ("Debug", "maybe", "neither true nor false"),
        ("Compute-1::ExtraConfig", 5, "object or a list"),
        ("RabbitPassword", "short", "length"),
    ],
)
def test_values_are_checked_by_their_constraints(plan, name, value, said):
    ((level, field, message),) = found(replace(plan, parameters={**plan.parameters, name: value}))
    assert (level, field) == ("error", name)
    assert said in message
    assert "short" not in message


def test_a_parameter_of_no_role_is_a_warning_and_left_out(plan):
    more = replace(plan, parameters={**plan.parameters, "Network-1::NeutronDVR": True})
    ((level, field, _message),) = found(more)
    assert (level, field) == ("warning", "Network-1::NeutronDVR")
    assert "Network-1::NeutronDVR" not in hot.compose(more)["environment.yaml"]


def test_problems_come_in_the_order_of_the_steps(plan):
    roles = (replace(plan.roles[0], count=-1),)
    steps = [each.step for each in checks.check(replace(plan, name="", roles=roles, parameters={}))]
    assert steps == sorted(steps, key=checks.STEPS.index)
    assert {"name", "roles", "counts", "parameters"} <= set(steps)


def test_a_foreign_package_that_misses_files():
    files = {
        "plan.yaml": build.template(
            "  a:\n    type: OS::Heat::SoftwareConfig\n    properties: {config: {get_file: gone.sh}}\n"
        ),
        "environment.yaml": "resource_registry:\n  X: lost.yaml\n  Y: http://example.org/there.yaml\n",
    }
    problems = found(hot.parse(files), "review")
    assert [message for _level, _field, message in problems] == [
        "environment.yaml:2: the file lost.yaml is not in the package.",
        "plan.yaml:5: the file gone.sh is not in the package.",
    ]
