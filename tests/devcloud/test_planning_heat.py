"""What planning composes, taken by a real Heat: validated, previewed, deployed, scaled down."""

import uuid
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from tests.cloud import wait_until
from tests.unit.planning import build
from tripleo_ui.planning import hot, planfile, secret_values
from tripleo_ui.planning.roles import ServiceChoice, default_roles
from tripleo_ui.services.cloud import Cloud
from tripleo_ui.services.errors import NotFound

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
PER_SERVER = ("OS::Nova::Server", "OS::Neutron::Port", "OS::Heat::StructuredConfig", "OS::Heat::StructuredDeployment")

#: Other elements than the default ones, by the role that has them.
ALTERNATIVES = {
    "broker and database": {"Controller": {"message-broker": "qpid-server", "database": "postgresql"}},
    "cluster": {"Controller": {"database": "galera", "load-balancer": "apache-proxy", "cluster": "corosync"}},
    "directory and swift": {"Controller": {"identity": "keystone-ldap", "image": "glance-swift"}},
    "OVN": {
        "Controller": {"network-control": "neutron-server-ovn", "network-agents": "neutron-ovn-controller"},
        "Compute": {"network-agents": "neutron-ovn-controller"},
    },
    "no virtual address": {"Controller": {"load-balancer": None}},
    "bare metal": {"Compute": {"hypervisor": "nova-compute-ironic", "telemetry": None}},
    "ceph": {"Controller": {"block-storage": "cinder-ceph"}},
}


@pytest.fixture
def heat(admin):
    return Cloud(admin.session, admin.config.get_region_name()).heat


@pytest.fixture
def stack(heat):
    """A stack's name; the stack is gone at the end."""
    name = f"test-planning-{uuid.uuid4().hex[:8]}"
    yield name
    found = heat.find(name)
    if found is not None:
        heat.delete(found)
        wait_until(lambda: _gone(heat, found.identity), f"stack {name} deleted")


def _gone(heat, identity):
    try:
        found = heat.get(identity)
    except NotFound:
        return True
    assert not found.failed, found.reason
    return found.status == "DELETE_COMPLETE"


def types(resources):
    return Counter(resource.type for resource in resources)


def test_a_plan_with_every_default_role_is_valid_and_previewed(heat):
    counts = {role.name: 1 for role in default_roles() if role.name != "AllInOne"}
    files = hot.compose(build.plan(**counts))
    declared = heat.validate(files)
    assert declared["Compute-1::count"]["Type"] == "Number"
    assert declared["RabbitPassword"]["NoEcho"] == "true"
    found = types(heat.preview("preview-all", files))
    assert {kind: found[kind] for kind in PER_SERVER} == {
        "OS::Nova::Server": 5,
        "OS::Neutron::Port": 6,
        "OS::Heat::StructuredConfig": 5,
        "OS::Heat::StructuredDeployment": 5,
    }


@pytest.mark.parametrize("example", sorted(EXAMPLES.glob("*.yaml")), ids=lambda path: path.name)
def test_examples_are_previewed(heat, example):
    plan = secret_values.generate(planfile.load(example.read_text(), str(example)))
    files = hot.compose(plan)
    heat.validate(files)
    servers = types(heat.preview(plan.name, files))["OS::Nova::Server"]
    assert servers == sum(each.count for each in plan.roles)


@pytest.mark.parametrize("name", ALTERNATIVES)
def test_other_elements_are_previewed(heat, name):
    plan = build.plan(Controller=1, Compute=1, secrets=False)
    roles = []
    for each in plan.roles:
        own = {choice.service: choice.element for choice in each.role.services} | ALTERNATIVES[name].get(each.name, {})
        services = tuple(ServiceChoice(*pair) for pair in own.items() if pair[1])
        roles.append(replace(each, role=replace(each.role, services=services)))
    values = {"Controller-1::KeystoneLdapUrl": "ldap://directory.example.org"} if "directory" in name else {}
    plan = secret_values.generate(replace(plan, roles=tuple(roles), parameters=values))
    files = hot.compose(plan)
    heat.validate(files)
    assert types(heat.preview("preview-elements", files))["OS::Nova::Server"] == 2


def test_two_versions_of_a_role_and_none_of_another_are_previewed(heat):
    plan = build.plan(Controller=1, Compute=1, BlockStorage=0)
    plan = replace(plan, roles=(*plan.roles, build.plan_role("Compute", 2, version=2)))
    files = hot.compose(plan)
    heat.validate(files)
    assert types(heat.preview("preview-versions", files))["OS::Nova::Server"] == 4


