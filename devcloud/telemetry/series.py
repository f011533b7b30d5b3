"""Resources with their meters: what Gnocchi keeps, with a function of time in place of a measurement."""

import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

LOW = "ceilometer-low"
LOW_RATE = "ceilometer-low-rate"


@dataclass(frozen=True)
class Meter:
    """One series.

    Attributes:
        name: Ceilometer's name of the metric.
        unit: its unit.
        value: the value at a time in seconds of the epoch.
        policy: Ceilometer's archive policy for it; counters have the one with rates.
    """

    name: str
    unit: str
    value: Callable[[float], float]
    policy: str = LOW


@dataclass(frozen=True)
class Resource:
    """One resource in Gnocchi.

    Attributes:
        kind: Ceilometer's resource type.
        id: a UUID, or a text that Gnocchi makes a UUID of.
        meters: its series.
        attributes: those of its type, and user_id and project_id where it has an owner.
    """

    kind: str
    id: str
    meters: tuple[Meter, ...]
    attributes: Mapping[str, typing.Any] = field(default_factory=dict)
