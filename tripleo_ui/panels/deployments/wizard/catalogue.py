"""The cloud services that a role may run: the package's and the operator's own."""

import os

from tripleo_ui.config import settings
from tripleo_ui.planning.services import CloudService, Registry, registry


def known() -> Registry:
    """All cloud services, the operator's own included."""
    return registry(path for path in settings.services_path.split(os.pathsep) if path)


def services() -> tuple[CloudService, ...]:
    """All cloud services in the order of their labels."""
    return tuple(known().services.values())
