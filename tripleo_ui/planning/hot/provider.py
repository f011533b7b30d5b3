"""A role's provider template: one server with its port, its configuration and the deployment of that."""

from collections.abc import Iterable, Mapping
from typing import Any

from tripleo_ui.planning import needs
from tripleo_ui.planning.errors import PlanningError
from tripleo_ui.planning.hot import layout
from tripleo_ui.planning.parameters import Parameter, read
from tripleo_ui.planning.roles import Role
from tripleo_ui.planning.services import Registry

HOST_NAME = read("Hostname", {"type": "string", "description": "Name of the server."})
VIRTUAL_IP = read(
    "ControlVirtualIP",
    {
        "type": "string",
        "default": "",
        "description": "Address that the services of the control plane are reached at; empty where there is none.",
    },
)
IMAGE = read(
    layout.IMAGE,
    {
        "type": "string",
        "description": "Image that the server starts from.",
        "constraints": [{"custom_constraint": "glance.image"}],
    },
)
FLAVOR = read(
    layout.FLAVOR,
    {
        "type": "string",
        "description": "Flavor that the server's node matches.",
        "constraints": [{"custom_constraint": "nova.flavor"}],
    },
)

#: Outputs of a member; the master template promotes all but the first, which makes a member's id its server's.
OUTPUTS: dict[str, tuple[str, Any]] = {
    "OS::stack_id": ("The server's id.", {"get_resource": "server"}),
    "server_id": ("The server's id.", {"get_resource": "server"}),
    "name": ("The server's name.", {"get_attr": ["server", "name"]}),
    "address": ("The address on the control plane network.", {"get_attr": ["port", "fixed_ips", 0, "ip_address"]}),
    "node": (
        "The bare metal node or the hypervisor that the server runs on; only administrators see it.",
        {"get_attr": ["server", "show", "OS-EXT-SRV-ATTR:hypervisor_hostname"]},
    ),
}


def template(role: Role, roles: Iterable[Role], services: Registry) -> dict[str, Any]:
    """The provider template of a role in a plan with these roles."""
    inputs = {VIRTUAL_IP.name: VIRTUAL_IP}
    inputs |= {item.parameter.name: item.parameter for item in needs.of_role(role, roles, services)}
    wiring: tuple[Parameter, ...] = (HOST_NAME, IMAGE, FLAVOR, *needs.WIRING)
    found: dict[str, Any] = {"heat_template_version": layout.VERSION}
    if role.description:
        found["description"] = role.description
    return found | {
        "parameters": {item.name: item.hot() for item in (*wiring, *inputs.values())},
        "conditions": {"with_key": {"not": {"equals": [{"get_param": "KeyName"}, ""]}}},
        "resources": {
            "port": {"type": "OS::Neutron::Port", "properties": {"network": {"get_param": "ControlPlaneNetwork"}}},
            "server": _server(),
            "config": {
                "type": "OS::Heat::StructuredConfig",
                "properties": {"group": "os-apply-config", "config": config(role, roles, services)},
            },
            "deployment": {
                "type": "OS::Heat::StructuredDeployment",
                "properties": {
                    "config": {"get_resource": "config"},
                    "server": {"get_resource": "server"},
                    "signal_transport": {"get_param": "DefaultSignalTransport"},
                    "input_values": {name: {"get_param": name} for name in inputs},
                },
            },
        },
        "outputs": {name: {"description": text, "value": value} for name, (text, value) in OUTPUTS.items()},
    }


def _server() -> dict[str, Any]:
    return {
        "type": layout.SERVER,
        "properties": {
            "name": {"get_param": "Hostname"},
            "image": {"get_param": layout.IMAGE},
            "flavor": {"get_param": layout.FLAVOR},
            "key_name": {"if": ["with_key", {"get_param": "KeyName"}, None]},
            "networks": [{"port": {"get_resource": "port"}}],
            "user_data_format": "SOFTWARE_CONFIG",
            "software_config_transport": {"get_param": "SoftwareConfigTransport"},
        },
    }


def config(role: Role, roles: Iterable[Role], services: Registry) -> dict[str, Any]:
    """What a server's agent applies: which elements run, and the values that they read.

    ``services`` holds the role's own choices; ``agents`` those that every role has, such as Ceilometer's.
    """
    own = {choice.service: choice.element for choice in role.services}
    chosen = needs.chosen_elements(role, services)
    found: dict[str, Any] = {"services": own}
    agents = {choice.service: choice.element for choice, _element in chosen if choice.service not in own}
    if agents:
        found["agents"] = agents
    _put(found, "controller.virtual_ip", {"get_input": VIRTUAL_IP.name})
    for item in needs.of_role(role, roles, services):
        _put(found, item.key, {"get_input": item.parameter.name})
    for _choice, element in chosen:
        for nested in element.files:
            _put(found, nested.key, {"get_file": nested.name})
    return found


def nested_files(role: Role, services: Registry) -> dict[str, str]:
    """Files that the configuration of a role's servers refers to, by name."""
    return {
        nested.name: nested.content
        for _choice, element in needs.chosen_elements(role, services)
        for nested in element.files
    }


def _put(target: dict[str, Any], key: str, value: Mapping[str, Any]) -> None:
    *outer, last = key.split(".")
    for part in outer:
        target = target.setdefault(part, {})
    if last in target:
        raise PlanningError(f"two elements of one role set the key {key}")
    target[last] = value
