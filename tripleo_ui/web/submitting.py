"""Ask the orchestrator for work on behalf of the person who is signed in."""

import uuid
from collections.abc import Mapping
from typing import Any

from tripleo_ui.config import settings
from tripleo_ui.orchestration import api
from tripleo_ui.services.cloud import Cloud
from tripleo_ui.services.errors import ServiceError


def nonce() -> str:
    """A key for one drawing of a button: both clicks of a double click carry it."""
    return uuid.uuid4().hex


def requester(request) -> api.Requester:
    """Who asks, as the orchestrator records it."""
    user = request.user
    return api.Requester(
        user_id=user.id,
        user_name=user.username,
        project_id=user.project_id,
        project_name=user.project_name,
        region=user.services_region or settings.region,
        source=f"dashboard {request.META.get('REMOTE_ADDR', '')}".strip(),
    )


def trust(request, cloud: Cloud) -> str:
    """Let the conductor act for the person, with the roles that they have in this project.

    Raises:
        ServiceError: Keystone refused or did not answer.
    """
    trustee = settings.service_user_id or cloud.keystone.user_id(
        settings.service_username, settings.service_user_domain
    )
    roles = [role["name"] for role in request.user.roles]
    return cloud.keystone.create_trust(request.user.id, trustee, request.user.project_id, roles)


def give_back(cloud: Cloud, trust_id: str) -> None:
    """Delete a trust that nobody will use; one that Keystone keeps for now delegates to the conductor only."""
    try:
        cloud.keystone.delete_trust(trust_id)
    except ServiceError:
        return


def submit(
    request, cloud: Cloud, workflow: str, params: Mapping[str, Any], *, key: str, title: str = ""
) -> api.Request:
    """Submit a request with a trust of its own.

    Args:
        request: the person's HTTP request.
        cloud: the services on behalf of that person.
        workflow: the workflow's name.
        params: its parameters.
        key: equal for all presses of one button, so that they are one request.
        title: what the list of requests calls it.

    Raises:
        ServiceError: Keystone refused the trust.
        api.Locked: another request works on the same target.
        api.Invalid: the parameters have problems.
    """
    who = requester(request)
    trust_id = trust(request, cloud)
    try:
        submitted = api.submit(workflow, who, dict(params), trust_id=trust_id, key=key, title=title)
    except Exception:
        give_back(cloud, trust_id)
        raise
    if submitted.trust_id != trust_id:
        give_back(cloud, trust_id)
    return submitted
