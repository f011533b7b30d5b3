"""The overview panel's URLs."""

from django.urls import path

from . import views

urlpatterns = [
    path("", views.index, name="index"),
    path("status/", views.live, name="status"),
]
