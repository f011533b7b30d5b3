"""The simulated hardware type inside a real Ironic, on a machine that each test enrols and removes."""

import uuid

import pytest
from openstack import exceptions

from tests.cloud import wait_until

SIZES = {"cpus": 16, "memory_mb": 65536, "local_gb": 480, "cpu_arch": "x86_64"}
SECONDS = 60


@pytest.fixture
def node(admin):
    """An available node that no flavor asks for; it is gone at the end."""
    api = admin.baremetal
    made = api.create_node(
        name=f"test-{uuid.uuid4().hex[:8]}",
        driver="simulated",
        resource_class="baremetal.test",
        network_interface="noop",
        provision_state="enroll",
        properties=SIZES,
        driver_info={"sim_delay": "0,1", "sim_kind": "storage"},
    )
    for state in ("manage", "inspect", "provide"):
        api.set_node_provision_state(made, state, wait=True, timeout=SECONDS)
    yield api.get_node(made.id)
    if api.get_node(made.id).provision_state in ("active", "deploy failed"):
        api.set_node_provision_state(made, "deleted", wait=True, timeout=SECONDS)
    api.delete_node(made.id)


def _inject(admin, node, what):
    answer = admin.baremetal.call_node_vendor_passthru(node, "POST", "inject_failure", body={"what": what})
    assert answer.json() == {"sim_fail": what}


def _deploy(admin, node):
    return admin.baremetal.set_node_provision_state(node, "active", wait=True, timeout=SECONDS)


def test_inspection_finds_the_machine_that_the_properties_describe(admin, node):
    found = admin.baremetal.get_node_inventory(node)["inventory"]
    assert found["cpu"]["count"] == SIZES["cpus"]
    assert found["memory"]["physical_mb"] == SIZES["memory_mb"]
    assert len(found["disks"]) == 13
    assert node.properties["vendor"] == found["system_vendor"]["manufacturer"]
    ports = {port.address for port in admin.baremetal.ports(node=node.id)}
    assert ports == {interface["mac_address"] for interface in found["interfaces"]}


def test_a_deployed_machine_is_on_and_warmer_than_before(admin, node):
    def processor():
        answer = admin.baremetal.call_node_vendor_passthru(node, "GET", "sensors").json()
        return float(answer["Temperature"]["CPU0 Temp (0xe)"]["Sensor Reading"].split()[0])

    before = processor()
    deployed = _deploy(admin, node)
    assert deployed.provision_state == "active"
    assert deployed.power_state == "power on"
    assert processor() > before + 15


def test_an_injected_failure_is_what_the_failed_deployment_tells(admin, node):
    _inject(admin, node, "deploy")
    with pytest.raises(exceptions.ResourceFailure, match="told to fail: deploy"):
        _deploy(admin, node)
    failed = admin.baremetal.get_node(node.id)
    assert failed.provision_state == "deploy failed"
    assert "told to fail: deploy" in failed.last_error
    assert node.name in failed.last_error

    _inject(admin, node, "")
    assert _deploy(admin, failed).provision_state == "active"


def test_an_unknown_operation_cannot_be_made_to_fail(admin, node):
    with pytest.raises(exceptions.BadRequestException, match="no operation explode"):
        _inject(admin, node, "explode")
    assert "sim_fail" not in admin.baremetal.get_node(node.id).driver_info


def test_power_that_fails_leaves_the_state_as_it_was(admin, node):
    _inject(admin, node, "power")
    admin.baremetal.set_node_power_state(node, "power on")
    wait_until(lambda: "told to fail: power" in (admin.baremetal.get_node(node.id).last_error or ""), "an error")
    assert admin.baremetal.get_node(node.id).power_state != "power on"
    _inject(admin, node, "")
    admin.baremetal.set_node_power_state(node, "power on", wait=True, timeout=SECONDS)


def test_a_started_console_says_where_it_is(admin, node):
    admin.baremetal.enable_node_console(node)
    console = wait_until(lambda: _console(admin, node), "console started", seconds=SECONDS)
    assert console["type"] == "socat"
    assert console["url"].startswith("tcp://127.0.0.1:")
    admin.baremetal.disable_node_console(node)
    wait_until(lambda: _console(admin, node) is None, "console stopped", seconds=SECONDS)


def _console(admin, node):
    seen = admin.baremetal.get_node_console(node)
    return seen["console_info"] if seen["console_enabled"] else None


def test_settings_of_the_firmware_can_be_read(admin, node):
    answer = admin.baremetal.get(f"/nodes/{node.id}/bios", microversion="1.40").json()
    assert {"name": "BootMode", "value": "Uefi"}.items() <= next(
        setting for setting in answer["bios"] if setting["name"] == "BootMode"
    ).items()


def test_the_boot_device_that_was_set_is_the_one_that_is_read(admin, node):
    admin.baremetal.set_node_boot_device(node, "disk", persistent=True)
    assert admin.baremetal.get_node_boot_device(node) == {"boot_device": "disk", "persistent": True}


def test_a_knob_that_cannot_be_shows_when_the_node_is_validated(admin, node):
    admin.baremetal.update_node(node, driver_info={"sim_delay": "soon"})
    result = admin.baremetal.validate_node(node, required=())
    assert not result["power"].result
    assert "sim_delay: 'soon'" in result["power"].reason
    admin.baremetal.update_node(node, driver_info={"sim_delay": "0,1"})
