"""What an operator sets in a node's ``driver_info`` to change how its simulated machine behaves."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

OPERATIONS = ("power", "inspect", "deploy", "clean", "sensors", "console")
PROPERTIES = {
    "sim_delay": "Seconds an operation takes, or the least and the most as 'min,max'. Optional; default 1,2.",
    "sim_fail": f"Operations that fail, separated by commas: {', '.join(OPERATIONS)}. Optional.",
    "sim_heat": "Degrees Celsius added to the temperature of the processors, on or off. Optional; default 0.",
    "sim_kind": "Kind of machine: controller, compute, storage or odd. Optional; follows from the node.",
}
_LONGEST_SECONDS = 600.0
_HOTTEST = 100.0


@dataclass(frozen=True)
class Knobs:
    """The knobs of one node.

    Attributes:
        delay: least and most seconds that an operation takes.
        failing: operations that fail.
        heat: degrees Celsius added to processors.
        kind: the kind of machine, or an empty string where it follows from the node.
    """

    delay: tuple[float, float] = (1.0, 2.0)
    failing: frozenset[str] = frozenset()
    heat: float = 0.0
    kind: str = ""


def read(driver_info: Mapping[str, object]) -> Knobs:
    """Read a node's ``driver_info``.

    Raises:
        ValueError: a knob has a value that cannot be; the text names knob and value.
    """
    return Knobs(
        delay=_delay(str(driver_info.get("sim_delay") or "1,2")),
        failing=failing(str(driver_info.get("sim_fail") or "")),
        heat=_number("sim_heat", str(driver_info.get("sim_heat") or "0"), -_HOTTEST, _HOTTEST),
        kind=str(driver_info.get("sim_kind") or ""),
    )


def failing(text: str) -> frozenset[str]:
    """Read a comma list of operations that are to fail.

    Raises:
        ValueError: an operation is unknown.
    """
    found = frozenset(filter(None, (word.strip() for word in text.split(","))))
    if unknown := sorted(found - set(OPERATIONS)):
        raise ValueError(f"sim_fail: no operation {', '.join(unknown)}; there are {', '.join(OPERATIONS)}")
    return found


def _delay(text: str) -> tuple[float, float]:
    parts = [_number("sim_delay", part, 0.0, _LONGEST_SECONDS) for part in text.split(",")]
    if len(parts) > 2 or parts[0] > parts[-1]:
        raise ValueError(f"sim_delay: {text!r} is neither seconds nor 'min,max'")
    return parts[0], parts[-1]


def _number(knob: str, text: str, least: float, most: float) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not least <= value <= most:
        raise ValueError(f"{knob}: {text!r} is no number from {least:g} to {most:g}")
    return value
