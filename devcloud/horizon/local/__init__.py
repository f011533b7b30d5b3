"""Horizon imports ``local.local_settings`` from the Python path; this folder's parent is put there."""
