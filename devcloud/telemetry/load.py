"""How much there is to do, as a function of who does it and when: pure, so history and the present agree.

A load is a number from 0 to 1: a day curve with its top in the early afternoon (UTC), and three slow waves of the
worker's own phases. Everything that counts up is the load's integral, in closed form: a counter needs no memory.
"""

import functools
import hashlib
import math

DAY_SECONDS = 86400.0
PEAK_HOUR = 14
# Counters start here: 2026-01-01 UTC.
ORIGIN = 1_767_225_600.0

_MEAN = 0.46
_DAY = 0.26
# Period in seconds, and height.
_WAVES = ((5400.0, 0.07), (2820.0, 0.05), (780.0, 0.04))


@functools.lru_cache(maxsize=16384)
def share(key: str) -> float:
    """Return a number from 0 to 1 that is always the same for a key."""
    return int.from_bytes(hashlib.sha256(key.encode()).digest()[:8]) / 2**64


def between(key: str, low: float, high: float) -> float:
    """Return a number between two bounds that is always the same for a key."""
    return low + (high - low) * share(key)


@functools.lru_cache(maxsize=4096)
def _parts(key: str) -> tuple[tuple[float, float, float], ...]:
    """Angular speed, height and phase of each wave; a cosine, so that a phase of 0 has its top at 0."""
    # No two machines have their busiest moment at the same minute.
    peak = PEAK_HOUR * 3600 + between(f"{key}/peak", -5400, 5400)
    day = (2 * math.pi / DAY_SECONDS, _DAY, -2 * math.pi * peak / DAY_SECONDS)
    own = (
        (2 * math.pi / period, height, 2 * math.pi * share(f"{key}/wave{number}"))
        for number, (period, height) in enumerate(_WAVES)
    )
    return day, *own


def load(key: str, at: float) -> float:
    """Return the load, 0 to 1, at a time in seconds of the epoch."""
    return _MEAN + sum(height * math.cos(speed * at + phase) for speed, height, phase in _parts(key))


def count(key: str, at: float, rate: float) -> float:
    """Return what has been counted since the origin by something of ``rate`` a second under full load."""

    def primitive(moment: float) -> float:
        waves = sum(height / speed * math.sin(speed * moment + phase) for speed, height, phase in _parts(key))
        return _MEAN * moment + waves

    return rate * (primitive(at) - primitive(ORIGIN))
