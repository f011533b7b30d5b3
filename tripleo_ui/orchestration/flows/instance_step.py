"""What the steps that make instances share: the model, the names, the hosts that were chosen, the outputs."""

import time
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any
from uuid import UUID, uuid5

from tripleo_ui.orchestration.context import CREATED, DELETED, Context, Thing
from tripleo_ui.orchestration.flows import instance_marks
from tripleo_ui.orchestration.instances import checks, placing
from tripleo_ui.orchestration.instances.model import Model
from tripleo_ui.orchestration.instances.request import InstanceRequest, parse
from tripleo_ui.orchestration.instances.shape import Problem
from tripleo_ui.orchestration.records import Entry
from tripleo_ui.orchestration.step import Step
from tripleo_ui.orchestration.transitions import update
from tripleo_ui.services.errors import Conflict, ServiceError, Unavailable
from tripleo_ui.services.fanout import gather, required
from tripleo_ui.services.placement import Claim

ALLOCATION = ("placement", "allocation")
#: Claims that somebody else was faster at, before the request fails.
CLAIMS = 5
_THREADS = 20


class InstanceStep(Step):
    """A step of ``instance.create``."""

    @property
    def wanted(self) -> InstanceRequest:
        """What was asked for."""
        request, problems = parse(self.context.request.params)
        if request is None:
            cause = " ".join(f"{problem.field}: {problem.message}" for problem in problems)
            raise ServiceError("orchestrator", "read request", cause, next_step="Ask anew.")
        return request

    @property
    def model(self) -> Model:
        """The request with all names resolved; looked up again by a conductor that took it over.

        Raises:
            ServiceError: something that it names is gone.
        """
        cache = self.context.cache
        if "model" not in cache:
            findings = checks.check(self.wanted, self.context.cloud, self.context.request.id)
            if findings.model is None:
                raise invalid(findings.problems)
            cache["model"] = findings.model
        model: Model = cache["model"]
        return model

    @property
    def own(self) -> Any:
        """The cloud as the conductor's own user sees it."""
        found = self.context.cloud.service
        if found is None:
            cause = "the conductor has no user of its own in this cloud"
            raise ServiceError("placement", "claim resources", cause, next_step="Set its user in the settings.")
        return found

    def consumer(self, name: str) -> str:
        """Under which id an instance's claim stands until it is built: it follows from the request's."""
        number = self.wanted.names.index(name) + 1
        return str(uuid5(UUID(self.context.request.id), f"instance-{number}"))

    @property
    def hosts(self) -> dict[str, str]:
        """The hypervisor of each instance that has a place, by the instance's name."""
        return {each["instance"]: each["host"] for each in self.context.request.outputs.get("hosts", ())}

    def output(self, **values: Any) -> None:
        """Put values into the request's outputs."""

        def change(connection: Any, request: Any) -> None:
            update(connection, request, outputs={**request.outputs, **values})

        self.context.write(change)

    def show_hosts(self, hosts: Mapping[str, str], **values: Any) -> None:
        """Put the instances' hosts into the outputs, in the instances' order."""
        ordered = [{"instance": name, "host": hosts[name]} for name in self.wanted.names if name in hosts]
        self.output(hosts=ordered, **values)

    def claim(self, names: list[str], least: int, refused: Mapping[str, str]) -> placing.Choice:
        """Choose hosts for instances together and claim them, all at once; the last ones may get none.

        Raises:
            Conflict: there is no room, or others were always faster.
        """
        beside = placing.Beside(
            tuple(host for name, host in self.hosts.items() if name not in names),
            frozenset(ids_by_name(self.context, ("nova", "server")).values()),
        )
        for last in (False,) * (CLAIMS - 1) + (True,):
            choice = placing.choose(self.model, self.own, len(names), least, refused, beside)
            self.context.note(_told(choice), {"why": [why.as_dict() for why in choice.why]}, kind="placement")
            if choice.decision.problem:
                self.output(why=[why.as_dict() for why in choice.why])
                raise Conflict(
                    "placement",
                    "reserve hosts",
                    choice.decision.problem,
                    next_step="Ask for fewer or smaller instances, or free some room.",
                )
            places = dict(zip(names, choice.decision.places, strict=False))
            try:
                self._claim({name: place.claim for name, place in places.items()})
            except Unavailable:
                instance_marks.expect_late(self.context, time.time() + instance_marks.LATE_SECONDS)
                raise
            except Conflict:
                if last:
                    raise
                continue
            break
        hosts = {name: choice.names[place.root] for name, place in places.items()}
        self.show_hosts({**self.hosts, **hosts}, why=[why.as_dict() for why in choice.why])
        return choice

    def _claim(self, claims: Mapping[str, Claim]) -> None:
        entries = self.context.intents([allocation(name) for name in claims])
        requester = self.context.request.requester
        by_consumer = {self.consumer(name): claim for name, claim in claims.items()}
        if by_consumer:
            self.own.placement.claim(by_consumer, requester.project_id, requester.user_id)
            self.context.settle_many([(entry, CREATED, self.consumer(entry.name)) for entry in entries])

    def claimed_hosts(self, names: Iterable[str]) -> dict[str, str]:
        """The hosts that instances have claims on now, by the instance's name, as Placement says."""
        entries = self.allocations(names)
        instance_marks.suspect(self.context, ALLOCATION[1], entries)
        consumers = {self.consumer(entry.name): entry.name for entry in entries}
        placement = self.own.placement
        claims = placement.claims(consumers)
        if not claims:
            return {}
        providers = {provider.id: provider for provider in placement.providers()}
        hosts = {
            consumers[consumer]: providers[providers[next(iter(claim))].root].name for consumer, claim in claims.items()
        }
        unsettled = [entry for entry in entries if entry.name in hosts and entry.state != CREATED]
        if unsettled:
            self.context.settle_many([(entry, CREATED, self.consumer(entry.name)) for entry in unsettled])
        return hosts

    def release(self, names: Iterable[str], *, again: bool = False) -> None:
        """Give the claims of instances back; ``again`` those too that were given back before."""
        entries = [entry for entry in self.allocations(names) if again or entry.state != DELETED]
        placement = self.own.placement
        required(
            gather({each.name: partial(placement.release, self.consumer(each.name)) for each in entries}, _THREADS)
        )
        if entries:
            self.context.settle_many([(entry, DELETED, "") for entry in entries])

    def allocations(self, names: Iterable[str]) -> list[Entry]:
        """The ledger's entries of instances' claims."""
        wanted = set(names)
        return [
            entry
            for entry in self.context.entries()
            if (entry.service, entry.kind) == ALLOCATION and entry.name in wanted
        ]


