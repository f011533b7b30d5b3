"""The shared cloud for these tests, and clusters of a module's own."""

import uuid

import pytest

from tests.cloud import admin, cloud
from tests.cluster import Simulated, Space, running

__all__ = ["admin", "cloud"]


@pytest.fixture(scope="module")
def openshift_of_module(tmp_path_factory):
    with running("openshift", tmp_path_factory.mktemp("openshift")) as cluster:
        yield cluster


@pytest.fixture
def openshift(openshift_of_module: Simulated):
    """A cluster like OpenShift, in which everything works."""
    yield openshift_of_module
    openshift_of_module.works_again()


@pytest.fixture
def space(openshift: Simulated):
    """A namespace of one's own there, for its administrator."""
    name = f"space-{uuid.uuid4().hex[:8]}"
    found = Space(openshift, name)
    found.kind("Namespace").create(body={"metadata": {"name": name}})
    return found
