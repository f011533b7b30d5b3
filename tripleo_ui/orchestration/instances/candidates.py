"""Which instance goes to which host, decided over all of a request's instances together. Nothing is asked here."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from tripleo_ui.services.placement import Candidate, Candidates

AFFINITY, ANTI_AFFINITY = "affinity", "anti-affinity"
SOFT_AFFINITY, SOFT_ANTI_AFFINITY = "soft-affinity", "soft-anti-affinity"


@dataclass(frozen=True)
class Wanted:
    """How many instances, at least how many, and the server group's rule.

    ``members`` counts, by host, instances that are in the group already; ``excluded`` are hosts that must not be used.
    """

    count: int
    min_count: int
    policy: str = ""
    most_per_host: int = 1
    members: Mapping[str, int] = field(default_factory=dict)
    excluded: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Decision:
    """One candidate for each instance that has a place; ``room`` is how many each host could have had by itself.

    ``problem`` is a sentence where there are fewer places than the least that is wanted, and then there are none.
    """

    places: tuple[Candidate, ...]
    room: Mapping[str, int]
    problem: str = ""

    @property
    def per_host(self) -> Counter[str]:
        """How many instances go to each host."""
        return Counter(place.root for place in self.places)


def decide(candidates: Candidates, wanted: Wanted) -> Decision:
    """Place as many of the instances as can be, up to all.

    Without a rule, and with the one against affinity, they are spread: the next goes where the fewest are.
    """
    ways: dict[str, list[Candidate]] = {}
    for way in candidates.ways:
        if way.root not in wanted.excluded:
            ways.setdefault(way.root, []).append(way)
    room = {root: _room(own, candidates, wanted) for root, own in ways.items()}
    if wanted.policy == AFFINITY:
        ways = _together(ways, room, wanted)
    places = _place(ways, room, candidates, wanted)
    if len(places) >= wanted.min_count:
        return Decision(places, room)
    told = f"There is room for {len(places)} of {wanted.count} instances"
    least = f", and {wanted.min_count} are the least" if wanted.min_count < wanted.count else ""
    return Decision((), room, f"{told}{least}.")


def _room(ways: list[Candidate], candidates: Candidates, wanted: Wanted) -> int:
    """How many instances a host has room for by itself, counted up to those that are wanted."""
    left = _Left(candidates)
    return sum(1 for _ in range(wanted.count) if left.take(ways))


def _together(
    ways: Mapping[str, list[Candidate]], room: Mapping[str, int], wanted: Wanted
) -> dict[str, list[Candidate]]:
    """Only the host where the group is; where it is nowhere yet, the one with the most room."""
    present = {root for root, number in wanted.members.items() if number}
    if not present and room:
        present = {max(sorted(room), key=lambda root: room[root])}
    return {root: own for root, own in ways.items() if root in present}


def _place(
    ways: Mapping[str, list[Candidate]], room: Mapping[str, int], candidates: Candidates, wanted: Wanted
) -> tuple[Candidate, ...]:
    left, here = _Left(candidates), Counter({root: wanted.members.get(root, 0) for root in ways})
    placed: Counter[str] = Counter()
    rank = _rank(wanted, here, placed, room)
    open_hosts = set(ways)
    places: list[Candidate] = []
    while open_hosts and len(places) < wanted.count:
        root = min(open_hosts, key=rank)
        full = wanted.policy == ANTI_AFFINITY and here[root] >= wanted.most_per_host
        way = None if full else left.take(ways[root])
        if way is None:
            open_hosts.discard(root)
            continue
        here[root] += 1
        placed[root] += 1
        places.append(way)
    return tuple(places)


def _rank(
    wanted: Wanted, here: Mapping[str, int], placed: Mapping[str, int], room: Mapping[str, int]
) -> Callable[[str], tuple[int, int, str]]:
    """What makes a host the next one: the lower the better."""
    if wanted.policy == SOFT_AFFINITY:
        return lambda root: (-here[root], -room[root], root)
    if wanted.policy in {ANTI_AFFINITY, SOFT_ANTI_AFFINITY}:
        return lambda root: (here[root], -room[root], root)
    return lambda root: (placed[root], -room[root], root)


class _Left:
    """What is left of the providers' resources while instances are placed."""

    def __init__(self, candidates: Candidates) -> None:
        self._free = {provider: dict(free) for provider, free in candidates.free.items()}

    def take(self, ways: list[Candidate]) -> Candidate | None:
        """The first of the ways that still fits, taken; or None."""
        for way in ways:
            asked = [(provider, kind, amount) for provider, part in way.claim.items() for kind, amount in part.items()]
            if all(self._free[provider].get(kind, 0) >= amount for provider, kind, amount in asked):
                for provider, kind, amount in asked:
                    self._free[provider][kind] -= amount
                return way
        return None
