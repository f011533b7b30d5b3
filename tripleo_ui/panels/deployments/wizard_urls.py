"""URLs of the deployment wizard; part of the deployments panel."""

from django.urls import path, re_path

from .wizard import changed, views
from .wizard.catalogue import needed
from .wizard.steps import STEPS

_SLUGS = "|".join(step.slug for step in STEPS)

urlpatterns = [
    path("create/", views.create, name="create"),
    path("plans/<str:name>/edit/", changed.edit, name="edit"),
    path("drafts/<str:key>/delete/", views.delete, name="wizard_delete"),
    path("drafts/<str:key>/preview/", needed(views.preview), name="wizard_preview"),
    path("drafts/<str:key>/changed/", needed(changed.ChangedView.as_view()), name="wizard_changed"),
    re_path(rf"^drafts/(?P<key>[^/]+)/(?P<slug>{_SLUGS})/$", needed(views.StepView.as_view()), name="wizard"),
]
