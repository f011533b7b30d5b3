"""The Infrastructure dashboard."""

import horizon
from django.utils.translation import gettext_lazy as _

from tripleo_ui.web import metrics


class Infrastructure(horizon.Dashboard):
    """Plan, deploy and watch overclouds."""

    name = _("Infrastructure")
    slug = "infrastructure"
    default_panel = "overview"

    @property
    def _decorated_urls(self):
        # Horizon lets nobody reach a panel who has not signed in; metrics are no panel.
        patterns, namespace, slug = super()._decorated_urls
        return [*metrics.urlpatterns, *patterns], namespace, slug


horizon.register(Infrastructure)
