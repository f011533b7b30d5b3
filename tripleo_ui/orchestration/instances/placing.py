"""Asks Placement where instances can go, decides, and says why."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from tripleo_ui.orchestration.instances.candidates import Decision, Wanted, decide
from tripleo_ui.orchestration.instances.demand import Demand, demand
from tripleo_ui.orchestration.instances.explanation import Lacks, Why, explain, refusal
from tripleo_ui.orchestration.instances.model import Model
from tripleo_ui.services.errors import Forbidden
from tripleo_ui.services.fanout import gather, required
from tripleo_ui.services.nova import Aggregate

#: Hosts whose free resources are looked up for the explanation; of more it says only that too few are free.
LOOKED_UP = 20


@dataclass(frozen=True)
class Choice:
    """A decision, the names of hosts by their ids, and a sentence for each."""

    decision: Decision
    names: Mapping[str, str]
    why: tuple[Why, ...]


@dataclass(frozen=True)
class Beside:
    """The request's other instances: the names of their hosts, and the ids of those that are servers already."""

    hosts: tuple[str, ...] = ()
    servers: frozenset[str] = frozenset()


def choose(
    model: Model, service: Any, count: int, min_count: int, refused: Mapping[str, str], beside: Beside
) -> Choice:
    """Choose hosts for so many instances; ``service`` is the cloud as a service sees it.

    ``refused`` are hosts, by name, that must not be used, with the reason.
    """
    placement = service.placement
    asked = demand(model, _aggregates(model, service))
    found = required(
        gather(
            {
                "candidates": partial(placement.candidates, asked.query()),
                "providers": placement.providers,
                "members": partial(placement.claims, _others(model, beside)),
            }
        )
    )
    roots = {provider.id: provider.root for provider in found["providers"]}
    names = {provider.id: provider.name for provider in found["providers"] if provider.id == provider.root}
    excluded = {root: refused[name] for root, name in names.items() if name in refused}
    members = Counter(roots.get(next(iter(claim)), "") for claim in found["members"].values())
    if model.group:
        members.update(root for root, name in names.items() for host in beside.hosts if host == name)
    wanted = Wanted(
        count,
        min_count,
        model.group.policy if model.group else "",
        model.group.most_per_host if model.group else 1,
        members,
        frozenset(excluded),
    )
    decision = decide(found["candidates"], wanted)
    offered = {way.root for way in found["candidates"].ways}
    refusals = {root: f"It was tried: {reason}" for root, reason in excluded.items()}
    refusals |= _refusals(frozenset(names) - offered - frozenset(excluded), asked, placement)
    return Choice(decision, names, tuple(explain(decision, wanted, names, refusals)))


def _others(model: Model, beside: Beside) -> frozenset[str]:
    """The ids of the server group's members that are none of this request's."""
    return frozenset(model.group.members) - beside.servers if model.group else frozenset()


def _aggregates(model: Model, service: Any) -> tuple[Aggregate, ...]:
    """Aggregates, where a zone makes them matter; a service that may not see them leaves the zone to Nova."""
    if not model.request.availability_zone:
        return ()
    try:
        found: tuple[Aggregate, ...] = service.nova.aggregates()
    except Forbidden:
        return ()
    return found


def _refusals(hosts: frozenset[str], asked: Demand, placement: Any) -> dict[str, str]:
    """Why hosts are no candidates: one call for each thing that is asked, however many hosts there are."""
    if not hosts:
        return {}
    calls: dict[tuple[str, str], Any] = {}
    for group in asked.groups.values():
        for kind, amount in group.resources.items():
            calls["resource", kind] = partial(placement.trees, resources=f"{kind}:{amount}")
        for trait in group.required:
            calls["required", trait] = partial(placement.trees, required=trait)
        for trait in group.forbidden:
            calls["forbidden", trait] = partial(placement.trees, required=trait)
    if asked.inside or asked.outside:
        prefix, where = ("in:", asked.inside) if asked.inside else ("!in:", asked.outside)
        calls["zone", ""] = partial(placement.trees, member_of=prefix + ",".join(where))
    having = required(gather(calls))
    short = {
        host: frozenset(what for (kind, what), those in having.items() if kind == "resource" and host not in those)
        for host in hosts
    }
    inventories = placement.inventories(sorted(host for host in hosts if short[host])[:LOOKED_UP])
    found = {}
    for host in hosts:
        traits = {what for (kind, what), those in having.items() if kind == "required" and host not in those}
        traits |= {what for (kind, what), those in having.items() if kind == "forbidden" and host in those}
        zone = host not in having.get(("zone", ""), hosts)
        found[host] = refusal(Lacks(frozenset(traits), zone, short[host], inventories.get(host)), asked)
    return found
