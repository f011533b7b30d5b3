"""Deployments through outages, and batches, on PostgreSQL."""

import pytest

from tests.overcloud import files
from tests.unit.test_orchestration_batch import *  # noqa: F403
from tests.unit.test_orchestration_outages import *  # noqa: F403

__all__ = ["files"]
pytestmark = [
    pytest.mark.usefixtures("database"),
    pytest.mark.parametrize("database", ["postgresql"], indirect=True),
]
