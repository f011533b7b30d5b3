"""The Deployments panel."""

import horizon
from django.utils.translation import gettext_lazy as _


class Deployments(horizon.Panel):
    """Plans, and the overclouds that were made of them."""

    name = _("Deployments")
    slug = "deployments"
    permissions = ("openstack.roles.admin",)
