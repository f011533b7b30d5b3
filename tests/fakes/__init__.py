"""A cloud in memory that speaks HTTP, so that the code under test is all of ours down to the last header."""

from tests.fakes.cloud import FakeCloud

__all__ = ["FakeCloud"]
