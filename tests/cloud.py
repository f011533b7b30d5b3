"""The cloud that the suite's tests share: one that runs is used, else one is started and stopped at the end.

A conftest makes the fixture available with ``from tests.cloud import cloud``.
"""

import json
import subprocess
import sys
import time
import typing
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest
from openstack.connection import Connection

from devcloud.layout import REPOSITORY, Layout
from devcloud.seed.connection import connect

_COMMAND_SECONDS = 960


def devcloud(
    *arguments: str, env: dict[str, str] | None = None, seconds: float = _COMMAND_SECONDS
) -> subprocess.CompletedProcess[str]:
    """Run ``python -m devcloud`` as a person would, and return its exit code and what it said."""
    return subprocess.run(
        [sys.executable, "-m", "devcloud", *arguments],
        cwd=REPOSITORY,
        env=env,
        capture_output=True,
        text=True,
        timeout=seconds,
        check=False,
    )


def wait_until(look: Callable[[], typing.Any], what: str, seconds: float = 120, pause: float = 0.5) -> typing.Any:
    """Look again and again until the result is true, and return it; fail with what was seen last."""
    deadline = time.monotonic() + seconds
    while True:
        seen = look()
        if seen:
            return seen
        if time.monotonic() > deadline:
            pytest.fail(f"not within {seconds} s: {what}")
        time.sleep(pause)


@dataclass
class Cloud:
    """A running cloud."""

    layout: Layout

    def connect(self, user: str = "admin") -> Connection:
        """Return an SDK connection of a user to the project of the same name."""
        return connect(self.layout, project=user, user=user)

    def status(self) -> dict[str, typing.Any]:
        """Return what ``status --json`` says."""
        return json.loads(devcloud("status", "--json").stdout)


@pytest.fixture(scope="session")
def cloud() -> Iterator[Cloud]:
    """The shared cloud, healthy."""
    found = devcloud("status", "--quiet").returncode
    if found != 0:
        started = devcloud("up")
        assert started.returncode == 0, started.stdout + started.stderr
    yield Cloud(Layout.from_env())
    # One that ran and was not healthy just then is somebody's, and stays.
    if found == 3:
        stopped = devcloud("down")
        assert stopped.returncode == 0, stopped.stdout + stopped.stderr


@pytest.fixture(scope="session")
def admin(cloud: Cloud) -> Connection:
    """The administrator's connection to the shared cloud."""
    return cloud.connect()
