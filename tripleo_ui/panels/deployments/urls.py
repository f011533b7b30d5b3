"""The deployments panel's URLs."""

from django.urls import path

from . import actions, views, wizard_urls

urlpatterns = [
    path("", views.index, name="index"),
    path("status/", views.list_status, name="list_status"),
    path("plans/<str:name>/", views.detail, name="detail"),
    path("plans/<str:name>/status/", views.detail_status, name="status"),
    path("plans/<str:name>/files/", views.files, name="files"),
    path("plans/<str:name>/files/<path:file>/", views.file, name="file"),
    path("plans/<str:name>/deploy/", actions.DeployView.as_view(), name="deploy"),
    path("plans/<str:name>/undeploy/", actions.UndeployView.as_view(), name="undeploy"),
    *wizard_urls.urlpatterns,
]
