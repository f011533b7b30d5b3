"""Packages that were written elsewhere: read to roles and parameters, kept whole, changed only where asked."""

import difflib
from dataclasses import replace

import pytest
import yaml

from tests.unit.planning import build
from tripleo_ui.planning import hot, packages
from tripleo_ui.planning.errors import PlanningError
from tripleo_ui.planning.plan import parameters
from tripleo_ui.planning.roles import ServiceChoice


@pytest.fixture
def files():
    return build.handwritten()


@pytest.fixture
def plan(files):
    return hot.parse(files)


def changed(plan, files=None):
    """Lines that composing changed, as (file, removed or added line)."""
    files = plan.files if files is None else files
    composed = hot.compose(plan)
    lines = []
    for name in sorted({*files, *composed}):
        before, after = files.get(name, "").splitlines(), composed.get(name, "").splitlines()
        lines += [(name, line) for line in difflib.ndiff(before, after) if line[0] in "+-"]
    return lines


def with_role(plan, name, **changes):
    return replace(plan, roles=tuple(replace(each, **changes) if each.name == name else each for each in plan.roles))


def fails(files):
    with pytest.raises(PlanningError) as caught:
        hot.parse(files)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_roles_of_handwritten_templates(plan):
    assert [(each.namespace, each.count, each.flavor, each.image) for each in plan.roles] == [
        ("web-1", 2, "m1.large", "fedora"),
        ("Compute-1", 1, "compute", "centos"),
        ("cache-1", 1, "m1.tiny", "cirros"),
    ]
    assert [each.role.max_count for each in plan.roles] == [5, 1000, 1000]
    assert plan.roles[0].role.description == "A web server."
    assert plan.foreign
    assert plan.description == "A small cloud, written by hand."


def test_parameters_of_handwritten_templates(plan):
    found = {each.name: each for each in parameters(plan)}
    assert list(found) == ["with_cache", "db_password", "extra", "dns"]
    assert found["with_cache"].effective is False
    assert found["db_password"].hidden
    assert found["db_password"].value == "tops3cret"
    assert found["dns"].default == ["1.1.1.1"]
    assert found["extra"].default == {"a": "b"}


def test_nothing_is_dropped(plan, files):
    assert hot.compose(plan) == files
    assert hot.parse(hot.compose(plan)) == plan


def test_a_new_number_changes_one_line(plan):
    assert changed(with_role(plan, "web", count=4)) == [("environment.yaml", "+   web_count: 4")]


def test_a_value_changes_in_place(plan):
    values = {**plan.parameters, "with_cache": True}
    assert changed(replace(plan, parameters=values)) == [
        ("environment.yaml", "-   with_cache: false"),
        ("environment.yaml", "+   with_cache: true"),
    ]


def test_a_hidden_value_keeps_its_quotes_and_its_comment(plan):
    values = {**plan.parameters, "db_password": "n3w"}
    assert ("environment.yaml", "+   db_password: 'n3w'   # do not show") in changed(replace(plan, parameters=values))


def test_a_value_that_is_taken_back(plan):
    values = {"with_cache": False}
    assert changed(replace(plan, parameters=values)) == [
        ("environment.yaml", "-   db_password: 'tops3cret'   # do not show")
    ]


def test_literals_and_defaults_change_where_they_are(plan):
    lines = changed(with_role(plan, "cache", flavor="m1.small"))
    assert lines == [
        ("plan.yaml", '-       flavor: "m1.tiny"   # one is enough'),
        ("plan.yaml", '+       flavor: "m1.small"   # one is enough'),
    ]
    lines = changed(with_role(plan, "Compute", flavor="big"))
    assert [name for name, _line in lines] == ["templates/compute.yaml"] * 2
    assert changed(with_role(plan, "web", flavor="m1.huge")) == [("environment.yaml", "+   web_flavor: m1.huge")]


def test_changes_are_found_again(plan):
    new = with_role(with_role(plan, "web", count=3, image="debian"), "cache", image="tiny")
    new = replace(new, description="Words: new", parameters={**plan.parameters, "dns": ["8.8.4.4"]})
    again = hot.parse(hot.compose(new))
    assert (again.roles, again.parameters, again.description) == (new.roles, new.parameters, new.description)


def test_the_number_of_a_single_resource_is_fixed(plan):
    with pytest.raises(PlanningError, match="number of cache cannot be changed"):
        hot.compose(with_role(plan, "cache", count=2))


def test_a_description_that_goes(plan):
    lines = changed(replace(plan, description=""))
    assert all(line.startswith("-") for _name, line in lines)
    assert hot.parse(hot.compose(replace(plan, description=""))).description == ""


