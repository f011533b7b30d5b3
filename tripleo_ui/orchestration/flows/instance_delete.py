"""Deletes instances, and exactly those of their ports and volumes that were made for them and are to go along."""

from functools import partial
from typing import Any

from tripleo_ui.orchestration.context import DELETED
from tripleo_ui.orchestration.errors import NotFound
from tripleo_ui.orchestration.flows.instance_marks import ASK_AGAIN, is_busy
from tripleo_ui.orchestration.queries import get
from tripleo_ui.orchestration.records import Entry
from tripleo_ui.orchestration.step import Step
from tripleo_ui.services.errors import Conflict, ServiceError
from tripleo_ui.services.fanout import gather, required
from tripleo_ui.services.nova import Server

_THREADS = 20


class DeleteStep(Step):
    """What the steps share."""

    @property
    def servers(self) -> list[str]:
        """The ids of the instances."""
        return sorted(set(self.context.request.params["servers"]))

    def entries(self, service: str) -> list[Entry]:
        """The ledger's entries of a service's things that are to go and have not gone."""
        return [entry for entry in self.context.entries() if entry.service == service and entry.state != DELETED]

    def gone(self, entries: list[Entry]) -> None:
        """Say that things have gone."""
        if entries:
            self.context.settle_many([(entry, DELETED, entry.name) for entry in entries])


class Find(DeleteStep):
    """Write down what will go, before anything does: afterwards nothing says whose it was."""

    operation = "find instances"
    service = "nova"

    def run(self) -> None:
        cloud = self.context.cloud
        servers = required(gather({each: partial(cloud.nova.server, each) for each in self.servers}, _THREADS))
        present = {each: server for each, server in servers.items() if server is not None}
        for server in present.values():
            self._idle(server)
        calls: dict[Any, Any] = {("ports", each): partial(cloud.neutron.ports_of, each) for each in present}
        attached = [volume for server in present.values() for volume in server.volumes]
        calls |= {("volume", each): partial(cloud.cinder.volume, each) for each in attached}
        found = required(gather(calls, _THREADS))
        things = [("nova", "server", each) for each in present]
        for each, server in present.items():
            marked = [port for port in found["ports", each] if server.request and port.request == server.request]
            things += [("neutron", "port", port.id) for port in marked]
            volumes = [found["volume", volume] for volume in server.volumes]
            things += [
                ("cinder", "volume", volume.id)
                for volume in volumes
                if volume and volume.goes_along and volume.request == server.request
            ]
        self.context.intents(things)
        names = ", ".join(server.name for server in present.values()) or "nothing"
        self.context.note(f"Going: {names}, with {len(things) - len(present)} ports and volumes of their own.")

    def _idle(self, server: Server) -> None:
        """A server that its request still works on would be made again."""
        try:
            maker = get(server.request, self.context.request.requester.project_id)
        except NotFound:
            return
        if maker.active:
            cause = f"“{maker.title}” still works on {server.name} (request {maker.id})"
            raise Conflict("nova", self.operation, cause, next_step="Cancel that request, or wait for its end.")


class DeleteServers(DeleteStep):
    """Delete the servers, and wait until they are gone."""

    operation = "delete server"
    service = "nova"

    def run(self) -> None:
        nova, entries = self.context.cloud.nova, self.entries("nova")
        total = len(entries)
        for looks, _round in enumerate(self.poll_until()):
            if looks % ASK_AGAIN == 0:
                required(gather({each.name: partial(nova.delete, each.name) for each in entries}, _THREADS))
            there = required(gather({each.name: partial(nova.server, each.name) for each in entries}, _THREADS))
            self.gone([each for each in entries if there[each.name] is None])
            entries = [each for each in entries if there[each.name] is not None]
            told = f"{total - len(entries)} of {total} instances are gone."
            self.context.progress(told, total - len(entries), total)
            if not entries:
                return


class DeleteRest(DeleteStep):
    """Delete the ports and volumes that were made for them."""

    operation = "delete volume"
    service = "cinder"

    def run(self) -> None:
        cloud = self.context.cloud
        ports, volumes = self.entries("neutron"), self.entries("cinder")
        required(gather({each.name: partial(cloud.neutron.delete_port, each.name) for each in ports}, _THREADS))
        self.gone(ports)
        busy = False
        for looks, _round in enumerate(self.poll_until()):
            if busy or looks % ASK_AGAIN == 0:
                busy = self._ask(volumes)
            there = required(gather({each.name: partial(cloud.cinder.volume, each.name) for each in volumes}, _THREADS))
            self.gone([each for each in volumes if there[each.name] is None])
            volumes = [each for each in volumes if there[each.name] is not None]
            if not volumes:
                return

    def _ask(self, volumes: list[Entry]) -> bool:
        """Ask volumes to go; answers whether one has to be asked again, because it is being detached still."""
        cinder, busy = self.context.cloud.cinder, False
        for answer in gather({each.name: partial(cinder.delete, each.name) for each in volumes}, _THREADS).values():
            if isinstance(answer, ServiceError):
                if not is_busy(answer):
                    raise answer
                busy = True
        return busy
