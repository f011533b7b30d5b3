"""The services of the cloud, as the person who is signed in may use them."""

from django.conf import settings as django_settings

from tripleo_ui.config import settings
from tripleo_ui.services.cloud import Cloud
from tripleo_ui.services.rest import TimeoutSession


def from_request(request) -> Cloud:
    """The cloud with the person's own token, project and region; asks nobody.

    Every call ends after the timeouts of ``TRIPLEO_UI``.
    """
    user = request.user
    return Cloud.from_token(
        user.endpoint,
        user.token.id,
        user.project_id,
        user.service_catalog or (),
        user.services_region or "",
        http=http_session(),
        verify=_verify(),
        interface=django_settings.OPENSTACK_ENDPOINT_TYPE.removesuffix("URL"),
        plan_prefix=settings.plan_container_prefix,
    )


def http_session() -> TimeoutSession:
    """The connections of one page; tests put another cloud behind it."""
    return TimeoutSession(settings.connect_timeout, settings.read_timeout)


def _verify():
    """Horizon's own rule for checking certificates."""
    if django_settings.OPENSTACK_SSL_NO_VERIFY:
        return False
    return django_settings.OPENSTACK_SSL_CACERT or settings.ca_cert or True
