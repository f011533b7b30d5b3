"""What the services know that bears on a request for instances, asked for all at once."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from tripleo_ui.orchestration.instances.request import InstanceRequest
from tripleo_ui.services.errors import NotFound
from tripleo_ui.services.fanout import gather, required


@dataclass(frozen=True)
class Made:
    """How much of a request there is already, when it is checked again."""

    servers: int = 0
    ports: frozenset[str] = frozenset()
    volumes: int = 0
    gigabytes: int = 0


class Facts:
    """The answers by name; a service that no part of the request needs is not asked."""

    def __init__(self, answers: Mapping[Any, Any]) -> None:
        self._answers = answers

    def __getitem__(self, key: Any) -> Any:
        return self._answers[key]

    @property
    def made(self) -> Made:
        """What the request made before."""
        ports = self._answers.get("own ports", ())
        volumes = self._answers.get("own volumes", ())
        return Made(
            servers=len(self._answers.get("own servers", ())),
            ports=frozenset(port.id for port in ports),
            volumes=len(volumes),
            gigabytes=sum(volume.size for volume in volumes),
        )


def ask(request: InstanceRequest, cloud: Any, request_id: str) -> Facts:
    """Ask everything, in parallel.

    Raises:
        ServiceError: the first service that did not answer.
    """
    calls: dict[Any, Callable[[], Any]] = {
        "flavors": cloud.nova.flavors,
        "images": lambda: cloud.glance.find(request.image),
        "limits": cloud.nova.limits,
    }
    if request.key_name:
        calls["key pair"] = lambda: cloud.nova.has_key_pair(request.key_name)
    if request.server_group:
        calls["server groups"] = cloud.nova.server_groups
    if request.availability_zone:
        calls["zones"] = cloud.nova.zones
    if request.user_data_ref:
        calls["user data"] = lambda: _user_data(cloud, request.user_data_ref)
    calls |= _network_calls(request, cloud, request_id) | _volume_calls(request, cloud, request_id)
    if request_id:
        calls["own servers"] = lambda: cloud.nova.marked(request_id)
    answers = dict(required(gather(calls)))
    return Facts(answers | _details(request, cloud, answers.get("networks", ())))


def _network_calls(request: InstanceRequest, cloud: Any, request_id: str) -> dict[Any, Callable[[], Any]]:
    if not request.networks:
        return {}
    project = cloud.session.get_project_id()
    calls: dict[Any, Callable[[], Any]] = {
        "networks": cloud.neutron.networks,
        "subnets": cloud.neutron.subnets,
        "port limit": lambda: cloud.neutron.port_limit(project),
    }
    if request.security_groups:
        calls["security groups"] = lambda: cloud.neutron.security_groups(project)
    if request_id:
        calls["own ports"] = lambda: cloud.neutron.marked(request_id)
    return calls


def _volume_calls(request: InstanceRequest, cloud: Any, request_id: str) -> dict[Any, Callable[[], Any]]:
    if not request.volumes and not request.boot_volume:
        return {}
    calls: dict[Any, Callable[[], Any]] = {
        "volume limits": cloud.cinder.limits,
        "volume types": cloud.cinder.types,
    }
    if request.availability_zone:
        calls["volume zones"] = cloud.cinder.zones
    if request_id:
        calls["own volumes"] = lambda: cloud.cinder.marked(request_id)
    return calls


def _details(request: InstanceRequest, cloud: Any, networks: Any) -> dict[Any, Any]:
    """What can be asked only when the networks are known: who has an address, what bandwidth is promised."""
    neutron = cloud.neutron
    calls: dict[Any, Callable[[], Any]] = {}
    for spec in request.networks:
        for network in networks:
            if spec.network not in {network.id, network.name}:
                continue
            if spec.fixed_ip:
                calls["ports", network.id, spec.fixed_ip] = partial(neutron.ports_with, network.id, spec.fixed_ip)
            if network.qos_policy:
                calls["bandwidth", network.id] = partial(neutron.bandwidth, network.qos_policy)
    return dict(required(gather(calls)))


def _user_data(cloud: Any, reference: str) -> str | None:
    try:
        return str(cloud.userdata.get(reference))
    except NotFound:
        return None
