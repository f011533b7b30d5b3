"""History: every five minutes of 24 hours, with one hot node, one gap and one death, always the same."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devcloud.telemetry import history
from devcloud.telemetry.history import DEAD, GAP, GAPPED, HOT, PLAIN
from devcloud.telemetry.series import Meter

NOW = 1_800_000_123.0
NAMES = [*(f"compute-{i}" for i in range(8)), *(f"control-{i}" for i in range(3)), "gpu-0", "storage-0", "storage-1"]
METER = Meter("any", "%", lambda at: at)


def _hours(story):
    moments = history.times(NOW)
    return [(NOW - at) / 3600 for at, _value in history.points(METER, moments, story, NOW)]


@given(st.floats(min_value=1.7e9, max_value=4e9))
def test_a_day_has_a_moment_per_period_oldest_first(now):
    moments = history.times(now)
    assert len(moments) in {287, 288}
    assert moments == sorted(moments)
    assert {later - earlier for earlier, later in itertools.pairwise(moments)} == {300.0}
    assert now - 86400 < moments[0]
    assert moments[-1] < now


@given(st.floats(min_value=0, max_value=80000))
def test_history_goes_on_after_the_newest_measure(age):
    moments = history.times(NOW, NOW - age)
    assert all(at > NOW - age for at in moments)
    assert moments == [at for at in history.times(NOW) if at > NOW - age]


def test_nothing_is_missing_right_after_a_round():
    assert history.times(NOW, NOW - 20) == []


def test_a_newest_measure_of_last_week_changes_nothing():
    assert history.times(NOW, NOW - 7 * 86400) == history.times(NOW)


def test_three_nodes_have_a_story_and_the_others_none():
    told = history.stories(NAMES)
    assert set(told) == set(NAMES)
    assert sorted((told[name] for name in NAMES if told[name] != PLAIN), key=repr) == sorted(
        (HOT, GAPPED, DEAD), key=repr
    )


def test_stories_do_not_depend_on_the_order_of_a_list():
    assert history.stories(reversed(NAMES)) == history.stories(NAMES)


def test_a_node_more_at_the_end_changes_no_story():
    names = [*NAMES, "storage-2", "storage-3"]
    before, after = history.stories(names), history.stories([*names, "test-1"])
    assert {name: after[name] for name in names} == before
    assert before["storage-3"] == DEAD
    assert after["test-1"] == PLAIN


@pytest.mark.parametrize(("count", "special"), [(0, 0), (1, 1), (2, 2), (3, 3), (4, 3), (5, 3)])
def test_few_nodes_share_the_stories_there_are(count, special):
    told = history.stories(NAMES[:count])
    assert sum(story != PLAIN for story in told.values()) == special


def test_a_plain_node_was_never_silent():
    hours = _hours(PLAIN)
    assert len(hours) in {287, 288}
    assert len(_hours(HOT)) == len(hours)


def test_the_gap_has_no_points_and_both_its_sides_have():
    since, until = GAP
    hours = _hours(GAPPED)
    assert not [hour for hour in hours if until < hour <= since]
    assert [hour for hour in hours if hour > since]
    assert [hour for hour in hours if hour <= until]
    assert len(hours) == pytest.approx(288 - (since - until) * 12, abs=1)


def test_the_dead_node_stops_and_never_comes_back():
    hours = _hours(DEAD)
    assert min(hours) > history.DEATH
    assert max(hours) > 23.8
    assert not DEAD.speaks(NOW + 1e6, NOW)


def test_points_are_time_and_value():
    assert list(history.points(METER, [10.0, 20.0], PLAIN, NOW)) == [(10.0, 10.0), (20.0, 20.0)]
