"""Why a host has instances of a request or has none, in a sentence for each host."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass

from tripleo_ui.orchestration.instances import candidates
from tripleo_ui.orchestration.instances.candidates import Decision, Wanted
from tripleo_ui.orchestration.instances.demand import DISABLED, Demand
from tripleo_ui.services.placement import Inventory


@dataclass(frozen=True)
class Why:
    """A host by its name, how many instances go there, and why."""

    host: str
    instances: int
    why: str

    def as_dict(self) -> dict[str, str | int]:
        """As outputs and the timeline keep it."""
        return asdict(self)


@dataclass(frozen=True)
class Lacks:
    """What keeps hosts from being candidates at all.

    ``traits`` of those that must be there and are not, or must not and are; ``zone`` where it is another one;
    ``inventories`` of the resources that are too few, empty where that was not looked up.
    """

    traits: frozenset[str] = frozenset()
    zone: bool = False
    resources: frozenset[str] = frozenset()
    inventories: Mapping[str, Inventory] | None = None


def explain(decision: Decision, wanted: Wanted, names: Mapping[str, str], refusals: Mapping[str, str]) -> list[Why]:
    """A sentence for each host in ``names``; ``refusals`` has those that are no candidates, and they come last."""
    per_host = decision.per_host
    told = [
        Why(name, per_host[root], refusals.get(root) or _candidate(root, decision, wanted))
        for root, name in names.items()
    ]
    refused = {names[root] for root in refusals}
    return sorted(told, key=lambda why: (-why.instances, why.host in refused, why.host))


def _candidate(root: str, decision: Decision, wanted: Wanted) -> str:
    number, room, members = decision.per_host[root], decision.room.get(root, 0), wanted.members.get(root, 0)
    has_room = "It has room"
    if wanted.count > 1:
        has_room += f" for {room if room < wanted.count else f'all {wanted.count}'}"
    if number:
        goes = "the instance goes" if wanted.count == 1 else f"{number} {'goes' if number == 1 else 'go'}"
        return f"{has_room}; {goes} here{_rule(wanted.policy, members)}."
    if root not in decision.room:
        return "Placement does not offer it."
    if wanted.policy == candidates.ANTI_AFFINITY and members >= wanted.most_per_host:
        return f"The server group has {members} here already, and its rule allows no more."
    if wanted.policy == candidates.AFFINITY:
        return f"{has_room}, but the server group keeps its members on one host, and that is another."
    if decision.problem:
        return f"{has_room}, which is not enough." if room < wanted.min_count else f"{has_room}."
    return f"{has_room}, but another one has more." if wanted.count == 1 else f"{has_room}, but the others suffice."


def _rule(policy: str, members: int) -> str:
    if policy in {candidates.AFFINITY, candidates.SOFT_AFFINITY}:
        return ", with the rest of the server group" if members else ", to be together"
    return ", to be apart from the others" if policy else ""


def refusal(lacks: Lacks, demand: Demand) -> str:
    """Why a host is no candidate."""
    if DISABLED in lacks.traits:
        return "It is disabled."
    if lacks.zone:
        return "It is in another availability zone."
    told = [_shortage(kind, amount, lacks) for kind, amount in _asked(demand).items() if kind in lacks.resources]
    told += [_trait(trait, demand) for trait in sorted(lacks.traits)]
    return " ".join(told) or "Placement does not offer it."


def _asked(demand: Demand) -> dict[str, int]:
    found: dict[str, int] = {}
    for group in demand.groups.values():
        for kind, amount in group.resources.items():
            found[kind] = max(amount, found.get(kind, 0))
    return found


def _shortage(kind: str, amount: int, lacks: Lacks) -> str:
    if lacks.inventories is None:
        return f"Fewer than {amount} {kind} are free."
    inventory = lacks.inventories.get(kind)
    if inventory is None:
        return f"It has no {kind}."
    if inventory.free >= amount > inventory.most:
        return f"One instance may have {inventory.most} {kind}, {amount} are asked."
    return f"{max(0, inventory.free)} {kind} are free, {amount} are asked."


def _trait(trait: str, demand: Demand) -> str:
    forbidden = any(trait in group.forbidden for group in demand.groups.values())
    return f"It has the trait {trait}, which it must not." if forbidden else f"It lacks the trait {trait}."
