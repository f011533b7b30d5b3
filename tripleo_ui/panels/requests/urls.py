"""The requests panel's URLs."""

from django.urls import path

from . import views

urlpatterns = [
    path("", views.index, name="index"),
    path("status/", views.list_status, name="list_status"),
    path("<str:request_id>/", views.detail, name="detail"),
    path("<str:request_id>/status/", views.detail_status, name="status"),
    path("<str:request_id>/action/", views.action, name="action"),
]
