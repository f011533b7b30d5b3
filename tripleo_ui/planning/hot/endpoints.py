"""Where the services of an overcloud are reached: at a virtual address, or at a role's first server."""

from collections.abc import Iterator
from typing import Any

from tripleo_ui.planning import needs
from tripleo_ui.planning.plan import Plan, PlanRole
from tripleo_ui.planning.services import Endpoint, Registry

#: The service whose elements move the virtual address between their servers.
_HOLDER = "load-balancer"
_PORT = "ControlVirtualIP"

#: The virtual address, as the master template says it.
VIRTUAL_IP = {"get_attr": [_PORT, "fixed_ips", 0, "ip_address"]}


def has_virtual_ip(plan: Plan, services: Registry) -> bool:
    """Whether a role of the plan can hold a virtual address."""
    return _HOLDER in services.services and any(each.role.element(_HOLDER) for each in plan.roles)


def resources(plan: Plan, services: Registry) -> dict[str, Any]:
    """The port that keeps the virtual address; no server is attached to it."""
    if not has_virtual_ip(plan, services):
        return {}
    name = {"list_join": ["-", [{"get_param": ["PlanName"]}, "virtual-ip"]]}
    properties = {"name": name, "network": {"get_param": [needs.CONTROL_NETWORK.name]}}
    return {_PORT: {"type": "OS::Neutron::Port", "properties": properties}}


def conditions(plan: Plan, services: Registry) -> dict[str, Any]:
    """Whether a role that serves endpoints has a server; only asked where there is no virtual address."""
    if has_virtual_ip(plan, services):
        return {}
    spaces = sorted({each.namespace for each, _endpoint in served(plan, services)})
    return {_present(space): {"not": {"equals": [{"get_param": [f"{space}::count"]}, 0]}} for space in spaces}


def outputs(plan: Plan, services: Registry) -> dict[str, Any]:
    """One output with the URL of each endpoint, null where no server serves it; none where a plan has no endpoints."""
    virtual = has_virtual_ip(plan, services)
    urls: dict[str, Any] = {}
    for each, endpoint in served(plan, services):
        host = VIRTUAL_IP if virtual else {"get_attr": [plan.group(each), "resource.0.address"]}
        template = f"{endpoint.protocol}://HOST:{endpoint.port}{endpoint.path}"
        url = {"str_replace": {"template": template, "params": {"HOST": host}}}
        urls[endpoint.name] = url if virtual else {"if": [_present(each.namespace), url, None]}
    if not urls:
        return {}
    return {"Endpoints": {"description": "URLs of the services, by name.", "value": urls}}


def served(plan: Plan, services: Registry) -> Iterator[tuple[PlanRole, Endpoint]]:
    """Each endpoint once, with the first role that serves it."""
    seen: set[str] = set()
    for each in plan.roles:
        for choice, element in needs.chosen_elements(each.role, services):
            for endpoint in services.services[choice.service].endpoints:
                if endpoint.name in element.serves and endpoint.name not in seen:
                    seen.add(endpoint.name)
                    yield each, endpoint


def _present(namespace: str) -> str:
    return f"has_{namespace}"
