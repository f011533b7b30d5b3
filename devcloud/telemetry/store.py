"""Writes measures into Gnocchi in requests of bounded size, and makes the resources that it does not know yet."""

import datetime as dt
import typing
from collections.abc import Iterable, Iterator

from gnocchiclient import exceptions

from devcloud.telemetry.series import Meter, Resource

BATCH = 4000

Points = Iterable[tuple[float, float]]
Row = tuple[Resource, Meter, list[tuple[float, float]]]


def isoformat(at: float) -> str:
    """Return a time in seconds of the epoch in the form that Gnocchi takes quickest."""
    return dt.datetime.fromtimestamp(at, dt.UTC).replace(tzinfo=None).isoformat()


def batches(rows: Iterable[tuple[Resource, Meter, Points]], limit: int = BATCH) -> Iterator[list[Row]]:
    """Group series, in their order, so that no group has more than ``limit`` measures; a longer series is cut."""
    group: list[Row] = []
    room = limit
    for resource, meter, found in rows:
        points = list(found)
        while points:
            part, points = points[:room], points[room:]
            group.append((resource, meter, part))
            room -= len(part)
            if not room:
                yield group
                group, room = [], limit
    if group:
        yield group


class Store:
    """Gnocchi, through its own client; every request has the client's timeout."""

    def __init__(self, client: typing.Any) -> None:
        self._client = client

    def newest(self, resource_id: str, metric: str, since: float) -> float | None:
        """Return the time of the newest measure since then, or None where there is none."""
        try:
            found = self._client.metric.get_measures(metric, resource_id=resource_id, start=isoformat(since))
        except exceptions.NotFound:
            return None
        newest: float | None = max((at.timestamp() for at, _granularity, _value in found), default=None)
        return newest

    def write(self, rows: Iterable[tuple[Resource, Meter, Points]]) -> int:
        """Write series in their order, and return how many measures that were.

        Raises:
            gnocchiclient.exceptions.ClientException: Gnocchi refused a request.
        """
        return sum(self._write(group) for group in batches(rows))

    def end(self, kind: str, resource_id: str, at: float) -> None:
        """Say that a resource is no more; one that was never there is none either."""
        try:
            self._client.resource.update(kind, resource_id, {"ended_at": f"{isoformat(at)}+00:00"})
        except exceptions.NotFound:
            return

    def _write(self, group: list[Row]) -> int:
        body: dict[str, dict[str, typing.Any]] = {}
        for resource, meter, points in group:
            series = body.setdefault(resource.id, {}).setdefault(
                meter.name, {"archive_policy_name": meter.policy, "unit": meter.unit, "measures": []}
            )
            series["measures"] += [{"timestamp": isoformat(at), "value": value} for at, value in points]
        resources = {resource.id: resource for resource, _meter, _points in group}
        try:
            self._client.metric.batch_resources_metrics_measures(body, create_metrics=True)
        except exceptions.BadRequest as error:
            for resource_id in _unknown(error):
                self._create(resources[resource_id])
            self._client.metric.batch_resources_metrics_measures(body, create_metrics=True)
        return sum(len(points) for _resource, _meter, points in group)

    def _create(self, resource: Resource) -> None:
        try:
            self._client.resource.create(resource.kind, {"id": resource.id, **resource.attributes})
        except exceptions.ResourceAlreadyExists:
            return  # Ceilometer's publisher was faster


def _unknown(error: exceptions.BadRequest) -> list[str]:
    """Return the ids of resources that Gnocchi does not know.

    Raises:
        gnocchiclient.exceptions.BadRequest: it complains of something else.
    """
    message = error.message
    if not isinstance(message, dict) or message.get("cause") != "Unknown resources":
        raise error
    return [entry["original_resource_id"] for entry in message["detail"]]
