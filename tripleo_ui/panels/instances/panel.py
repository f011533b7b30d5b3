"""The Instances panel."""

import horizon
from django.utils.translation import gettext_lazy as _


class Instances(horizon.Panel):
    """Servers of the project, made and deleted by the orchestrator; every member uses it."""

    name = _("Instances")
    slug = "instances"
    permissions = ("openstack.services.compute",)