def test_removing_a_role_that_others_need_names_them(plan):
    text = plan.files["plan.yaml"]
    text = text.replace("  announce:\n", "  announce:\n    depends_on: web\n")
    text = text.replace(
        "get_attr: [cache, first_address]", "list_join: [',', [{get_attr: [web, x]}, {get_attr: [cache, y]}]]"
    )
    needed = hot.parse({**plan.files, "plan.yaml": text})
    reason = r"plan.yaml:\d+: web cannot be removed: resources.announce, outputs.cache_address refer to it"
    with pytest.raises(PlanningError, match=reason):
        hot.compose(replace(needed, roles=needed.roles[1:]))


def test_removing_a_role_takes_its_outputs_along(plan):
    fewer = replace(plan, roles=tuple(each for each in plan.roles if each.name != "cache"))
    master = yaml.safe_load(hot.compose(fewer)["plan.yaml"])
    assert "cache" not in master["resources"]
    assert set(master["outputs"]) == {"addresses"}
    assert hot.parse(hot.compose(fewer)).roles == fewer.roles


def test_removing_a_role_takes_its_alias_but_keeps_a_template_that_is_used(plan, files):
    fewer = replace(plan, roles=tuple(each for each in plan.roles if each.name != "Compute"))
    composed = hot.compose(fewer)
    assert "My::Compute" not in yaml.safe_load(composed["environment.yaml"])["resource_registry"]
    assert "templates/compute.yaml" not in composed or "My::Special" in composed["environment.yaml"]
    assert composed["templates/web.yaml"] == files["templates/web.yaml"]


def test_a_default_role_joins_a_foreign_package(plan, files):
    more = replace(plan, roles=(*plan.roles, build.plan_role("BlockStorage", 2)))
    composed = hot.compose(more)
    again = hot.parse(composed)
    assert again.roles == more.roles
    assert {name for name in files if composed[name] != files[name]} == {"plan.yaml", "environment.yaml"}
    assert composed["plan.yaml"].startswith("# Written by a person: comments, quotes and order are to stay.\n")
    master = yaml.safe_load(composed["plan.yaml"])
    labels = [group["label"] for group in master["parameter_groups"]]
    assert labels == ["Sizes", "Switches", "Block Storage"]
    assert master["outputs"]["BlockStorageServers"]["value"] == {"get_attr": ["BlockStorage", "server_id"]}
    properties = master["resources"]["BlockStorage"]["properties"]["resource_def"]["properties"]
    for value in properties.values():
        if "get_param" in value:
            assert value["get_param"][0] in master["parameters"]
    without = hot.compose(replace(again, roles=again.roles[:3]))
    assert hot.parse(without).roles == plan.roles


def test_a_role_cannot_take_a_name_that_is_used(plan):
    files = dict(plan.files)
    files["plan.yaml"] = files["plan.yaml"].replace("  announce:\n", "  BlockStorage:\n")
    taken = hot.parse(files)
    with pytest.raises(PlanningError, match=r"plan.yaml:\d+: BlockStorage cannot be added: a resource has that name"):
        hot.compose(replace(taken, roles=(*taken.roles, build.plan_role("BlockStorage"))))


def test_services_of_a_foreign_template_cannot_be_changed(plan):
    old = plan.roles[0]
    new = replace(old, role=replace(old.role, services=(ServiceChoice("dashboard", "horizon"),)))
    with pytest.raises(PlanningError, match="services of web are said in its template"):
        hot.compose(replace(plan, roles=(new, *plan.roles[1:])))


def test_a_package_of_ours_that_was_touched_can_still_change_its_services():
    plan = build.plan()
    files = hot.compose(plan)
    files["plan.yaml"] = "# mine\n" + files["plan.yaml"]
    touched = hot.parse(files)
    assert touched.foreign
    assert (touched.name, touched.roles, touched.parameters) == (plan.name, plan.roles, plan.parameters)
    controller = touched.roles[0]
    own = {choice.service: choice.element for choice in controller.role.services}
    own["network-agents"] = "neutron-ovn-controller"
    services = tuple(ServiceChoice(*pair) for pair in own.items())
    roles = (replace(controller, role=replace(controller.role, services=services)), touched.roles[1])
    composed = hot.compose(replace(touched, roles=roles))
    assert composed["plan.yaml"].startswith("# mine\n")
    assert "Controller-1::NeutronDVR" not in composed["plan.yaml"]
    assert "Compute-1::NeutronDVR" in composed["plan.yaml"]
    assert hot.parse(composed).roles == roles
    expected = hot.compose(replace(plan, roles=roles))
    assert composed["provider-Controller-1.yaml"] == expected["provider-Controller-1.yaml"]
    assert yaml.safe_load(composed["plan.yaml"])["resources"] == yaml.safe_load(expected["plan.yaml"])["resources"]