def allocation(name: str) -> Thing:
    """The ledger's words for an instance's claim."""
    return (*ALLOCATION, name)


def ports_of(model: Model, name: str) -> list[str]:
    """The names of an instance's ports, in the order of its networks."""
    return [f"{name}-port-{number}" for number in range(1, len(model.nics) + 1)]


def volumes_of(model: Model, name: str) -> dict[str, str]:
    """The names of an instance's volumes by the labels of its disks."""
    return {disk.label: f"{name}-{disk.label}" for disk in model.disks}


def invalid(problems: Iterable[Problem]) -> ServiceError:
    """The failure that all problems of a request are."""
    cause = " ".join(f"{problem.field}: {problem.message}" for problem in problems)
    return ServiceError("orchestrator", "validate", cause, next_step="Mend what is named, and ask anew.")


def ids_by_name(context: Context, kind: tuple[str, str]) -> dict[str, str]:
    """The ids of what the ledger has as made, by name."""
    return {
        entry.name: entry.external_id
        for entry in context.entries()
        if (entry.service, entry.kind) == kind and entry.state == CREATED
    }


def _told(choice: placing.Choice) -> str:
    if choice.decision.problem:
        return choice.decision.problem
    per_host = choice.decision.per_host.items()
    if not per_host:
        return "No host has room."
    return "Chosen: " + ", ".join(f"{choice.names[root]} for {number}" for root, number in sorted(per_host)) + "."
