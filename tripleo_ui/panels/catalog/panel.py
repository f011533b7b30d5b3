"""The Catalog panel."""

import horizon
from django.utils.translation import gettext_lazy as _


class Catalog(horizon.Panel):
    """What can be ordered: templates of clusters, of our library, of administrators; every member uses it."""

    name = _("Catalog")
    slug = "catalog"
