"""Readings of a simulated machine, in the form in which IPMI sensors reach Ironic's notifications.

Everything follows from the node's UUID, its state and the time: no state is kept, and a restart changes nothing.
"""

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass

FANS = 4
PROCESSORS = 2
_STEP_BUSY = 22.0
_STEP_ON = 14.0

Readings = dict[str, dict[str, dict[str, str]]]


@dataclass(frozen=True)
class Machine:
    """What a machine's readings follow from.

    Attributes:
        uuid: the node's.
        powered: whether it is on.
        busy: whether something runs on it: it is deployed.
        heat: degrees Celsius added to processors.
    """

    uuid: str
    powered: bool = False
    busy: bool = False
    heat: float = 0.0

    def trait(self, name: str, low: float, high: float) -> float:
        """Return a number between two bounds that is always the same for this machine."""
        return random.Random(f"{self.uuid}/{name}").uniform(low, high)  # noqa: S311 - a simulation

    def wave(self, name: str, now: float, period: float, height: float) -> float:
        """Return a sine of a phase of this machine's own; ``period`` in seconds, within ± ``height``."""
        return height * math.sin(2 * math.pi * now / period + self.trait(name, 0, 2 * math.pi))


def inlet_temperature(machine: Machine, now: float) -> float:
    """Return degrees Celsius of the air that comes in: the room's, powered or not."""
    return machine.trait("inlet", 20, 24) + machine.wave("inlet", now, 3600, 1.0)


def processor_temperature(machine: Machine, now: float, number: int = 0) -> float:
    """Return degrees Celsius of a processor: the room's when off, more when on, most when busy; heat adds to each."""
    if not machine.powered:
        return inlet_temperature(machine, now) + machine.heat
    base = machine.trait("cpu", 20, 26) + _STEP_ON + (_STEP_BUSY if machine.busy else 0) + machine.heat
    return base + machine.wave(f"cpu{number}", now, 540 + 60 * number, 3.0)


def fan_speed(machine: Machine, now: float, number: int = 0) -> float:
    """Return revolutions per minute: they follow the hotter the machine is, zero when off."""
    if not machine.powered:
        return 0.0
    warmth = max(processor_temperature(machine, now) - 20, 0)
    return 4200 + 90 * warmth + machine.wave(f"fan{number}", now, 420 + 60 * number, 120)


def supply_current(machine: Machine, now: float) -> float:
    """Return amperes that the power supply draws."""
    if not machine.powered:
        return 0.1
    return 0.9 + (1.4 if machine.busy else 0) + machine.wave("ps", now, 480, 0.1)


def readings(machine: Machine, now: float) -> Readings:
    """Return sensor type → sensor id → reading, as ``ipmitool`` reports and Ceilometer expects them."""
    return {
        "Temperature": dict(_temperatures(machine, now)),
        "Fan": dict(
            _sensor(f"FAN{i + 1}", 48 + i, fan_speed(machine, now, i), "RPM", f"29.{i + 1}") for i in range(FANS)
        ),
        "Voltage": dict(
            (
                _sensor("12V", 80, _rail(machine, now, 12.05, 0.06), "Volts", "7.1"),
                _sensor("3.3VSB", 81, 3.31 + machine.wave("standby", now, 600, 0.02), "Volts", "7.1"),
            )
        ),
        "Current": dict(
            (
                _sensor("PS1 Current", 96, supply_current(machine, now), "Amps", "10.1"),
                _sensor("Pwr Consumption", 97, 12 + 200 * (supply_current(machine, now) - 0.1), "Watts", "7.1"),
            )
        ),
    }


def _rail(machine: Machine, now: float, volts: float, height: float) -> float:
    """The main rail is there only when the machine is on; the standby rail always is."""
    return volts + machine.wave("rail", now, 500, height) if machine.powered else 0.0


def _temperatures(machine: Machine, now: float) -> Iterator[tuple[str, dict[str, str]]]:
    yield _sensor("Inlet Temp", 4, inlet_temperature(machine, now), "degrees C", "7.1")
    for number in range(PROCESSORS):
        value = processor_temperature(machine, now, number)
        # Where processors throttle, a sensor's upper non-critical threshold lies.
        status = "ok" if value < 85 else "nc"
        yield _sensor(f"CPU{number} Temp", 14 + number, value, "degrees C", f"3.{number + 1}", status)


def _sensor(
    name: str, number: int, value: float, unit: str, entity: str, status: str = "ok"
) -> tuple[str, dict[str, str]]:
    identity = f"{name} ({number:#x})"
    return identity, {
        "Sensor ID": identity,
        "Entity ID": entity,
        "Sensor Type (Threshold)": unit,
        "Sensor Reading": f"{value:.2f} (+/- 0.5) {unit}",
        "Status": status,
    }
