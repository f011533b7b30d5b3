"""A new version of a service that changes what a shim relies on fails here, with a sentence that says what."""

import subprocess
import sys
import types

import pytest

from devcloud.layout import REPOSITORY
from devcloud.shims import canaries
from devcloud.shims.canaries import CANARIES, Canary, Need


@pytest.mark.parametrize("name", CANARIES)
def test_installed_version_fits(name):
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "devcloud.shims.canaries", name],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout or done.stderr


@pytest.fixture
def service(monkeypatch):
    """A service's module, as a later version might be."""
    module = types.ModuleType("service_of_tomorrow")
    exec("class Manager:\n    def start(self, host):\n        return host\n", module.__dict__)
    monkeypatch.setitem(sys.modules, module.__name__, module)
    return module


@pytest.mark.parametrize(
    ("need", "says"),
    [
        (Need("service_of_tomorrow:Manager.stop"), "service_of_tomorrow:Manager.stop is gone"),
        (Need("service_of_tomorrow:Manager.start", takes=("host", "topic")), "no longer takes topic"),
        (Need("no_such_service.manager"), "no_such_service.manager cannot be imported"),
    ],
)
def test_a_change_is_told_with_shim_service_and_what_changed(service, need, says):
    (sentence,) = canaries.problems(Canary("devcloud.shims.example", "Tomorrow", (need,)))
    assert sentence.startswith("devcloud.shims.example no longer fits Tomorrow: ")
    assert says in sentence
    assert sentence.endswith("adapt the shim.")


def test_a_change_inside_a_function_is_told():
    need = Need("devcloud.shims.canaries:problems", contains="no such text")
    (sentence,) = canaries.problems(Canary("shim", "Service", (need,)))
    assert "no longer has 'no such text'" in sentence


def test_what_is_as_it_was_says_nothing(service):
    need = Need("service_of_tomorrow:Manager.start", takes=("host",))
    assert canaries.problems(Canary("shim", "Service", (need,))) == []


def test_every_shim_over_internals_has_a_canary():
    users = " ".join(canary.user for canary in CANARIES.values())
    plain = {"__init__", "canaries", "entry_points", "mkisofs", "swift_cache"}
    for file in (REPOSITORY / "devcloud" / "shims").glob("*.py"):
        assert file.stem in plain or file.stem in users, f"{file.name} has no canary"
