"""What Gnocchi is given before the first measure; and the canary of everything that telemetry uses of Ceilometer."""

import subprocess
import sys

import pytest
from gnocchiclient import exceptions

from devcloud.layout import REPOSITORY
from devcloud.telemetry import canaries, history, schema, series


def test_installed_versions_fit():
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "devcloud.telemetry.canaries"],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        timeout=180,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_a_change_is_told_with_a_sentence(monkeypatch):
    monkeypatch.delattr("ceilometer.gnocchi_client.upgrade_resource_types")
    with pytest.raises(SystemExit) as left:
        canaries.main()
    assert "devcloud.telemetry no longer fits Ceilometer" in str(left.value.code)
    assert "upgrade_resource_types is gone" in str(left.value.code)


def test_policies_are_ceilometers_with_room_for_a_days_history():
    policies = {policy["name"]: policy for policy in schema.policies()}
    for name in (series.LOW, series.LOW_RATE):
        assert policies[name]["definition"] == [{"granularity": "5 minutes", "timespan": "30 days"}]
        assert policies[name]["back_window"] * history.STEP_SECONDS >= history.HOURS * 3600
    assert policies["ceilometer-high"]["back_window"] == 0
    assert history.STEP_SECONDS == schema.GRANULARITY


def test_ceilometers_own_definitions_stay_as_they_are():
    schema.policies()
    assert {policy["back_window"] for policy in schema.definitions()["archive_policies"]} == {0}


class Policies:
    def __init__(self, present, raced=()):
        self.present, self.raced, self.made = present, raced, []

    def list(self):
        return [{"name": name} for name in self.present]

    def create(self, policy):
        if policy["name"] in self.raced:
            raise exceptions.ArchivePolicyAlreadyExists
        self.made.append(policy["name"])


@pytest.fixture
def prepare(monkeypatch):
    """Prepare a Gnocchi with some policies, and return those that were made and whether types were."""

    def run(present, raced=()):
        policies, upgraded = Policies(present, raced), []
        client = type("Client", (), {"archive_policy": policies})
        monkeypatch.setattr(schema.gnocchi_client, "get_gnocchiclient", lambda conf, request_timeout: client)
        monkeypatch.setattr(schema.gnocchi_client, "upgrade_resource_types", upgraded.append)
        schema.prepare("conf")
        assert upgraded == ["conf"]
        return policies.made

    return run


ALL = ["ceilometer-low", "ceilometer-low-rate", "ceilometer-high", "ceilometer-high-rate"]


def test_missing_policies_are_made_before_the_resource_types(prepare):
    assert prepare(["low"]) == ALL


def test_policies_that_are_there_stay(prepare):
    assert prepare(ALL) == []


def test_two_processes_may_prepare_at_once(prepare):
    assert prepare([], raced=ALL[:2]) == ALL[2:]
