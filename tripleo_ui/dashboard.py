"""The Infrastructure dashboard."""

from django.utils.translation import gettext_lazy as _

import horizon


class Infrastructure(horizon.Dashboard):
    """Plan, deploy and watch overclouds."""

    name = _("Infrastructure")
    slug = "infrastructure"
    default_panel = "overview"


horizon.register(Infrastructure)
