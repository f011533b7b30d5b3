"""Plans to HOT and back: the package's names, what is in it, and that nothing changes on the way."""

from dataclasses import replace

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.unit.planning import build
from tripleo_ui.planning import hot, needs
from tripleo_ui.planning.errors import PlanningError
from tripleo_ui.planning.plan import Plan, PlanRole, parameters
from tripleo_ui.planning.roles import Role, ServiceChoice, default_roles
from tripleo_ui.planning.services import registry


@pytest.fixture
def plan():
    return build.plan()


@pytest.fixture
def files(plan):
    return hot.compose(plan)


def read(files, name="plan.yaml"):
    return yaml.load(files[name], yaml.BaseLoader)


def test_the_files_have_tuskars_names(files):
    assert set(files) == {
        "plan.yaml",
        "environment.yaml",
        "provider-Controller-1.yaml",
        "provider-Compute-1.yaml",
        "files/ceilometer/polling-central.yaml",
        "files/ceilometer/polling-compute.yaml",
    }
    assert read(files, "environment.yaml")["resource_registry"] == {
        "Tuskar::Controller-1": "provider-Controller-1.yaml",
        "Tuskar::Compute-1": "provider-Compute-1.yaml",
    }


def test_a_role_is_a_group_of_its_type(files):
    group = read(files)["resources"]["Compute"]
    assert group["type"] == "OS::Heat::ResourceGroup"
    assert group["properties"]["count"] == {"get_param": ["Compute-1::count"]}
    assert group["properties"]["removal_policies"] == {"get_param": ["Compute-1::RemovalPolicies"]}
    definition = group["properties"]["resource_def"]
    assert definition["type"] == "Tuskar::Compute-1"
    assert definition["properties"]["Flavor"] == {"get_param": ["Compute-1::Flavor"]}
    assert definition["properties"]["NovaDedicatedCpus"] == {"get_param": ["Compute-1::NovaDedicatedCpus"]}


def test_every_reference_leads_somewhere(files):
    """get_param, get_resource and get_attr name what is declared; properties are the member's parameters."""
    for name in ("plan.yaml", "provider-Controller-1.yaml", "provider-Compute-1.yaml"):
        template = read(files, name)
        for key, target in references(template):
            known = template["parameters"] if key == "get_param" else template["resources"]
            assert target in known, (name, key, target)
    for role in ("Controller", "Compute"):
        given_ = read(files)["resources"][role]["properties"]["resource_def"]["properties"]
        declared = read(files, f"provider-{role}-1.yaml")["parameters"]
        assert set(given_) <= set(declared)
        assert {name for name, schema in declared.items() if "default" not in schema} <= set(given_)


def references(value):
    if isinstance(value, list):
        for item in value:
            yield from references(item)
    elif isinstance(value, dict):
        for key, item in value.items():
            if key in {"get_param", "get_resource", "get_attr"}:
                yield key, item[0] if isinstance(item, list) else item
            else:
                yield from references(item)


def test_every_parameter_is_used(files):
    for name in ("plan.yaml", "provider-Controller-1.yaml", "provider-Compute-1.yaml"):
        template = read(files, name)
        used = {target for key, target in references(template) if key == "get_param"}
        assert set(template["parameters"]) == used, name


def test_parameter_groups_list_every_parameter_once(files):
    master = read(files)
    listed = [name for group in master["parameter_groups"] for name in group["parameters"]]
    assert sorted(listed) == sorted(master["parameters"])


def test_what_a_page_asks_is_an_output(files):
    outputs = read(files)["outputs"]
    for role in ("Controller", "Compute"):
        for end, attribute in {
            "Servers": "server_id",
            "Names": "name",
            "Addresses": "address",
            "Nodes": "node",
        }.items():
            assert outputs[f"{role}{end}"]["value"] == {"get_attr": [role, attribute]}
    endpoints = outputs["Endpoints"]["value"]
    assert endpoints["identity"]["str_replace"]["template"] == "http://HOST:5000/v3"
    assert endpoints["identity"]["str_replace"]["params"]["HOST"]["get_attr"][0] == "ControlVirtualIP"
    assert {"compute", "image", "network", "dashboard", "orchestration"} <= set(endpoints)


def test_a_members_id_is_its_servers(files):
    outputs = read(files, "provider-Compute-1.yaml")["outputs"]
    assert outputs["OS::stack_id"]["value"] == {"get_resource": "server"}
    assert set(outputs) == {"OS::stack_id", "server_id", "name", "address", "node"}