def test_two_roles_that_share_a_parameter():
    group = (
        "  {}:\n    type: OS::Heat::ResourceGroup\n    properties:\n      count: {{get_param: n}}\n"
        "      resource_def: {{type: OS::Nova::Server, properties: {{flavor: f, image: i}}}}\n"
    )
    files = {"plan.yaml": build.template(group.format("a") + group.format("b"), "  n: {type: number, default: 1}\n")}
    plan = hot.parse(files)
    both = replace(plan, roles=tuple(replace(each, count=3) for each in plan.roles))
    assert hot.compose(both)["environment.yaml"] == "parameters:\n  n: 3\n"
    with pytest.raises(PlanningError, match="the number of a and b is the same, from n"):
        hot.compose(replace(plan, roles=(replace(plan.roles[0], count=3), plan.roles[1])))


def test_a_template_that_is_named_otherwise_is_found(files):
    files["top.yaml"] = files.pop("plan.yaml")
    files["values.yaml"] = files.pop("environment.yaml")
    plan = hot.parse(files)
    assert [each.name for each in plan.roles] == ["web", "Compute", "cache"]
    composed = hot.compose(with_role(plan, "web", count=5))
    assert "web_count: 5" in composed["values.yaml"]


def test_one_template_alone_without_any_environment():
    server = "  node:\n    type: OS::Nova::Server\n    properties: {flavor: {get_param: f}, image: i}\n"
    files = {"one.yaml": build.template(server, "  f: {type: string, default: small}\n")}
    plan = hot.parse(files)
    assert [(each.name, each.count, each.flavor, each.image) for each in plan.roles] == [("node", 1, "small", "i")]
    composed = hot.compose(with_role(plan, "node", flavor="large"))
    assert composed == {**files, "environment.yaml": "parameters:\n  f: large\n"}


def test_json_templates_are_templates():
    files = {"plan.yaml": '{"heat_template_version": "2018-08-31", "resources": {"a": {"type": "OS::Nova::Server"}}}'}
    assert [each.name for each in hot.parse(files).roles] == ["a"]
    assert hot.compose(hot.parse(files)) == files


def test_a_scaling_group_is_a_role():
    group = (
        "  asg:\n    type: OS::Heat::AutoScalingGroup\n    properties:\n      desired_capacity: 2\n      max_size: 3\n"
        "      resource: {type: OS::Nova::Server, properties: {flavor: f, image: i}}\n"
    )
    plan = hot.parse({"plan.yaml": build.template(group)})
    assert [(each.name, each.count) for each in plan.roles] == [("asg", 2)]
    assert "desired_capacity: 4" in hot.compose(with_role(plan, "asg", count=4))["plan.yaml"]


def test_a_number_that_the_template_computes_is_left_to_it():
    group = (
        "  a:\n    type: OS::Heat::ResourceGroup\n    properties:\n      count: {if: [big, 3, 1]}\n"
        "      resource_def: {type: OS::Nova::Server, properties: {flavor: f, image: i}}\n"
    )
    files = {"plan.yaml": build.template(group) + "conditions: {big: true}\n"}
    plan = hot.parse(files)
    assert hot.compose(plan) == files
    with pytest.raises(PlanningError, match="the templates compute it"):
        hot.compose(with_role(plan, "a", count=2))


def test_templates_that_include_each_other_end():
    files = {
        "plan.yaml": build.template("  a: {type: x.yaml}\n"),
        "x.yaml": build.template("  b: {type: x.yaml}\n"),
    }
    assert hot.parse(files).roles == ()


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("plan.yaml", "resources: {}\n", "plan.yaml:1: no HOT template"),
        ("plan.yaml", "- a\n", "plan.yaml:1: no HOT template"),
        ("plan.yaml", "", "plan.yaml:1: no HOT template"),
        ("plan.yaml", "heat_template_version: 2018-08-31\nresources: []\n", "plan.yaml:2: resources is not"),
        ("plan.yaml", "heat_template_version: 2018-08-31\nresources:\n  a: {}\n", "plan.yaml:3: the resource a"),
        ("plan.yaml", "heat_template_version: 2018-08-31\nparameters:\n  a: 1\n", "plan.yaml:3: the parameter a"),
        (
            "plan.yaml",
            "heat_template_version: 2018-08-31\nparameters:\n  a: {type: x}\n",
            "plan.yaml:3: the parameter a",
        ),
        ("plan.yaml", "a: 1\na: 2\n", "plan.yaml:2: the key 'a' is given twice"),
        ("plan.yaml", "a: [\n", "plan.yaml:1:"),
        ("environment.yaml", "parameters: [1]\n", "environment.yaml:1: parameters is not a mapping"),
        ("environment.yaml", "- 1\n", "environment.yaml:1: the environment is not a mapping"),
        ("environment.yaml", "a: b: c\n", "environment.yaml:1:"),
        ("environment.yaml", "parameters:\n  web_count: abc\n", "environment.yaml:2: the number of web is 'abc'"),
        ("environment.yaml", "parameters: {web_count: 1.5}\n", "environment.yaml:1: the number of web is 1.5"),
        ("templates/web.yaml", "resources: {}\n", "templates/web.yaml:1: no HOT template"),
        ("templates/web.yaml", "a: {\n", "templates/web.yaml:1:"),
    ],
)
def test_broken_files_say_file_and_line(files, name, text, said):
    assert fails({**files, name: text}).startswith(said)


