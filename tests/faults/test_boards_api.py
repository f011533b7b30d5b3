"""Submitting, finding and steering requests on the databases and boards of several machines."""

import pytest

from tests.unit.test_orchestration_api import *  # noqa: F403
from tests.unit.test_orchestration_fairness import *  # noqa: F403

pytestmark = [
    pytest.mark.usefixtures("database"),
    pytest.mark.parametrize("database", ["postgresql", "redis"], indirect=True),
]
