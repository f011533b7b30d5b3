"""Providers of resources and what is claimed of them, in memory."""

import uuid

from tests.fakes.cloud import Answer


class Placement:
    """What ``tripleo_ui.services.placement`` calls; each provider is a host."""

    def __init__(self):
        self.consumers, self.providers = {}, {}

    def add_host(self, name, traits=(), **inventory):
        provider = str(uuid.uuid5(uuid.NAMESPACE_DNS, name))
        self.providers[provider] = {"name": name, "inventory": inventory, "traits": set(traits)}
        return provider

    def routes(self):
        return [
            ("GET", r"/allocation_candidates", self._candidates),
            ("GET", r"/resource_providers", self._list_providers),
            ("GET", r"/resource_providers/([^/]+)/inventories", self._inventories),
            ("GET", r"/resource_providers/([^/]+)/usages", self._usages),
            ("GET", r"/allocations/(.+)", lambda _call, each: {"allocations": self.consumers.get(each, {})}),
            ("POST", r"/allocations", self._claim),
            ("DELETE", r"/allocations/(.+)", self._delete),
        ]

    def _delete(self, _call, consumer):
        return Answer(204 if self.consumers.pop(consumer, None) is not None else 404)

    def _used(self, provider, kind):
        return sum(each.get(provider, {}).get("resources", {}).get(kind, 0) for each in self.consumers.values())

    def _free(self, provider):
        inventory = self.providers[provider]["inventory"]
        return {kind: total - self._used(provider, kind) for kind, total in inventory.items()}

    def fits(self, provider, resources):
        free = self._free(provider)
        return all(free.get(kind, 0) >= amount for kind, amount in resources.items())

    def _matching(self, call):
        resources = {kind: int(n) for kind, n in (p.split(":") for p in call.one("resources").split(",") if p)}
        traits = [each for each in call.one("required").split(",") if each]
        required = {each for each in traits if not each.startswith("!")}
        forbidden = {each[1:] for each in traits if each.startswith("!")}
        for provider, found in self.providers.items():
            if self.fits(provider, resources) and required <= found["traits"] and not forbidden & found["traits"]:
                yield provider, resources

    def _candidates(self, call):
        requests_, summaries = [], {}
        for provider, resources in self._matching(call):
            requests_.append({"allocations": {provider: {"resources": resources}}})
            inventory = self.providers[provider]["inventory"]
            summaries[provider] = {
                "root_provider_uuid": provider,
                "resources": {k: {"capacity": n, "used": self._used(provider, k)} for k, n in inventory.items()},
            }
        return {"allocation_requests": requests_, "provider_summaries": summaries}

    def _list_providers(self, call):
        found = [provider for provider, _resources in self._matching(call)]
        shown = [{"uuid": p, "name": self.providers[p]["name"], "root_provider_uuid": p} for p in found]
        return {"resource_providers": shown}

    def _inventories(self, _call, provider):
        inventory = self.providers[provider]["inventory"]
        common = {"reserved": 0, "allocation_ratio": 1.0}
        return {"inventories": {kind: {**common, "total": n, "max_unit": n} for kind, n in inventory.items()}}

    def _usages(self, _call, provider):
        return {"usages": {kind: self._used(provider, kind) for kind in self.providers[provider]["inventory"]}}

    def _claim(self, call):
        claims = {consumer: each["allocations"] for consumer, each in call.json.items()}
        if any(consumer in self.consumers for consumer in claims):
            return Answer(409, {"errors": [{"detail": "consumer generation conflict"}]})
        before = dict(self.consumers)
        for consumer, allocations in claims.items():
            if not all(self.fits(provider, each["resources"]) for provider, each in allocations.items()):
                self.consumers = before
                return Answer(409, {"errors": [{"detail": "Unable to allocate inventory"}]})
            self.consumers[consumer] = allocations
        return Answer(204)