@pytest.mark.parametrize("text", ["", "{}\n", "parameters:\nresource_registry:\n", "# nothing\n"])
def test_empty_environments_do_not_matter(text):
    files = {"plan.yaml": build.template("  a: {type: OS::Nova::Server}\n"), "environment.yaml": text}
    assert hot.compose(hot.parse(files)) == files


def test_which_template_is_the_master_must_be_clear():
    one = build.template("  a: {type: OS::Nova::Server}\n")
    assert "which is the master template: a.yaml, b.yaml" in fails({"a.yaml": one, "b.yaml": one})
    assert "no file of the package is a HOT template" in fails({"a.txt": "x"})
    environments = {"a.yaml": one, "b.yaml": "parameters: {}\n", "c.yaml": "parameter_defaults: {}\n"}
    assert "which is the environment: b.yaml, c.yaml" in fails(environments)


def test_heat_finds_every_file_by_the_text_that_names_it(files):
    found = hot.for_heat(files)
    assert found["nested/server.yaml"] == files["templates/nested/server.yaml"]
    assert found["../scripts/cache.sh"] == files["scripts/cache.sh"]
    assert {name: found[name] for name in files} == files
    files["top.yaml"] = files.pop("plan.yaml")
    assert hot.for_heat(files)["plan.yaml"] == files["top.yaml"]


def test_a_package_of_ours_is_as_heat_wants_it():
    files = hot.compose(build.plan())
    assert hot.for_heat(files) == files


def test_one_text_for_two_files_cannot_be_told_apart():
    files = {
        "plan.yaml": build.template("  a: {type: a/t.yaml}\n  b: {type: b/t.yaml}\n"),
        "a/t.yaml": build.template("  x: {type: x.yaml}\n"),
        "b/t.yaml": build.template("  x: {type: x.yaml}\n"),
        "a/x.yaml": build.template("  y: {type: OS::Heat::None}\n"),
        "b/x.yaml": build.template("  z: {type: OS::Heat::None}\n"),
    }
    with pytest.raises(PlanningError, match=r"b/t.yaml:3: the name x.yaml means another file elsewhere"):
        hot.for_heat(files)


@pytest.mark.skipif(not build.CORPUS, reason="optional: TRIPLEO_UI_CORPUS names no folder")
class TestPuppetPlan:
    """A package that Tuskar composed from real templates."""

    @pytest.fixture
    def files(self):
        return packages.read(f"{build.CORPUS}/heat/puppet-plan")

    def test_roles_and_parameters(self, plan):
        assert [each.namespace for each in plan.roles] == [
            "ceph-storage-puppet-1",
            "cinder-storage-puppet-1",
            "compute-puppet-1",
            "controller-puppet-1",
            "swift-storage-puppet-1",
        ]
        assert [each.image for each in plan.roles][1:4] == [
            "overcloud-cinder-volume",
            "overcloud-compute",
            "overcloud-control",
        ]
        assert len(parameters(plan)) + 4 + 4 + 5 == 143

    def test_nothing_is_dropped(self, plan, files):
        assert hot.compose(plan) == files

    def test_scaling_changes_one_line(self, plan):
        assert changed(with_role(plan, "compute-puppet", count=7)) == [
            ("environment.yaml", "-   compute-puppet-1::count: '1'"),
            ("environment.yaml", "+   compute-puppet-1::count: 7"),
        ]

    def test_a_role_that_three_resources_need_is_not_removed(self, plan):
        fewer = replace(plan, roles=tuple(each for each in plan.roles if each.name != "compute-puppet"))
        with pytest.raises(PlanningError) as caught:
            hot.compose(fewer)
        for name in ("ComputeAllNodesDeployment", "ComputeNodesPostDeployment", "allNodesConfig"):
            assert f"resources.{name}" in str(caught.value)

    def test_a_default_role_joins(self, plan):
        more = replace(plan, roles=(*plan.roles, build.plan_role("Compute", 2)))
        composed = hot.compose(more)
        assert hot.parse(composed).roles == more.roles
        master = yaml.safe_load(composed["plan.yaml"])
        properties = master["resources"]["Compute"]["properties"]["resource_def"]["properties"]
        assert properties["Debug"] == {"get_param": ["Compute-1::Debug"]}
        assert master["parameters"]["Debug"]["type"] == "string"
        assert master["parameters"]["Compute-1::Debug"]["type"] == "boolean"
