"""The 24 hours before the feeder's first start: pure and the same for the same nodes and the same moment.

Three nodes have a story, so that a chart has something to show: one runs hot, one was silent for a while, and one fell
silent for good.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from devcloud.telemetry.series import Meter

STEP_SECONDS = 300
HOURS = 24.0
HOT_DEGREES = 24.0
# Hours before now.
GAP = (9.0, 6.5)
DEATH = 7.0


@dataclass(frozen=True)
class Story:
    """What is special about a node.

    Attributes:
        heat: degrees Celsius that the seed adds to its processors, by the node's knob; so live sensors agree.
        silent: the time without measures, as hours before now: since and until.
        dead: whether it stays silent until someone switches it on.
    """

    heat: float = 0.0
    silent: tuple[float, float] | None = None
    dead: bool = False

    def speaks(self, at: float, now: float) -> bool:
        """Whether there is a measure of that time."""
        if self.silent is None:
            return True
        since, until = self.silent
        return not now - 3600 * since <= at < now - 3600 * until


HOT = Story(heat=HOT_DEGREES)
GAPPED = Story(silent=GAP)
DEAD = Story(silent=(DEATH, -math.inf), dead=True)
PLAIN = Story()


def stories(names: Iterable[str]) -> dict[str, Story]:
    """Return the story of each node: of four nodes or more, three have one; of fewer, the first ones have.

    From 16 nodes on the places stay where they are, so a node more with a name behind the others' changes no story.
    """
    ordered = sorted(names)
    told: dict[str, Story] = dict.fromkeys(ordered, PLAIN)
    # A quarter, half and all of the way through the list: they lie in different roles.
    size = min(len(ordered), 16)
    places = (size // 4, size // 2, size - 1) if size > 3 else range(size)
    told.update({ordered[place]: story for place, story in zip(places, (HOT, GAPPED, DEAD), strict=False)})
    return told


def times(now: float, since: float | None = None) -> list[float]:
    """Return the moments that have a measure: one per period of the archive policy, oldest first, all before now.

    Args:
        now: seconds of the epoch.
        since: the time of the newest measure that is there; without one, all 24 hours are returned.
    """
    begin = now - 3600 * HOURS if since is None else max(since, now - 3600 * HOURS)
    first = (math.floor(begin / STEP_SECONDS) + 1) * STEP_SECONDS
    return [float(moment) for moment in range(first, math.ceil(now), STEP_SECONDS)]


def points(meter: Meter, moments: Sequence[float], story: Story, now: float) -> Iterator[tuple[float, float]]:
    """Yield time and value of each measure, oldest first."""
    return ((at, meter.value(at)) for at in moments if story.speaks(at, now))
