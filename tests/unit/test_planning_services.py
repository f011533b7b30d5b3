"""Cloud services, their elements, and roles as data files."""

import importlib.metadata
import os
import subprocess
import sys
from dataclasses import replace

import pytest

from tests.unit.planning import build
from tripleo_ui.planning import checks, hot, roles, secret_values, services
from tripleo_ui.planning.errors import PlanningError
from tripleo_ui.planning.parameters import TYPES
from tripleo_ui.planning.plan import parameters
from tripleo_ui.planning.roles import Role, ServiceChoice, default_roles
from tripleo_ui.planning.services import registry

SERVICES = {
    "identity",
    "image",
    "compute-control",
    "hypervisor",
    "network-control",
    "network-agents",
    "block-storage",
    "object-storage",
    "orchestration",
    "telemetry",
    "dashboard",
    "message-broker",
    "database",
    "load-balancer",
    "cluster",
    "provisioning",
    "monitoring",
}

LICENSES = """\
key: licenses
label: Licenses
description: Counts licenses.
requires: [identity]
endpoints: [{name: licenses, port: 9999, path: /v1}]
parameters:
  LicensePassword:
    type: string
    hidden: true
    description: A password.
    key: licenses.password
elements:
  license-server: {label: Server, parameters: [LicensePassword]}
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "licenses.yaml").write_text(LICENSES)
    return tmp_path


@pytest.fixture
def used(folder):
    """The folder, known to the whole process as an operator's."""
    services.use([folder])
    yield folder
    services.use([])


def with_licenses(plan):
    """The plan with the operator's service on its first role."""
    controller = plan.roles[0]
    more = (*controller.role.services, ServiceChoice("licenses", "license-server"))
    changed = replace(controller, role=replace(controller.role, services=more))
    return secret_values.generate(replace(plan, roles=(changed, *plan.roles[1:])), registry())


def fails(text):
    with pytest.raises(PlanningError) as caught:
        services.read(text, "licenses.yaml")
    return str(caught.value)


def test_the_seventeen_services_are_there():
    assert set(registry().services) == SERVICES


@pytest.mark.parametrize(
    ("service", "elements"),
    [
        ("message-broker", ["rabbitmq-server", "qpid-server"]),
        ("database", ["mariadb", "galera", "postgresql"]),
        ("network-agents", ["neutron-network-node", "neutron-openvswitch-agent", "neutron-ovn-controller"]),
    ],
)
def test_services_have_alternatives(service, elements):
    assert [element.key for element in registry().services[service].elements] == elements


def test_parameters_of_all_types_and_hidden_ones_are_among_them():
    found = [item.parameter for service in registry() for element in service.elements for item in element.parameters]
    assert {parameter.type for parameter in found} == set(TYPES)
    assert all(parameter.description for parameter in found)
    for parameter in found:
        if parameter.name.endswith(("Password", "Secret")):
            assert parameter.hidden, parameter.name
        if parameter.default is not None:
            assert parameter.accept(parameter.default) == parameter.default


def test_hidden_parameters_have_no_default_that_is_a_secret():
    for service in registry():
        for element in service.elements:
            for item in element.parameters:
                if item.parameter.hidden:
                    assert item.parameter.default in (None, "", {})


def test_elements_that_are_named_exist():
    known = {element.key for service in registry() for element in service.elements}
    for service in registry():
        for element in service.elements:
            assert set(element.conflicts) | set(element.excludes) <= known


def test_an_operators_folder_adds_a_service(folder):
    found = registry([folder])
    assert found.element("licenses", "license-server").label == "Server"
    assert len(list(found)) == len(SERVICES) + 1
    assert "licenses" not in registry().services


def test_an_operators_service_replaces_one_of_the_same_key(folder):
    (folder / "licenses.yaml").write_text(LICENSES.replace("key: licenses\n", "key: dashboard\n"))
    assert registry([folder]).services["dashboard"].label == "Licenses"


def test_an_operators_service_is_known_wherever_a_registry_is_not_given(used):
    plan = with_licenses(build.plan())
    assert [item.name for item in parameters(plan) if item.service == "licenses"] == ["Controller-1::LicensePassword"]
    files = hot.compose(plan)
    assert "LicensePassword" in files["provider-Controller-1.yaml"]
    assert "http://HOST:9999/v1" in files["plan.yaml"]
    assert hot.parse(files) == plan
    assert not plan.foreign
    assert checks.check(plan) == ()


def test_an_operators_service_is_unknown_to_a_process_that_was_not_told(used):
    plan = with_licenses(build.plan())
    files = hot.compose(plan)
    services.use([])
    assert hot.parse(files).foreign
    assert checks.ERROR in [problem.level for problem in checks.check(plan)]
    with pytest.raises(PlanningError, match="licenses"):
        hot.compose(plan)


def test_folders_that_are_given_come_after_the_operators(used, tmp_path_factory):
    more = tmp_path_factory.mktemp("more")
    (more / "own.yaml").write_text(LICENSES.replace("label: Licenses", "label: Mine"))
    assert registry().services["licenses"].label == "Licenses"
    assert registry([more]).services["licenses"].label == "Mine"


def test_a_broken_file_of_an_operator_is_named_when_it_is_needed_and_mending_it_is_enough(folder):
    file = folder / "licenses.yaml"
    for broken in (b"key: licenses\n", b"\xff\xfe"):
        file.write_bytes(broken)
        services.use([folder])
        try:
            with pytest.raises(PlanningError, match=str(file)):
                hot.compose(build.plan(secrets=False))
            file.write_text(LICENSES)
            assert "licenses" in registry().services
        finally:
            services.use([])
            services._read_all.cache_clear()