def test_without_a_load_balancer_the_first_server_is_the_endpoint_if_there_is_one():
    bare = PlanRole(Role("Web", services=(ServiceChoice("dashboard", "horizon"),), image="i", flavor="f"), 1, "f", "i")
    files = hot.compose(Plan("p", roles=(bare,)))
    master = read(files)
    assert master["conditions"] == {"has_Web-1": {"not": {"equals": [{"get_param": ["Web-1::count"]}, "0"]}}}
    url = master["outputs"]["Endpoints"]["value"]["dashboard"]
    assert url["if"][0] == "has_Web-1"
    assert url["if"][1]["str_replace"]["params"]["HOST"] == {"get_attr": ["Web", "resource.0.address"]}
    assert hot.parse(files) == Plan("p", roles=(bare,))


def test_few_resources_for_each_server(files):
    resources = read(files, "provider-Controller-1.yaml")["resources"]
    assert {name: resource["type"] for name, resource in resources.items()} == {
        "port": "OS::Neutron::Port",
        "server": "OS::Nova::Server",
        "config": "OS::Heat::StructuredConfig",
        "deployment": "OS::Heat::StructuredDeployment",
    }
    assert resources["server"]["properties"]["user_data_format"] == "SOFTWARE_CONFIG"
    assert resources["deployment"]["properties"]["signal_transport"] == {"get_param": "DefaultSignalTransport"}
    assert read(files)["parameters"]["DefaultSignalTransport"]["default"] == "NO_SIGNAL"


def test_agents_of_ceilometer_are_in_every_template():
    files = hot.compose(build.plan(**{role.name: 1 for role in default_roles() if role.name != "AllInOne"}))
    for name in [name for name in files if name.startswith("provider-")]:
        config = read(files, name)["resources"]["config"]["properties"]["config"]
        assert {**config.get("agents", {}), **config["services"]}["telemetry"].startswith("ceilometer")
        target = config["ceilometer"]["polling"]["get_file"]
        assert files[target].startswith("sources:")


def test_a_role_that_chose_no_telemetry_gets_an_agent_and_parses_back(plan):
    compute = plan.roles[1]
    without = tuple(choice for choice in compute.role.services if choice.service != "telemetry")
    plan = replace(plan, roles=(plan.roles[0], replace(compute, role=replace(compute.role, services=without))))
    files = hot.compose(plan)
    config = read(files, "provider-Compute-1.yaml")["resources"]["config"]["properties"]["config"]
    assert config["agents"] == {"telemetry": "ceilometer-agent-ipmi"}
    assert hot.parse(files) == plan


def test_hidden_values_are_in_the_environment_alone(plan, files):
    secrets = [plan.parameters[each.name] for each in parameters(plan) if each.hidden and each.given]
    assert len(secrets) > 20
    for name, text in files.items():
        assert any(secret in text for secret in secrets) == (name == "environment.yaml"), name


def test_a_parameter_of_a_role_reaches_that_role_alone():
    files = hot.compose(build.plan(Controller=1, Compute=1, Network=1))
    resources = read(files)["resources"]
    for role in ("Controller", "Compute", "Network"):
        properties = resources[role]["properties"]["resource_def"]["properties"]
        own = {
            item["get_param"][0] for item in properties.values() if "get_param" in item and "::" in item["get_param"][0]
        }
        assert own
        assert all(name.startswith(f"{role}-1::") for name in own)


def test_clients_get_what_the_chosen_broker_needs(plan):
    names = {each.name for each in parameters(plan)}
    assert {"RabbitUserName", "RabbitPassword"} <= names
    assert "QpidPassword" not in names
    controller = plan.roles[0]
    own = {choice.service: choice.element for choice in controller.role.services} | {"message-broker": "qpid-server"}
    changed = replace(controller.role, services=tuple(ServiceChoice(*pair) for pair in own.items()))
    compute = needs.of_role(plan.roles[1].role, [changed, plan.roles[1].role], registry())
    found = {item.parameter.name for item in compute}
    assert {"QpidUserName", "QpidPassword"} <= found
    assert not {"RabbitPassword", "AdminPassword", "MysqlRootPassword"} & found


def test_the_same_plan_gives_the_same_bytes(plan):
    again = Plan(plan.name, plan.description, plan.roles, dict(reversed(plan.parameters.items())))
    assert list(hot.compose(again).items()) == list(hot.compose(plan).items())


def test_the_full_circle(plan, files):
    assert hot.parse(files) == plan
    assert not hot.parse(files).foreign
    assert hot.compose(hot.parse(files)) == files


def test_scaling_changes_one_line(plan, files):
    more = hot.compose(replace(plan, roles=(plan.roles[0], replace(plan.roles[1], count=5))))
    assert {name for name in files if files[name] != more[name]} == {"environment.yaml"}
    pairs = zip(files["environment.yaml"].splitlines(), more["environment.yaml"].splitlines(), strict=True)
    assert [pair for pair in pairs if pair[0] != pair[1]] == [("  Compute-1::count: 2", "  Compute-1::count: 5")]


def test_changing_one_parameter_keeps_the_others(plan, files):
    stored = hot.parse(files)
    changed = replace(stored, parameters={**stored.parameters, "Debug": True})
    again = hot.parse(hot.compose(changed))
    assert again.parameters == {**plan.parameters, "Debug": True}


