"""Readings of simulated machines follow from node, state and time, and stay within what machines show."""

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devcloud.hardware import sensors
from devcloud.hardware.sensors import Machine

NODE = "6f9619ff-8b86-4d01-b42d-00c04fc964ff"
OFF = Machine(NODE)
IDLE = Machine(NODE, powered=True)
BUSY = Machine(NODE, powered=True, busy=True)
TIMES = st.floats(min_value=0, max_value=4e9, allow_nan=False)


def _value(reading):
    return float(reading["Sensor Reading"].split()[0])


@given(TIMES)
def test_power_and_work_make_it_warmer(now):
    off, idle, busy = (sensors.processor_temperature(machine, now) for machine in (OFF, IDLE, BUSY))
    assert off + 5 < idle < busy - 15


@given(TIMES)
def test_fans_stand_still_without_power_and_turn_faster_with_warmth(now):
    assert sensors.fan_speed(OFF, now) == 0
    assert 4000 < sensors.fan_speed(IDLE, now) < sensors.fan_speed(BUSY, now)


@given(TIMES, st.floats(min_value=1, max_value=60))
def test_heat_raises_processors_and_fans_but_not_the_room(now, heat):
    hot = dataclasses.replace(BUSY, heat=heat)
    assert sensors.processor_temperature(hot, now) == pytest.approx(sensors.processor_temperature(BUSY, now) + heat)
    assert sensors.fan_speed(hot, now) > sensors.fan_speed(BUSY, now)
    assert sensors.inlet_temperature(hot, now) == sensors.inlet_temperature(BUSY, now)


@given(TIMES, st.sampled_from([OFF, IDLE, BUSY]))
def test_heat_is_felt_in_every_state(now, machine):
    hot = dataclasses.replace(machine, heat=24)
    assert sensors.processor_temperature(hot, now) == pytest.approx(sensors.processor_temperature(machine, now) + 24)


@given(st.uuids(), TIMES, st.floats(min_value=0.1, max_value=200))
def test_a_wave_stays_within_its_height(uuid, now, height):
    assert abs(Machine(str(uuid)).wave("any", now, 300, height)) <= height * 1.000001


def test_a_wave_moves_and_comes_back():
    values = [IDLE.wave("any", now, 100, 1.0) for now in range(0, 101, 25)]
    assert max(values) - min(values) > 0.9
    assert values[0] == pytest.approx(values[-1])


@given(st.uuids(), TIMES)
def test_the_same_question_has_the_same_answer(uuid, now):
    assert sensors.readings(Machine(str(uuid), True), now) == sensors.readings(Machine(str(uuid), True), now)


def test_two_machines_differ():
    other = Machine("00000000-0000-4000-8000-000000000001", powered=True)
    assert sensors.processor_temperature(other, 0) != sensors.processor_temperature(IDLE, 0)


@given(st.uuids(), TIMES, st.booleans())
def test_readings_are_those_of_a_machine_room(uuid, now, busy):
    found = sensors.readings(Machine(str(uuid), powered=True, busy=busy), now)
    assert all(15 < _value(reading) < 75 for reading in found["Temperature"].values())
    assert all(3 < _value(reading) < 13 for reading in found["Voltage"].values())
    assert all(3500 < _value(reading) < 10000 for reading in found["Fan"].values())
    assert all(0 < _value(reading) < 1000 for reading in found["Current"].values())


def test_without_power_only_standby_remains():
    found = sensors.readings(OFF, 0)
    assert _value(found["Voltage"]["12V (0x50)"]) == 0
    assert _value(found["Voltage"]["3.3VSB (0x51)"]) > 3
    assert all(_value(reading) == 0 for reading in found["Fan"].values())


def test_a_reading_has_the_form_that_ceilometer_parses():
    reading = sensors.readings(BUSY, 0)["Temperature"]["CPU0 Temp (0xe)"]
    assert reading["Sensor ID"] == "CPU0 Temp (0xe)"
    assert reading["Sensor Reading"].endswith("(+/- 0.5) degrees C")
    assert reading["Entity ID"] == "3.1"
    assert reading["Status"] == "ok"


def test_an_overheated_processor_says_so():
    hot = sensors.readings(dataclasses.replace(BUSY, heat=60), 0)["Temperature"]
    assert {reading["Status"] for name, reading in hot.items() if name.startswith("CPU")} == {"nc"}
    assert hot["Inlet Temp (0x4)"]["Status"] == "ok"
