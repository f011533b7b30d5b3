"""Knobs of simulated machines: what is read, and which nonsense is refused with which words."""

import pytest

from devcloud.hardware import knobs


def test_a_node_without_knobs_works_and_takes_one_to_two_seconds():
    assert knobs.read({}) == knobs.Knobs(delay=(1.0, 2.0), failing=frozenset(), heat=0.0, kind="")


def test_unrelated_driver_info_is_no_knob():
    assert knobs.read({"ipmi_address": "10.0.0.1"}) == knobs.Knobs()


@pytest.mark.parametrize(
    ("text", "seconds"), [("2", (2.0, 2.0)), ("1,5", (1.0, 5.0)), ("0", (0.0, 0.0)), ("0.5, 0.7", (0.5, 0.7))]
)
def test_delay_is_one_number_or_two(text, seconds):
    assert knobs.read({"sim_delay": text}).delay == seconds


def test_numbers_need_no_quotes():
    read = knobs.read({"sim_delay": 3, "sim_heat": 30})
    assert read.delay == (3.0, 3.0)
    assert read.heat == 30.0


@pytest.mark.parametrize("text", ["5,1", "1,2,3", "soon", "-1", "nan", "1,", "86400"])
def test_an_impossible_delay_is_refused_by_name(text):
    with pytest.raises(ValueError, match="sim_delay"):
        knobs.read({"sim_delay": text})


def test_failures_are_a_comma_list():
    assert knobs.read({"sim_fail": "deploy, power,"}).failing == {"deploy", "power"}


@pytest.mark.parametrize("operation", knobs.OPERATIONS)
def test_every_operation_can_be_made_to_fail(operation):
    assert knobs.failing(operation) == {operation}


def test_an_unknown_operation_is_refused_with_those_there_are():
    with pytest.raises(ValueError, match="no operation explode; there are power, inspect"):
        knobs.read({"sim_fail": "deploy,explode"})


@pytest.mark.parametrize("text", ["warm", "1000", "inf"])
def test_an_impossible_heat_is_refused_by_name(text):
    with pytest.raises(ValueError, match="sim_heat"):
        knobs.read({"sim_heat": text})


def test_every_knob_is_described_to_operators():
    assert set(knobs.PROPERTIES) == {"sim_delay", "sim_fail", "sim_heat", "sim_kind"}
    assert all(operation in knobs.PROPERTIES["sim_fail"] for operation in knobs.OPERATIONS)
