"""The cloud services that a role may run, read once per process."""

import functools
import os

from tripleo_ui.config import settings
from tripleo_ui.planning.services import CloudService, registry


@functools.lru_cache(maxsize=4)
def _read(paths: tuple[str, ...]) -> tuple[CloudService, ...]:
    return tuple(registry(paths))


def services() -> tuple[CloudService, ...]:
    """All cloud services, the operator's own included."""
    return _read(tuple(path for path in settings.services_path.split(os.pathsep) if path))


def service_keys() -> list[str]:
    """The keys of all cloud services."""
    return [service.key for service in services()]
