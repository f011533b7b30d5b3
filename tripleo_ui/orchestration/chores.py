"""What conductors do beside requests, every so many seconds; each is safe while other conductors do it too."""

from collections.abc import Callable
from typing import Any

from tripleo_ui.config import settings
from tripleo_ui.orchestration import api, retention, trusts
from tripleo_ui.orchestration.notify.deliver import Deliverer
from tripleo_ui.orchestration.records import Request

DAY = 86400.0


def standard(cloud_of: Callable[[Request], Any]) -> list[tuple[float, Callable[[], Any]]]:
    """Notifications, expiry of what nobody took, trusts that nobody deleted, and retention."""

    def purge() -> None:
        if settings.retention_days:
            retention.purge(settings.retention_days * DAY)

    return [
        (1.0, Deliverer().round),
        (60.0, lambda: api.expire(settings.queue_expiry_seconds)),
        (60.0, lambda: trusts.sweep(cloud_of)),
        (3600.0, purge),
    ]
