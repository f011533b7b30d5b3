"""Meters of bare metal nodes: what their management controllers and their systems would tell."""

import functools
from collections.abc import Iterator
from dataclasses import dataclass, replace

from devcloud.hardware import sensors
from devcloud.telemetry.load import count, load
from devcloud.telemetry.series import LOW_RATE, Meter, Resource

# Heat of the processors between no and full load, degrees Celsius.
_WARMTH = 16.0
_IDLE_PERCENT = 2.0
_STANDBY_WATTS = 12.0


@dataclass(frozen=True)
class Node:
    """A bare metal node as far as its meters depend on it.

    Attributes:
        uuid: Ironic's id.
        name: Ironic's name, or the id where it has none.
        powered: whether it is on.
        busy: whether it is deployed.
        heat: degrees Celsius added to its processors.
    """

    uuid: str
    name: str
    powered: bool = True
    busy: bool = True
    heat: float = 0.0

    @property
    def works(self) -> bool:
        """Whether a system runs on it."""
        return self.powered and self.busy

    def load(self, at: float) -> float:
        """Return its load, 0 to 1."""
        return load(self.uuid, at) if self.works else 0.0

    def machine(self, at: float) -> sensors.Machine:
        """Return the machine whose sensors tell its temperature under the load of that time."""
        warmth = self.heat + (_WARMTH * (self.load(at) - 0.5) if self.works else 0.0)
        return sensors.Machine(self.uuid, self.powered, self.busy, warmth)


def resources(node: Node) -> list[Resource]:
    """Return everything that is metered on a node now; disks and network only where a system runs."""
    found = [_controller(node)]
    if node.works:
        found += [_disk(node, "nvme0n1"), _interface(node, "eno1")]
    return found


def sensor_resources(node: Node) -> Iterator[Resource]:
    """Yield the sensors of a node as Ceilometer makes them of Ironic's notifications: for history only."""
    from ceilometer.ipmi.notifications.ironic import parse_reading, transform_id  # noqa: PLC0415 - slow to import

    for group, found in sensors.readings(node.machine(0), 0).items():
        for identity, reading in found.items():
            if "Pwr Consumption" in identity:  # Ceilometer leaves it out
                continue
            _value, unit = parse_reading(reading["Sensor Reading"])
            read = functools.partial(_reading, node, group, identity)
            meter = Meter(f"hardware.ipmi.{group.lower()}", unit, read)
            yield Resource("ipmi_sensor", f"{node.uuid}-{transform_id(identity)}", (meter,), {"node": node.uuid})


@functools.lru_cache(maxsize=512)
def _readings(node: Node, at: float) -> sensors.Readings:
    return sensors.readings(node.machine(at), at)


def _reading(node: Node, group: str, identity: str, at: float) -> float:
    return float(_readings(node, at)[group][identity]["Sensor Reading"].split()[0])


def _controller(node: Node) -> Resource:
    """The management controller: it answers whenever the node has mains."""

    def percent(low: float, high: float, lag: float = 0.0) -> Meter:
        def value(at: float) -> float:
            if not node.powered:
                return 0.0
            return low + (high - low) * node.load(at - lag) if node.works else min(low, _IDLE_PERCENT)

        return Meter("", "%", value)

    def inlet(at: float) -> float:
        return sensors.inlet_temperature(node.machine(at), at)

    def processor(at: float) -> float:
        return sensors.processor_temperature(node.machine(at), at)

    def power(at: float) -> float:
        return _STANDBY_WATTS + (150 + 420 * node.load(at) if node.powered else 0.0)

    def airflow(at: float) -> float:
        return sensors.fan_speed(node.machine(at), at) / 100

    prefix = "hardware.ipmi.node"
    meters = (
        replace(percent(3, 95), name=f"{prefix}.cpu_util"),
        # Memory fills after the work has come, and the share in use never falls to nothing.
        replace(percent(22, 86, lag=1800), name=f"{prefix}.mem_util"),
        replace(percent(1, 60, lag=300), name=f"{prefix}.io_util"),
        replace(percent(2, 92), name=f"{prefix}.cups", unit="CUPS"),
        Meter(f"{prefix}.power", "W", power),
        Meter(f"{prefix}.temperature", "C", processor),
        Meter(f"{prefix}.inlet_temperature", "C", inlet),
        Meter(f"{prefix}.outlet_temperature", "C", lambda at: inlet(at) + 0.35 * (processor(at) - inlet(at))),
        Meter(f"{prefix}.airflow", "CFM", airflow),
    )
    return Resource("ipmi", node.uuid, meters)


def _disk(node: Node, device: str) -> Resource:
    meters = tuple(
        Meter(f"disk.device.{direction}.bytes", "B", _counter(f"{node.uuid}/{device}/{direction}", rate), LOW_RATE)
        for direction, rate in (("read", 9e6), ("write", 21e6))
    )
    attributes = {"host_name": node.name, "device_name": device}
    return Resource("host_disk", f"{node.uuid}.{device}", meters, attributes)


def _interface(node: Node, device: str) -> Resource:
    meters = tuple(
        Meter(f"network.{direction}.bytes", "B", _counter(f"{node.uuid}/{device}/{direction}", rate), LOW_RATE)
        for direction, rate in (("incoming", 38e6), ("outgoing", 26e6))
    )
    attributes = {"host_name": node.name, "device_name": device}
    return Resource("host_network_interface", f"{node.uuid}.{device}", meters, attributes)


def _counter(key: str, rate: float) -> functools.partial[float]:
    return functools.partial(_count, key, rate)


def _count(key: str, rate: float, at: float) -> float:
    return count(key, at, rate)
