"""What hosts have and what is claimed of it, in Placement. Only services may ask: see ``Cloud.service``."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from tripleo_ui.services.errors import Conflict
from tripleo_ui.services.fanout import gather, required
from tripleo_ui.services.rest import Rest

# 1.39: forbidden and any-of traits, candidates of whole trees, types of consumers.
HEADERS = {"OpenStack-API-Version": "placement 1.39"}
LIMIT = 1000
TRIES = 5

#: Amounts by resource class, by provider.
Claim = Mapping[str, Mapping[str, int]]


@dataclass(frozen=True)
class Provider:
    """A provider of resources: a host, or a part of one, whose ``root`` is another. ``name`` is the hypervisor's."""

    id: str
    name: str
    root: str


@dataclass(frozen=True)
class Inventory:
    """What a provider has of a resource class: ``free`` of it is not claimed, and one claim may have ``most``."""

    free: int
    most: int


@dataclass(frozen=True)
class Candidate:
    """A way to have all that was asked for, on one tree of providers; ``root`` is the host."""

    root: str
    claim: Claim


@dataclass(frozen=True)
class Candidates:
    """What Placement answers: ways, and for each provider in them what is free by resource class."""

    ways: tuple[Candidate, ...]
    free: Mapping[str, Mapping[str, int]]


class Placement:
    """Calls to Placement."""

    def __init__(self, rest: Rest) -> None:
        self._rest = rest

    def candidates(self, query: Mapping[str, str | list[str]]) -> Candidates:
        """Ways to have what ``query`` asks for, in Placement's own words; at most 1000."""
        asked = {**query, "limit": str(LIMIT)}
        answer = self._call("find candidates", "GET", "/allocation_candidates", params=asked).json()
        summaries = answer["provider_summaries"]
        ways = []
        for item in answer["allocation_requests"]:
            claim = {provider: dict(each["resources"]) for provider, each in item["allocations"].items()}
            ways.append(Candidate(summaries[next(iter(claim))]["root_provider_uuid"], claim))
        free = {
            provider: {kind: each["capacity"] - each["used"] for kind, each in summary["resources"].items()}
            for provider, summary in summaries.items()
        }
        return Candidates(tuple(ways), free)

    def providers(self) -> tuple[Provider, ...]:
        """All providers, by name, in one call."""
        found = self._call("list resource providers", "GET", "/resource_providers").json()["resource_providers"]
        providers = [Provider(item["uuid"], item["name"], item["root_provider_uuid"]) for item in found]
        return tuple(sorted(providers, key=lambda provider: provider.name))

    def trees(self, **query: str) -> frozenset[str]:
        """The roots of trees in which a provider has what ``query`` asks for, in one call."""
        answer = self._call("find resource providers", "GET", "/resource_providers", params=query)
        return frozenset(item["root_provider_uuid"] for item in answer.json()["resource_providers"])

    def inventories(self, providers: Iterable[str]) -> dict[str, dict[str, Inventory]]:
        """What providers have by resource class; two calls for each, eight at a time. One that is gone has nothing."""
        parts = [(each, part) for each in providers for part in ("inventories", "usages")]
        found = required(gather({key: partial(self._part, *key) for key in parts}))
        return {each: _inventories(found[each, "inventories"], found[each, "usages"]) for each, _part in parts[::2]}

    def _part(self, provider: str, part: str) -> Any:
        answer = self._call(f"show {part}", "GET", f"/resource_providers/{provider}/{part}", expect=(404,))
        return answer.json()[part] if answer.ok else {}

    def claims(self, consumers: Iterable[str]) -> dict[str, Claim]:
        """What consumers have claimed; those without anything are left out."""
        found = required(gather({each: partial(self._consumer, each) for each in consumers}))
        return {
            each: {provider: dict(part["resources"]) for provider, part in allocations.items()}
            for each, allocations in found.items()
            if allocations
        }

    def claim(self, claims: Mapping[str, Claim], project_id: str, user_id: str) -> None:
        """Claim for consumers that have nothing yet: for all of them, or for none.

        Raises:
            Conflict: some of it is taken meanwhile, or a consumer has something.
        """
        body = {
            consumer: {
                "allocations": {provider: {"resources": dict(part)} for provider, part in claim.items()},
                "project_id": project_id,
                "user_id": user_id,
                "consumer_generation": None,
                "consumer_type": "INSTANCE",
            }
            for consumer, claim in claims.items()
        }
        claim = partial(self._call, "claim resources", "POST", "/allocations", json=body)
        self._again(claim, lambda error: "concurrent" in error.cause.lower())

    def release(self, consumer: str) -> None:
        """Give back all that a consumer has claimed; one that has nothing is no error."""
        path = f"/allocations/{consumer}"
        self._again(partial(self._call, "release resources", "DELETE", path, expect=(404,)), lambda _error: True)

    def _again(self, call: Callable[[], Any], passing: Callable[[Conflict], bool]) -> None:
        """Call once more where somebody else changed a provider between Placement's own look and its write."""
        for _try in range(TRIES - 1):
            try:
                call()
            except Conflict as error:
                if not passing(error):
                    raise
            else:
                return
        call()

    def _consumer(self, consumer: str) -> Any:
        return self._call("show allocations", "GET", f"/allocations/{consumer}").json()["allocations"]

    def _call(self, operation: str, method: str, path: str, **more: Any) -> Any:
        return self._rest.call(operation, method, path, headers=HEADERS, **more)


def _inventories(inventories: Mapping[str, Mapping[str, Any]], usages: Mapping[str, int]) -> dict[str, Inventory]:
    return {
        kind: Inventory(
            int((each["total"] - each["reserved"]) * each["allocation_ratio"]) - usages.get(kind, 0), each["max_unit"]
        )
        for kind, each in inventories.items()
    }
