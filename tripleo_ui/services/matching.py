"""Whether there are nodes for all flavors at once: two flavors may each have enough, and share them."""

from collections import Counter, deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise

from tripleo_ui.services.nodes import Node
from tripleo_ui.services.nova import Flavor

#: Nodes that fit the same flavors are one kind, named by these.
_Kind = frozenset[str]


@dataclass(frozen=True)
class Shortage:
    """Flavors that together want more nodes than fit any of them: ``wanted`` by flavor, ``found`` in all."""

    wanted: Mapping[str, int]
    found: int

    def __str__(self) -> str:
        """A clause that says what is missing."""
        total = sum(self.wanted.values())
        if len(self.wanted) == 1:
            return f"{total} nodes of flavor {next(iter(self.wanted))} are wanted and {self.found} are free"
        *others, last = [f"{name} ({number})" for name, number in sorted(self.wanted.items())]
        flavors = f"{', '.join(others)} and {last}"
        return f"{total} nodes of flavors {flavors} are wanted together and {self.found} that fit any of them are free"


def shortage(wanted: Mapping[str, int], flavors: Mapping[str, Flavor], nodes: Iterable[Node]) -> Shortage | None:
    """What is missing for giving each flavor its nodes, none of them twice; None where nothing is.

    Args:
        wanted: number of nodes by flavor.
        flavors: those flavors by the same names.
        nodes: nodes that may be taken.
    """
    kinds = Counter(frozenset(name for name in wanted if node.fits(flavors[name])) for node in nodes)
    given: Counter[tuple[str, _Kind]] = Counter()
    spare = Counter(kinds)
    for name, number in wanted.items():
        left = number
        while left > 0:
            seen, path = _search(name, spare, given)
            if not path:
                found = sum(count for kind, count in kinds.items() if kind & seen)
                return Shortage({each: wanted[each] for each in wanted if each in seen}, found)
            left -= _give(path, left, spare, given)
    return None


def _search(
    start: str, spare: Mapping[_Kind, int], given: Mapping[tuple[str, _Kind], int]
) -> tuple[set[str], list[tuple[str, _Kind]]]:
    """The flavors that were reached, and how to serve one more: each flavor on the way takes of a kind.

    The last kind has nodes to spare; each other one is freed by the flavor after it, which takes of the next.
    """
    came: dict[str, tuple[str, _Kind] | None] = {start: None}
    queue = deque([start])
    while queue:
        name = queue.popleft()
        for kind in (kind for kind in spare if name in kind):
            if spare[kind]:
                return set(came), _path(came, name, kind)
            for other in kind:
                if other not in came and given.get((other, kind), 0):
                    came[other] = (name, kind)
                    queue.append(other)
    return set(came), []


def _path(came: Mapping[str, tuple[str, _Kind] | None], name: str, kind: _Kind) -> list[tuple[str, _Kind]]:
    path = [(name, kind)]
    step = came[name]
    while step is not None:
        path.insert(0, step)
        step = came[step[0]]
    return path


def _give(path: list[tuple[str, _Kind]], most: int, spare: Counter[_Kind], given: Counter[tuple[str, _Kind]]) -> int:
    """Move as many nodes along the path as it takes; answers how many the first flavor got."""
    freed = [(after, kind) for (_name, kind), (after, _next) in pairwise(path)]
    number = min(most, spare[path[-1][1]], *(given[each] for each in freed))
    spare[path[-1][1]] -= number
    for each in path:
        given[each] += number
    for each in freed:
        given[each] -= number
    return number
