"""The requests panel's URLs."""

from django.urls import path

from . import starting, views

urlpatterns = [
    path("", views.index, name="index"),
    path("status/", views.list_status, name="list_status"),
    path("new/", starting.index, name="new"),
    path("new/<str:workflow>/", starting.StartView.as_view(), name="start"),
    path("<str:request_id>/", views.detail, name="detail"),
    path("<str:request_id>/status/", views.detail_status, name="status"),
    path("<str:request_id>/events.jsonl", views.events, name="events"),
    path("<str:request_id>/action/", views.action, name="action"),
]