def test_a_default_role_in_a_package_of_others_is_previewed(heat):
    files = {
        "plan.yaml": build.template(
            "  own:\n    type: OS::Heat::RandomString\n    properties: {length: {get_param: size}}\n",
            "  size: {type: number, default: 8}\n  Debug: {type: string, default: 'no'}\n",
        )
    }
    plan = hot.parse(files)
    plan = replace(plan, roles=(build.plan_role("BlockStorage", 2),))
    composed = hot.compose(secret_values.generate(hot.parse(hot.compose(plan))))
    heat.validate(composed)
    found = types(heat.preview("preview-joined", composed))
    assert (found["OS::Nova::Server"], found["OS::Heat::RandomString"]) == (2, 1)


def test_a_plan_is_deployed_and_says_what_a_page_asks_then_loses_exactly_the_chosen_server(heat, stack, admin):
    plan = build.plan(stack, Controller=1, Compute=2, BlockStorage=0)
    heat.create(stack, hot.compose(plan), timeout_mins=10)
    outputs = _complete(heat, stack, "CREATE_COMPLETE")
    assert outputs["BlockStorageServers"] == []
    assert outputs["ComputeNames"] == [f"{stack}-compute-0", f"{stack}-compute-1"]
    for end in ("Servers", "Addresses", "Nodes"):
        assert len(set(outputs[f"Compute{end}"])) == 2, outputs[f"Compute{end}"]
    node = admin.baremetal.get_node(outputs["ControllerNodes"][0])
    assert node.instance_id == outputs["ControllerServers"][0]
    assert outputs["Endpoints"]["identity"].startswith("http://")
    assert outputs["Endpoints"]["identity"].endswith(":5000/v3")

    more = hot.compose(replace(plan, roles=(plan.roles[0], replace(plan.roles[1], count=3), plan.roles[2])))
    changes = Counter((change.action, change.type) for change in heat.preview_update(heat.get(stack), more))
    assert changes["added", "OS::Nova::Server"] == changes["added", "OS::Neutron::Port"] == 1
    assert not [action for action, _type in changes if action in {"replaced", "deleted"}]

    victim, survivor = outputs["ComputeServers"]
    values = {**plan.parameters, "Compute-1::RemovalPolicies": [{"resource_list": [victim]}]}
    fewer = replace(plan, roles=(plan.roles[0], replace(plan.roles[1], count=1), plan.roles[2]), parameters=values)
    files = hot.compose(fewer)
    lost = [
        change for change in heat.preview_update(heat.get(stack), files) if change.action in {"replaced", "deleted"}
    ]
    assert [change.action for change in lost if change.type == "OS::Nova::Server"] == ["deleted"]
    heat.update(heat.get(stack), files)
    outputs = _complete(heat, stack, "UPDATE_COMPLETE")
    assert outputs["ComputeServers"] == [survivor]
    assert outputs["ComputeNames"] == [f"{stack}-compute-1"]


def _complete(heat, name, status):
    def look():
        found = heat.get(name)
        assert not found.failed, found.reason
        return found.status == status

    wait_until(look, f"stack {name} {status}", seconds=300, pause=1)
    return heat.get(name, outputs=True).outputs


def test_nested_templates_and_files_of_others_are_previewed(heat):
    files = {
        "top.yaml": build.template(
            "  a:\n    type: parts/member.yaml\n    properties: {words: {get_file: texts/a.txt}}\n"
        ),
        "texts/a.txt": "from the top",
        "parts/member.yaml": build.template(
            "  b:\n    type: inner/leaf.yaml\n"
            "  c:\n    type: OS::Heat::SoftwareConfig\n    properties: {config: {get_file: ../texts/a.txt}}\n",
            "  words: {type: string}\n",
        ),
        "parts/inner/leaf.yaml": build.template("  d: {type: OS::Heat::RandomString}\n"),
        "values.yaml": "resource_registry: {'My::Own': parts/inner/leaf.yaml}\n",
    }
    composed = hot.for_heat(hot.compose(hot.parse(files)))
    heat.validate(composed)
    found = types(heat.preview("preview-nested", composed))
    assert (found["OS::Heat::RandomString"], found["OS::Heat::SoftwareConfig"]) == (1, 1)
