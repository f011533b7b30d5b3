"""Hand a stored plan to the conductor: a trust for it, and one request."""

from tripleo_ui.config import settings
from tripleo_ui.orchestration import api
from tripleo_ui.services.errors import ServiceError


def requester(request) -> api.Requester:
    """Who asks, as the orchestrator records it."""
    user = request.user
    return api.Requester(
        user_id=user.id,
        user_name=user.username,
        project_id=user.project_id,
        project_name=user.project_name,
        region=user.services_region or settings.region,
    )


def deploy(request, cloud, info, key: str) -> api.Request:
    """Submit the deployment of a plan as it was saved.

    The conductor acts through a trust of the person who asks; where nothing comes of it, the trust is deleted again.

    Args:
        request: the person's HTTP request.
        cloud: the services on behalf of that person.
        info: the plan as stored (``services.plans.PlanInfo``).
        key: the same for every press of one button, so that two presses are one deployment.

    Raises:
        ServiceError: Keystone refused the trust.
        api.Locked: another request works on this overcloud.
        api.Invalid: the plan cannot be deployed.
    """
    trust_id = cloud.keystone.create_trust(
        request.user.id,
        settings.service_user_id or cloud.keystone.user_id(settings.service_username, settings.service_user_domain),
        request.user.project_id,
        [role["name"] for role in request.user.roles],
    )
    try:
        submitted = api.submit(
            "overcloud.deploy",
            requester(request),
            {"plan": info.name, "etag": info.etag},
            trust_id=trust_id,
            key=key,
        )
    except Exception:
        _give_back(cloud, trust_id)
        raise
    if submitted.trust_id != trust_id:
        _give_back(cloud, trust_id)
    return submitted


def _give_back(cloud, trust_id):
    """A trust that nobody will use; it only waits for its expiry where Keystone does not answer."""
    try:
        cloud.keystone.delete_trust(trust_id)
    except ServiceError:
        return
