"""The Overview panel."""

import horizon
from django.utils.translation import gettext_lazy as _


class Overview(horizon.Panel):
    """How far the cloud is, and what to do next."""

    name = _("Overview")
    slug = "overview"
    permissions = ("openstack.roles.admin",)
