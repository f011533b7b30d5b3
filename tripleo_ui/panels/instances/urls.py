"""The instances panel's URLs."""

from django.urls import path

from . import creating, deleting, views

urlpatterns = [
    path("", views.index, name="index"),
    path("status/", views.list_status, name="list_status"),
    path("create/", creating.CreateView.as_view(), name="create"),
    path("delete/", deleting.DeleteView.as_view(), name="delete"),
    path("requests/<str:request_id>/", views.detail, name="detail"),
    path("requests/<str:request_id>/status/", views.detail_status, name="status"),
]
