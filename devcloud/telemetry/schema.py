"""What Gnocchi needs before the first measure: Ceilometer's archive policies and resource types.

A policy's back window says how late a measure may come. Ceilometer's is 0: once a series has its first measure, all
that is older than the running period is dropped. History could then never come after the first live reading, so the
policies of five minutes are made here, before Ceilometer's publisher makes them, with a back window of a day.
"""

import functools
import importlib.resources
import typing

import yaml
from ceilometer import gnocchi_client
from gnocchiclient import exceptions
from oslo_config import cfg

from devcloud.telemetry.series import LOW, LOW_RATE

GRANULARITY = 300
# A day, and an hour for a feeder that starts late; in periods of the policy.
BACK_WINDOW = 25 * 3600 // GRANULARITY

_TIMEOUT_SECONDS = 30


@functools.cache
def definitions() -> dict[str, typing.Any]:
    """Return what the installed Ceilometer says of policies, resource types and metrics."""
    file = importlib.resources.files("ceilometer.publisher") / "data" / "gnocchi_resources.yaml"
    found: dict[str, typing.Any] = yaml.safe_load(file.read_text())
    return found


def metrics() -> dict[str, set[str]]:
    """Return the metric names of each resource type."""
    return {entry["resource_type"]: set(entry["metrics"]) for entry in definitions()["resources"]}


def policies() -> list[dict[str, typing.Any]]:
    """Return Ceilometer's archive policies, those of five minutes with a back window of a day."""
    return [
        {**policy, "back_window": BACK_WINDOW} if policy["name"] in {LOW, LOW_RATE} else policy
        for policy in definitions()["archive_policies"]
    ]


def client(conf: cfg.ConfigOpts) -> typing.Any:
    """Return a Gnocchi client as the user that Ceilometer publishes with.

    Gnocchi derives the id of a resource like ``<node>-fan1`` from its name and creator: another user would make another
    resource.
    """
    return gnocchi_client.get_gnocchiclient(conf, request_timeout=_TIMEOUT_SECONDS)


def prepare(conf: cfg.ConfigOpts) -> None:
    """Create what is missing; what is there stays.

    Raises:
        gnocchiclient.exceptions.ClientException: Gnocchi refused, or another process does the same now; try again.
    """
    gnocchi = client(conf)
    present = {policy["name"] for policy in gnocchi.archive_policy.list()}
    for policy in policies():
        if policy["name"] not in present:
            try:
                gnocchi.archive_policy.create(policy)
            except exceptions.ArchivePolicyAlreadyExists:
                continue  # another process was faster
    gnocchi_client.upgrade_resource_types(conf)
