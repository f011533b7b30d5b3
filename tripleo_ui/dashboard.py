"""The Infrastructure dashboard."""

import horizon
from django.utils.translation import gettext_lazy as _


class Infrastructure(horizon.Dashboard):
    """Plan, deploy and watch overclouds."""

    name = _("Infrastructure")
    slug = "infrastructure"
    default_panel = "overview"


horizon.register(Infrastructure)
