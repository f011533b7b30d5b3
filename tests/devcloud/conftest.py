"""The shared cloud for these tests."""

from tests.cloud import admin, cloud

__all__ = ["admin", "cloud"]
