"""What can be asked for instances: making one or many, and deleting them."""

import hashlib
from collections.abc import Mapping
from typing import Any

from tripleo_ui.orchestration.instances.request import parse
from tripleo_ui.orchestration.records import Requester
from tripleo_ui.orchestration.workflows import Workflow
from tripleo_ui.orchestration.workflows import gettext_noop as _

_FLOWS = "tripleo_ui.orchestration.flows"
MOST_DELETED = 100


def _create_problems(params: Mapping[str, Any]) -> list[str]:
    return [f"{problem.field}: {problem.message}" for problem in parse(params)[1]]


def _create_target(requester: Requester, params: Mapping[str, Any]) -> str:
    # A lock's name has its limits, and names of instances may be long.
    name = str(params["name"])
    return f"instances:{requester.project_id}:{requester.region}:{name if len(name) <= 120 else _digest(name)}"


def _create_title(params: Mapping[str, Any]) -> str:
    count = params.get("count", 1)
    title = f"Create {params['name']}" if count == 1 else f"Create {count} instances {params['name']}"
    return title[:255]


def _servers(params: Mapping[str, Any]) -> list[str]:
    return sorted(set(params["servers"]))


def _delete_problems(params: Mapping[str, Any]) -> list[str]:
    servers = params.get("servers")
    if not isinstance(servers, list) or not servers or not all(isinstance(each, str) and each for each in servers):
        return ["servers: Choose the instances to delete."]
    if len(set(servers)) > MOST_DELETED:
        return [f"servers: There are {len(set(servers))}, and {MOST_DELETED} are the most."]
    return []


def _delete_target(requester: Requester, params: Mapping[str, Any]) -> str:
    servers = _servers(params)
    what = servers[0] if len(servers) == 1 else _digest(" ".join(servers))
    return f"instances:{requester.project_id}:{requester.region}:{what}"


def _delete_locks(requester: Requester, params: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(f"instance:{requester.region}:{server}" for server in _servers(params))


def _delete_title(params: Mapping[str, Any]) -> str:
    servers = _servers(params)
    return f"Delete instance {servers[0]}" if len(servers) == 1 else f"Delete {len(servers)} instances"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:32]


CREATE = Workflow(
    name="instance.create",
    version=1,
    label=_("Create instance"),
    steps={
        "validate": f"{_FLOWS}.instance_create:Validate",
        "reserve_hosts": f"{_FLOWS}.instance_create:ReserveHosts",
        "reserve_ports": f"{_FLOWS}.instance_create:ReservePorts",
        "reserve_volumes": f"{_FLOWS}.instance_create:ReserveVolumes",
        "build_specification": f"{_FLOWS}.instance_create:BuildSpecification",
        "build": f"{_FLOWS}.instance_build:Build",
    },
    phase_labels={
        "validate": _("Check everything"),
        "reserve_hosts": _("Reserve hosts"),
        "reserve_ports": _("Reserve ports"),
        "reserve_volumes": _("Reserve volumes"),
        "build_specification": _("Write the specification"),
        "build": _("Build"),
    },
    problems=_create_problems,
    target=_create_target,
    title=_create_title,
)

DELETE = Workflow(
    name="instance.delete",
    version=1,
    label=_("Delete instance"),
    steps={
        "find": f"{_FLOWS}.instance_delete:Find",
        "delete_servers": f"{_FLOWS}.instance_delete:DeleteServers",
        "delete_rest": f"{_FLOWS}.instance_delete:DeleteRest",
    },
    phase_labels={
        "find": _("Find what belongs to them"),
        "delete_servers": _("Delete servers"),
        "delete_rest": _("Delete ports and volumes"),
    },
    problems=_delete_problems,
    target=_delete_target,
    title=_delete_title,
    locks=_delete_locks,
)

WORKFLOWS = (CREATE, DELETE)
