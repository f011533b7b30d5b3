"""The Requests panel."""

import horizon
from django.utils.translation import gettext_lazy as _


class Requests(horizon.Panel):
    """What was asked of the orchestrator in this project; every member sees it."""

    name = _("Requests")
    slug = "requests"
