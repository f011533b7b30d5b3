"""Requests carried out on the databases and boards of several machines."""

import pytest

from tests.unit.test_orchestration_flow import *  # noqa: F403

pytestmark = [
    pytest.mark.usefixtures("database"),
    pytest.mark.parametrize("database", ["postgresql", "redis"], indirect=True),
]
