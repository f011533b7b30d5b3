"""The Django application: what a process of Horizon or of a conductor must know before its first page or request."""

import os

from django.apps import AppConfig

from tripleo_ui.config import settings
from tripleo_ui.planning import services


class TripleoUi(AppConfig):
    """Tells the planning library where an operator's own cloud services are.

    The files are read when they are first needed: one that is wrong keeps no process from starting.
    """

    name = "tripleo_ui"

    def ready(self) -> None:
        """Make the folders of SERVICES_PATH known."""
        services.use(folder for folder in settings.services_path.split(os.pathsep) if folder)
