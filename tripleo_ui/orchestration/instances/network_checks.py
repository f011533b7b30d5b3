"""Networks and addresses of a request for instances, held against Neutron's."""

import ipaddress
from collections.abc import Callable, Iterable
from typing import Any

from tripleo_ui.orchestration.instances.facts import Facts
from tripleo_ui.orchestration.instances.model import Nic
from tripleo_ui.orchestration.instances.request import InstanceRequest, NetworkSpec
from tripleo_ui.services.neutron import Network, Subnet

#: Takes a field and a sentence.
Wrong = Callable[[str, str], None]


def pick(wanted: str, things: Iterable[Any], what: str) -> tuple[Any, str]:
    """The one thing of that id, else of that name; or None with a sentence that says why there is not one."""
    known = tuple(things)
    found = [thing for thing in known if thing.id == wanted] or [thing for thing in known if thing.name == wanted]
    if len(found) == 1:
        return found[0], ""
    if found:
        return None, f"There are {len(found)} {what}s named “{wanted}”: give the id."
    return None, f"There is no {what} “{wanted}”."


def nics(request: InstanceRequest, facts: Facts, wrong: Wrong) -> tuple[Nic, ...]:
    """The ports that each instance gets; those that cannot be are left out."""
    found = []
    addresses: set[tuple[str, str]] = set()
    for index, spec in enumerate(request.networks):
        network, problem = pick(spec.network, facts["networks"], "network")
        if problem or not network.up or not network.subnets:
            wrong(f"networks.{index}.network", problem or _unusable(network))
            continue
        subnet = ""
        if spec.fixed_ip:
            subnet, problem = _address(request, facts, network, spec)
            if (network.id, spec.fixed_ip) in addresses:
                problem = "The address is given twice."
            addresses.add((network.id, spec.fixed_ip))
            if problem:
                wrong(f"networks.{index}.fixed_ip", problem)
        bandwidth = facts["bandwidth", network.id] if network.qos_policy else {}
        found.append(Nic(network, subnet, spec.fixed_ip, bandwidth))
    return tuple(found)


def _unusable(network: Network) -> str:
    return "It has no subnet." if network.up else "It is down."


def _address(request: InstanceRequest, facts: Facts, network: Network, spec: NetworkSpec) -> tuple[str, str]:
    """The subnet that an address is in, or why it cannot be had."""
    if request.count > 1:
        return "", "One address cannot be given to many instances."
    address = ipaddress.ip_address(spec.fixed_ip)
    subnets = [each for each in facts["subnets"] if each.network == network.id]
    subnet = next((each for each in subnets if address in ipaddress.ip_network(each.cidr)), None)
    if subnet is None:
        ranges = ", ".join(each.cidr for each in subnets)
        return "", f"It is in no subnet of {network.name}: {ranges}."
    if problem := _reserved(subnet, spec.fixed_ip):
        return "", problem
    own = facts.made.ports
    taken = [port for port in facts["ports", network.id, spec.fixed_ip] if port.id not in own]
    if taken:
        return "", f"The port {taken[0].name or taken[0].id} has it."
    return subnet.id, ""


def _reserved(subnet: Subnet, address: str) -> str:
    if address == subnet.gateway:
        return "It is the gateway's."
    network = ipaddress.ip_network(subnet.cidr)
    edges = {network.network_address, network.broadcast_address} if network.version == 4 else {network.network_address}
    # Networks of one or two addresses have no edges.
    if network.num_addresses > 2 and ipaddress.ip_address(address) in edges:
        return "It is the subnet's own address."
    return ""
