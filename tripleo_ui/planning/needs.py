"""Which parameters the servers of a role need: those of its elements, and those of services that it calls."""

from collections.abc import Iterable
from dataclasses import replace

from tripleo_ui.planning import parameters as hot_parameters
from tripleo_ui.planning.parameters import Parameter
from tripleo_ui.planning.roles import Role, ServiceChoice, running
from tripleo_ui.planning.services import Element, Registry, ServiceParameter

CONTROL_NETWORK = hot_parameters.read(
    "ControlPlaneNetwork",
    {
        "type": "string",
        "default": "ctlplane",
        "label": "Control plane network",
        "description": "Neutron network that all servers are reached on.",
        "constraints": [{"custom_constraint": "neutron.network"}],
    },
)
SIGNAL_TRANSPORT = hot_parameters.read(
    "DefaultSignalTransport",
    {
        "type": "string",
        "default": "NO_SIGNAL",
        "label": "Signal of a configured server",
        "description": "How a server says that it is configured; NO_SIGNAL does not wait for it.",
        "constraints": [{"allowed_values": ["NO_SIGNAL", "CFN_SIGNAL", "TEMP_URL_SIGNAL", "HEAT_SIGNAL"]}],
    },
)
CONFIG_TRANSPORT = hot_parameters.read(
    "SoftwareConfigTransport",
    {
        "type": "string",
        "default": "POLL_SERVER_CFN",
        "label": "Transport of configuration",
        "description": "How a server gets its configuration.",
        "constraints": [{"allowed_values": ["POLL_SERVER_CFN", "POLL_SERVER_HEAT", "POLL_TEMP_URL"]}],
    },
)
KEY_NAME = hot_parameters.read(
    "KeyName",
    {
        "type": "string",
        "default": "",
        "label": "SSH key",
        "description": "Name of a key pair in Nova that may log in; empty for none.",
    },
)

#: What every plan has, beside the parameters of services; templates use these themselves.
WIRING = (CONTROL_NETWORK, SIGNAL_TRANSPORT, CONFIG_TRANSPORT, KEY_NAME)

_COMMON = (
    ServiceParameter(
        hot_parameters.read(
            "Debug", {"type": "boolean", "default": False, "description": "Whether all services log more."}
        ),
        key="debug",
        shared=True,
    ),
    ServiceParameter(
        hot_parameters.read(
            "NtpServers",
            {
                "type": "comma_delimited_list",
                "default": [],
                "label": "Time servers",
                "description": "Servers that all servers take the time from.",
            },
        ),
        key="ntp.servers",
        shared=True,
    ),
    ServiceParameter(
        hot_parameters.read(
            "TimeZone",
            {"type": "string", "default": "UTC", "label": "Time zone", "description": "Time zone of all servers."},
        ),
        key="timezone",
        shared=True,
    ),
    ServiceParameter(
        hot_parameters.read(
            "ExtraConfig",
            {
                "type": "json",
                "default": {},
                "label": "More configuration",
                "description": "More configuration of the servers, by service, section and name.",
            },
        ),
        key="extra_config",
    ),
)

REMOVAL_POLICIES = hot_parameters.read(
    "RemovalPolicies",
    {
        "type": "json",
        "default": [],
        "label": "Removal policies",
        "description": 'Servers that go first when there are fewer, as [{"resource_list": ["0"]}].',
    },
)


def chosen_elements(role: Role, services: Registry) -> list[tuple[ServiceChoice, Element]]:
    """What a role's servers run, with the elements' descriptions; what is unknown is left out."""
    found = ((choice, services.element(choice.service, choice.element)) for choice in running(role, services))
    return [(choice, element) for choice, element in found if element is not None]


def of_role(role: Role, roles: Iterable[Role], services: Registry) -> tuple[ServiceParameter, ...]:
    """The parameters that the servers of a role read, by name.

    Args:
        role: one of the roles.
        roles: all roles of the plan; their choice decides what a client of a service needs.
        services: all cloud services.
    """
    found = {item.parameter.name: item for item in _COMMON}
    required: dict[str, None] = {}
    for choice, element in chosen_elements(role, services):
        found.update((item.parameter.name, item) for item in element.parameters)
        required.update(dict.fromkeys(services.services[choice.service].requires))
    for other in roles:
        for choice, element in chosen_elements(other, services):
            if choice.service in required:
                found.update((item.parameter.name, item) for item in element.parameters if item.client)
    return tuple(found[name] for name in sorted(found))


def parameters(roles: Iterable[Role], services: Registry) -> tuple[Parameter, ...]:
    """The parameters of a plan that has these roles, without values, with their full names."""
    roles = tuple(roles)
    shared = {item.name: item for item in WIRING}
    own: list[Parameter] = []
    for role in roles:
        items = of_role(role, roles, services)
        shared.update((item.parameter.name, item.parameter) for item in items if item.shared)
        mine = (*(item.parameter for item in items if not item.shared), REMOVAL_POLICIES)
        own += [replace(each, name=f"{role.namespace}::{each.name}", role=role.namespace) for each in mine]
    return (*(shared[name] for name in sorted(shared)), *own)