def test_two_versions_of_a_role_are_two_groups(plan):
    newer = build.plan_role("Compute", 3, version=2)
    both = replace(plan, roles=(*plan.roles, newer))
    files = hot.compose(both)
    resources = read(files)["resources"]
    assert resources["Compute"]["properties"]["resource_def"]["type"] == "Tuskar::Compute-1"
    assert resources["Compute-2"]["properties"]["resource_def"]["type"] == "Tuskar::Compute-2"
    assert "Compute-2Servers" in read(files)["outputs"]
    assert hot.parse(files) == both


def test_removing_the_old_version_leaves_the_new_one_in_its_group(plan):
    newer = build.plan_role("Compute", 3, version=2)
    both = hot.parse(hot.compose(replace(plan, roles=(*plan.roles, newer))))
    assert [each.group for each in both.roles] == ["", "Compute", "Compute-2"]
    files = hot.compose(replace(both, roles=(both.roles[0], both.roles[2])))
    assert set(read(files)["resources"]) == {"ControlVirtualIP", "Controller", "Compute-2"}
    left = hot.parse(files)
    assert (left.roles, left.roles[1].group) == ((both.roles[0], newer), "Compute-2")
    assert hot.compose(left) == files
    never_together = hot.compose(replace(plan, roles=(plan.roles[0], newer)))
    assert "Compute" in read(never_together)["resources"]


def test_removing_a_role_leaves_nothing_of_it():
    files = hot.compose(build.plan(Controller=1, Compute=1))
    assert not any("BlockStorage" in text for text in files.values())
    fewer = hot.parse(hot.compose(build.plan(Controller=1, Compute=1, BlockStorage=1)))
    fewer = replace(fewer, roles=fewer.roles[:2])
    assert not any("BlockStorage" in text for text in hot.compose(fewer).values())


@pytest.mark.parametrize(
    ("choice", "said"),
    [
        (ServiceChoice("licenses", "license-server"), "license-server for licenses, which is unknown"),
        (ServiceChoice("hypervisor", "owl"), "owl for hypervisor, which is unknown"),
        (ServiceChoice("hypervisor", "nova-compute-ironic"), "hypervisor twice"),
    ],
)
def test_nothing_that_a_role_runs_is_dropped_in_silence(plan, choice, said):
    compute = plan.roles[1]
    more = replace(compute, role=replace(compute.role, services=(*compute.role.services, choice)))
    with pytest.raises(PlanningError, match=said):
        hot.compose(replace(plan, roles=(plan.roles[0], more)))


def test_values_of_every_type_come_back(plan):
    values = {
        "Debug": False,
        "NtpServers": ["a", "b,c"],
        "CeilometerPollingInterval": 60,
        "Compute-1::ExtraConfig": {"nova": {"x": [0, False, None, ""]}},
        "TimeZone": "2021-04-16",
        "Controller-1::NovaCpuAllocationRatio": 1.5,
        "Compute-1::NovaDedicatedCpus": [],
    }
    plan = replace(plan, parameters={**plan.parameters, **values})
    found = hot.parse(hot.compose(plan)).parameters
    assert found == plan.parameters
    assert {name: type(found[name]) for name in values} == {name: type(value) for name, value in values.items()}


def test_a_plan_of_a_megabyte(plan):
    big = {f"section{index}": {"option": "x" * 90} for index in range(10_000)}
    plan = replace(plan, parameters={**plan.parameters, "Compute-1::ExtraConfig": big})
    files = hot.compose(plan)
    assert sum(map(len, files.values())) > 1_000_000
    assert hot.parse(files) == plan


_WORDS = st.text(alphabet=st.characters(blacklist_categories=["Cs"]), max_size=20)


@st.composite
def plans(draw):
    roles = draw(st.lists(st.sampled_from(default_roles()), unique=True, max_size=4))
    plan_roles = tuple(
        PlanRole(
            replace(
                role,
                version=draw(st.integers(1, 3)),
                description=draw(_WORDS),
                label=draw(_WORDS),
                services=tuple(draw(st.permutations(role.services)))[draw(st.integers(0, 3)) :],
            ),
            draw(st.integers(0, 9)),
            draw(_WORDS),
            draw(_WORDS),
        )
        for role in roles
    )
    plan = Plan(draw(_WORDS), draw(_WORDS), plan_roles)
    strings = [each.name for each in parameters(plan) if each.type == "string"]
    values = draw(st.dictionaries(st.sampled_from(strings), _WORDS, max_size=5))
    return replace(plan, parameters=values)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(plans())
def test_any_plan_comes_back_and_gives_the_same_bytes(plan):
    files = hot.compose(plan)
    again = hot.parse(files)
    assert again == plan
    assert hot.compose(again) == files
