"""The curves that every meter follows: bounds, the day, repeatability, and counters that are the load's integral."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devcloud.telemetry import load

TIMES = st.floats(min_value=load.ORIGIN, max_value=load.ORIGIN + 3e8)
KEYS = st.text(min_size=1, max_size=20)
DAY = 20_000 * 86400


def _day(key):
    return [(minute / 60, load.load(key, DAY + 60 * minute)) for minute in range(0, 1440, 5)]


@given(KEYS, TIMES)
def test_load_is_a_share(key, at):
    assert 0 < load.load(key, at) < 1


@pytest.mark.parametrize("key", ["node-a", "node-b", "node-c"])
def test_afternoon_is_much_busier_than_night(key):
    afternoon = [value for hour, value in _day(key) if 12 <= hour < 16]
    night = [value for hour, value in _day(key) if 0 <= hour < 4]
    assert sum(afternoon) / len(afternoon) > sum(night) / len(night) + 0.3


def test_the_day_has_an_amplitude_that_a_chart_shows():
    values = [value for _hour, value in _day("node-a")]
    assert max(values) - min(values) > 0.45


def test_two_workers_have_curves_of_their_own():
    assert _day("node-a") != _day("node-b")


@given(KEYS)
def test_a_share_is_always_the_same_and_within_its_bounds(key):
    assert load.share(key) == load.share.__wrapped__(key)
    assert 0 <= load.share(key) < 1
    assert 5 <= load.between(key, 5, 9) <= 9


@given(KEYS, TIMES, st.floats(min_value=1, max_value=1e6))
def test_a_counter_only_grows(key, at, step):
    assert load.count(key, at + step, 1000) > load.count(key, at, 1000)


@pytest.mark.parametrize("seconds", [60, 300, 3600])
def test_a_counter_grows_by_load_times_rate(seconds):
    begin = load.ORIGIN + 12_345_678
    parts = 2000
    moments = (begin + seconds * (part + 0.5) / parts for part in range(parts))
    measured = sum(load.load("x", moment) for moment in moments) * seconds / parts * 500
    assert load.count("x", begin + seconds, 500) - load.count("x", begin, 500) == pytest.approx(measured, rel=1e-3)


def test_counters_start_at_nothing():
    assert load.count("x", load.ORIGIN, 1e9) == pytest.approx(0, abs=1e-3)
