"""Requests to Gnocchi: bounded, in order, and resources are made when it asks for them."""

import datetime as dt

import pytest
from gnocchiclient import exceptions
from hypothesis import given
from hypothesis import strategies as st

from devcloud.telemetry import store
from devcloud.telemetry.series import Meter, Resource
from devcloud.telemetry.store import Store

CPU = Meter("cpu", "ns", lambda at: at, "ceilometer-low-rate")
MEMORY = Meter("memory", "MB", lambda at: at)
SERVER = Resource("instance", "s", (CPU, MEMORY), {"display_name": "web"})
OTHER = Resource("ipmi", "n", (CPU,))


class Metrics:
    def __init__(self, known):
        self.known, self.posts, self.error, self.measures = set(known), [], None, {}

    def batch_resources_metrics_measures(self, body, create_metrics):
        assert create_metrics is True
        if self.error:
            raise self.error
        if missing := sorted(set(body) - self.known):
            detail = [{"original_resource_id": name} for name in missing]
            raise exceptions.BadRequest(400, {"cause": "Unknown resources", "detail": detail})
        self.posts.append(body)

    def get_measures(self, metric, resource_id, start):
        if resource_id not in self.known:
            raise exceptions.ResourceNotFound
        return self.measures.get((resource_id, metric), [])


class Resources:
    def __init__(self, metrics):
        self.metrics, self.made, self.ended = metrics, [], []

    def create(self, kind, body):
        self.made.append((kind, body))
        if body["id"] in self.metrics.known:
            raise exceptions.ResourceAlreadyExists
        self.metrics.known.add(body["id"])

    def update(self, kind, resource_id, body):
        if resource_id not in self.metrics.known:
            raise exceptions.ResourceNotFound
        self.ended.append((kind, resource_id, body["ended_at"]))


class Client:
    def __init__(self, *known):
        self.metric = Metrics(known)
        self.resource = Resources(self.metric)


def _rows(lengths):
    return [(SERVER, CPU, [(float(at), 1.0) for at in range(length)]) for length in lengths]


@given(st.lists(st.integers(0, 25), max_size=12), st.integers(1, 10))
def test_batches_keep_everything_in_order_and_within_the_limit(lengths, limit):
    groups = list(store.batches(_rows(lengths), limit))
    sizes = [sum(len(points) for _resource, _meter, points in group) for group in groups]
    assert all(0 < size <= limit for size in sizes)
    assert sum(sizes) == sum(lengths)
    assert all(size == limit for size in sizes[:-1])
    flat = [at for group in groups for _resource, _meter, points in group for at, _value in points]
    assert flat == [float(at) for length in lengths for at in range(length)]


def test_a_measure_has_policy_unit_time_and_value():
    client = Client("s")
    assert Store(client).write([(SERVER, CPU, [(1_800_000_000.0, 7.0)])]) == 1
    (body,) = client.metric.posts
    assert body == {
        "s": {
            "cpu": {
                "archive_policy_name": "ceilometer-low-rate",
                "unit": "ns",
                "measures": [{"timestamp": "2027-01-15T08:00:00", "value": 7.0}],
            }
        }
    }


def test_unknown_resources_are_made_with_type_and_attributes_and_the_measures_sent_again():
    client = Client("n")
    rows = [(SERVER, CPU, [(1.0, 1.0)]), (SERVER, MEMORY, [(1.0, 2.0)]), (OTHER, CPU, [(1.0, 3.0)])]
    assert Store(client).write(rows) == 3
    assert client.resource.made == [("instance", {"id": "s", "display_name": "web"})]
    (body,) = client.metric.posts
    assert set(body["s"]) == {"cpu", "memory"}
    assert set(body) == {"s", "n"}


def test_a_resource_that_someone_else_made_meanwhile_is_no_failure():
    client = Client()
    original = client.resource.create

    def raced(kind, body):
        client.metric.known.add(body["id"])
        original(kind, body)

    client.resource.create = raced
    assert Store(client).write([(SERVER, CPU, [(1.0, 1.0)])]) == 1


@pytest.mark.parametrize("message", ["Invalid input", {"cause": "Unknown metrics", "detail": []}])
def test_another_complaint_is_raised(message):
    client = Client("s")
    client.metric.error = exceptions.BadRequest(400, message)
    with pytest.raises(exceptions.BadRequest):
        Store(client).write([(SERVER, CPU, [(1.0, 1.0)])])
    assert client.resource.made == []


def test_many_measures_are_many_requests():
    client = Client("s")
    written = Store(client).write(_rows([store.BATCH, 5]))
    assert written == store.BATCH + 5
    assert len(client.metric.posts) == 2


def test_newest_is_the_time_of_the_last_measure():
    client = Client("n")
    moments = [dt.datetime.fromtimestamp(at, dt.UTC) for at in (300, 900, 600)]
    client.metric.measures["n", "cpu"] = [(moment, 300.0, 1.0) for moment in moments]
    assert Store(client).newest("n", "cpu", 0) == 900


def test_newest_of_what_is_empty_or_unknown_is_nothing():
    client = Client("n")
    assert Store(client).newest("n", "cpu", 0) is None
    assert Store(client).newest("unknown", "cpu", 0) is None


def test_the_end_of_a_resource_is_told_and_of_an_unknown_one_ignored():
    client = Client("s")
    Store(client).end("instance", "s", 1_800_000_000.0)
    Store(client).end("instance", "unknown", 1_800_000_000.0)
    assert client.resource.ended == [("instance", "s", "2027-01-15T08:00:00+00:00")]
