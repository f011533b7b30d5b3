"""What there is to measure, read from the database at each scrape: every process answers the same."""

import time
from collections.abc import Iterator

import sqlalchemy as sa
from prometheus_client import CollectorRegistry
from prometheus_client.core import CounterMetricFamily, GaugeHistogramMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.registry import Collector

from tripleo_ui.orchestration.states import ACTIVE, ENDED, State
from tripleo_ui.orchestration.store.clock import clock
from tripleo_ui.orchestration.store.engine import reading
from tripleo_ui.orchestration.store.tables import DELIVERIES, EVENTS, JOBS, REQUESTS

__all__ = ["CONTENT_TYPE_LATEST", "registry", "text"]

#: Upper bounds in seconds: an instance takes seconds, an overcloud an hour or more.
BUCKETS = (1.0, 5.0, 15.0, 60.0, 300.0, 900.0, 1800.0, 3600.0, 7200.0, 14400.0)
WINDOW_SECONDS = 86400.0
_SHOWN = sorted({*ACTIVE, State.NEEDS_ATTENTION})


def registry() -> CollectorRegistry:
    """A registry with the orchestrator's metrics and nothing else."""
    made = CollectorRegistry()
    made.register(_Collector())
    return made


def text() -> bytes:
    """All metrics in Prometheus' text format, whose type is ``CONTENT_TYPE_LATEST``."""
    return bytes(generate_latest(registry()))


class _Collector(Collector):
    """Five queries, each on an index; what has ended is counted over a day, for retention deletes what is older."""

    def describe(self) -> list[Metric]:
        """Nothing, so that a registry can be made while the database is away."""
        return []

    def collect(self) -> Iterator[Metric]:
        """The metrics of one moment."""
        with reading() as connection:
            now = float(connection.execute(sa.select(clock())).scalar_one())
            yield _states(connection)
            yield from _queue(connection, now)
            yield from _ended(connection)
            yield from _deliveries(connection, now)
            yield _events(connection)


def _states(connection: sa.Connection) -> Metric:
    query = sa.select(REQUESTS.c.state, sa.func.count()).where(REQUESTS.c.state.in_(_SHOWN)).group_by(REQUESTS.c.state)
    found: dict[str, int] = dict(connection.execute(query).tuples().all())
    made = GaugeMetricFamily("tripleo_ui_requests", "Requests that have not ended, by state.", labels=["state"])
    for state in _SHOWN:
        made.add_metric([state.lower()], found.get(state, 0))
    return made


def _queue(connection: sa.Connection, now: float) -> Iterator[Metric]:
    # The Redis board renews leases in Redis only: a row that is posted there is its owner's.
    ended = sa.and_(JOBS.c.posting == "", JOBS.c.expires < now)
    free = sa.or_(JOBS.c.owner == "", ended)
    waits = sa.case((JOBS.c.posted_at > JOBS.c.expires, JOBS.c.posted_at), else_=JOBS.c.expires)
    query = (
        sa.select(free.label("free"), JOBS.c.owner, sa.func.count(), sa.func.min(waits))
        .where(JOBS.c.open.is_(True))
        .group_by("free", JOBS.c.owner)
    )
    rows = connection.execute(query).all()
    waiting = [(number, since) for is_free, _owner, number, since in rows if is_free]
    yield GaugeMetricFamily(
        "tripleo_ui_queue_requests", "Requests that nobody works on.", sum(number for number, _since in waiting)
    )
    oldest = max((now - since for _number, since in waiting), default=0.0)
    yield GaugeMetricFamily("tripleo_ui_queue_oldest_seconds", "How long the oldest of them waits.", max(0.0, oldest))
    leases = GaugeMetricFamily("tripleo_ui_conductor_leases", "Requests that a conductor holds.", labels=["conductor"])
    for is_free, owner, number, _since in rows:
        if not is_free:
            leases.add_metric([owner], number)
    yield leases


def _ended(connection: sa.Connection) -> Iterator[Metric]:
    """Outcomes and durations, in one pass over the day's rows."""
    seconds = REQUESTS.c.finished_at - REQUESTS.c.started_at
    buckets = [sa.func.sum(sa.case((seconds <= bound, 1), else_=0)) for bound in BUCKETS]
    after = time.time() - WINDOW_SECONDS
    query = (
        sa.select(
            REQUESTS.c.workflow,
            REQUESTS.c.state,
            sa.func.count(),
            sa.func.count(seconds),
            sa.func.coalesce(sa.func.sum(seconds), 0.0),
            *buckets,
        )
        .where(REQUESTS.c.state.in_(ENDED), REQUESTS.c.updated_at >= after, REQUESTS.c.finished_at >= after)
        .group_by(REQUESTS.c.workflow, REQUESTS.c.state)
        .order_by(REQUESTS.c.workflow, REQUESTS.c.state)
    )
    labels = ["workflow", "outcome"]
    number = GaugeMetricFamily("tripleo_ui_requests_ended_last_day", "Requests that ended in 24 hours.", labels=labels)
    durations = GaugeHistogramMetricFamily(
        "tripleo_ui_request_seconds_last_day", "From start to end, of those that ended in 24 hours.", labels=labels
    )
    for workflow, state, ended, started, total, *counts in connection.execute(query).all():
        names = [workflow, state.lower()]
        number.add_metric(names, ended)
        bounds = [*map(str, BUCKETS), "+Inf"]
        durations.add_metric(names, list(zip(bounds, map(float, [*counts, started]), strict=True)), total)
    yield number
    yield durations


def _deliveries(connection: sa.Connection, now: float) -> Iterator[Metric]:
    query = (
        sa.select(DELIVERIES.c.channel, sa.func.count(), sa.func.min(EVENTS.c.at))
        .join(EVENTS, EVENTS.c.seq == DELIVERIES.c.event_seq)
        .where(DELIVERIES.c.open.is_(True))
        .group_by(DELIVERIES.c.channel)
    )
    number = GaugeMetricFamily("tripleo_ui_deliveries", "Notifications on their way.", labels=["channel"])
    oldest = GaugeMetricFamily(
        "tripleo_ui_deliveries_oldest_seconds", "How long the oldest of them waits.", labels=["channel"]
    )
    for channel, count, at in connection.execute(query).all():
        number.add_metric([channel], count)
        oldest.add_metric([channel], max(0.0, now - at))
    yield number
    yield oldest


def _events(connection: sa.Connection) -> Metric:
    newest = connection.execute(sa.select(sa.func.max(EVENTS.c.seq))).scalar() or 0
    return CounterMetricFamily("tripleo_ui_events", "Number of the newest event, which only grows.", newest)