def test_the_application_tells_where_an_operators_services_are(folder, tmp_path):
    more = tmp_path / "more"
    more.mkdir()
    code = """
import sys, django
django.setup()
assert not {"horizon", "taskflow"} & set(sys.modules), sorted(sys.modules)
from tripleo_ui.planning.services import registry
print("licenses" in registry().services)
"""
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "tests.faults.conductor_settings"}
    environment |= {f"TEST_{name}": "x" for name in ("DATABASE_URL", "AUTH_URL", "SERVICE_PASSWORD", "REGION")}
    environment |= {"TEST_LEASE_SECONDS": "9", "TEST_POLL_SECONDS": "1"}
    environment["TRIPLEO_UI_SERVICES_PATH"] = f"{more}{os.pathsep}{folder}"
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)
    assert (done.stdout, done.stderr) == ("True\n", "")


def test_a_package_adds_services_through_an_entry_point(folder, monkeypatch):
    class Point:
        name = "licenses"

        def load(self):
            return lambda: folder

    real = importlib.metadata.entry_points
    monkeypatch.setattr(
        services, "entry_points", lambda group: [Point()] if group == "tripleo_ui.cloud_services" else real(group=group)
    )
    services._read_all.cache_clear()
    try:
        assert "licenses" in registry().services
    finally:
        services._read_all.cache_clear()


def test_a_folder_that_is_not_there(tmp_path):
    with pytest.raises(PlanningError, match="no folder"):
        registry([tmp_path / "none"])


def test_a_service_that_is_required_must_exist(folder):
    (folder / "licenses.yaml").write_text(LICENSES.replace("[identity]", "[wisdom]"))
    with pytest.raises(PlanningError, match="requires the service wisdom"):
        registry([folder])


def test_one_name_means_one_parameter(folder):
    (folder / "licenses.yaml").write_text(LICENSES.replace("LicensePassword", "NovaPassword"))
    with pytest.raises(PlanningError, match="different parameter NovaPassword"):
        registry([folder])


@pytest.mark.parametrize("key", ["rabbit.password", "rabbit.password.more", "rabbit"])
def test_one_key_means_one_parameter(folder, key):
    (folder / "licenses.yaml").write_text(LICENSES.replace("key: licenses.password", f"key: {key}"))
    with pytest.raises(PlanningError, match="key"):
        registry([folder])


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("key: licenses\n", "key: Li/cen\n", ":1: key: a key has small letters"),
        ("label: Licenses\n", "", ":1: label is missing"),
        ("label: Licenses\n", "label: Licenses\nlabels: x\n", ":3: unknown: labels"),
        ("port: 9999", "port: 99999", ":5: endpoints.0.port: 99999 is greater"),
        ("type: string", "type: text", ":8: parameters.LicensePassword.type: 'text' is not one of"),
        ("parameters: [LicensePassword]", "parameters: [Nothing]", ":13: license-server reads Nothing"),
        ("label: Server,", "label: Server, serves: [x],", ":13: license-server serves x"),
        ("requires: [identity]", "everywhere: nothing", ":4: everywhere names nothing"),
        ("hidden: true", "default: 7\n    constraints: [{length: {min: 9}}]", ":7: LicensePassword"),
        ("elements:\n", "elements: {}\nx:\n", "licenses.yaml:"),
        ("description: Counts licenses.", "description: [", "licenses.yaml:"),
    ],
)
def test_a_bad_description_says_file_and_line(old, new, said):
    assert old in LICENSES
    message = fails(LICENSES.replace(old, new))
    assert said in message
    assert message.startswith("licenses.yaml:")


def test_default_roles():
    found = {role.name: role for role in default_roles()}
    assert list(found) == ["Controller", "Compute", "BlockStorage", "ObjectStorage", "Network", "AllInOne"]
    assert [role.title for role in found.values()] == [
        "Controller",
        "Compute",
        "Block Storage",
        "Object Storage",
        "Network",
        "All-in-One",
    ]
    assert [role.flavor for role in found.values()] == [
        "control",
        "compute",
        "storage",
        "storage",
        "control",
        "control",
    ]
    assert [role.image for role in found.values()] == [
        "overcloud-control",
        "overcloud-compute",
        "overcloud-block-storage",
        "overcloud-object-storage",
        "overcloud-network",
        "overcloud-all-in-one",
    ]
    for role in found.values():
        for choice in role.services:
            assert registry().element(choice.service, choice.element), choice


def test_every_role_runs_an_agent_of_ceilometer():
    for role in [*default_roles(), Role("Bare", services=(ServiceChoice("dashboard", "horizon"),))]:
        running = {choice.service: choice.element for choice in roles.running(role, registry())}
        assert running["telemetry"].startswith("ceilometer")


def test_a_label_that_repeats_the_name_is_none():
    assert Role("A", label="A") == Role("A")
    assert Role("A", label="B").title == "B"
    assert Role("A", version=3).namespace == "A-3"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("name: X\n", "services is missing"),
        ("name: X\nservices: {a: b}\nimage: i\nflavor: f\nversion: 0\n", "x.yaml:5: version"),
        ("name: 'a b'\nservices: {a: b}\nimage: i\nflavor: f\n", "x.yaml:1: name"),
    ],
)
def test_a_bad_role_file(tmp_path, text, said):
    (tmp_path / "x.yaml").write_text(text)
    with pytest.raises(PlanningError) as caught:
        roles.read_folder(tmp_path)
    assert said in str(caught.value)
