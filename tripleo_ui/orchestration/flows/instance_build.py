"""Lets Nova build instances whose host, ports and volumes are there already, elsewhere where it cannot.

Nova claims under the server's own id. So the claim that held the place is given back just before the call, and what
another one took in between shows as a failed build, like any other: it is tried on another host.
"""

from typing import Any

from tripleo_ui.orchestration.flows.instance_create import specifications
from tripleo_ui.orchestration.flows.instance_marks import (
    PORT,
    SERVER,
    VOLUME,
    adopt,
    await_late,
    late,
    make_marked,
    remove,
)
from tripleo_ui.orchestration.flows.instance_step import InstanceStep, ids_by_name, ports_of, volumes_of
from tripleo_ui.orchestration.instances.specification import with_user_data
from tripleo_ui.orchestration.records import Entry
from tripleo_ui.services.errors import Conflict, ServiceError
from tripleo_ui.services.nova import Server

#: Builds of an instance, each on another host.
TRIES = 3


class Build(InstanceStep):
    """Hand everything to Nova, and follow the servers until they are active."""

    operation = "create server"
    service = "nova"

    def run(self) -> str | None:
        # Until here the numbers were those of ports and volumes.
        self.context.progress("", 0, len(self.hosts))
        while True:
            self._house()
            self._create()
            broken = self._followed()
            if not broken:
                self._settle()
                return self._ended()
            self._refuse(broken)

    def _house(self) -> None:
        """Give a host to each instance that has none: the one it was to have did not build it."""
        present = adopt(self.context, SERVER, self.hosts)
        missing = [name for name in self.wanted.names if name not in present]
        # Claimed for another try, just before the conductor that did it stopped.
        claimed = self.claimed_hosts(missing)
        if claimed:
            self.show_hosts(self.hosts | claimed)
        refused = self.refused
        homeless = [name for name in missing if name not in claimed and self.hosts.get(name) in refused]
        if not homeless:
            return
        others = {name: host for name, host in self.hosts.items() if name not in homeless}
        if self.context.request.outputs["tries"] < TRIES:
            try:
                self.claim(homeless, max(0, self.wanted.min_count - len(others)), refused)
            except Conflict as error:
                self.context.note(f"There is no other host: {error.cause}")
        self._give_up([name for name in homeless if self.hosts[name] in refused])

    @property
    def refused(self) -> dict[str, str]:
        """Hosts that did not build an instance, by name, with the reason."""
        return dict(self.context.request.outputs.get("refused", {}))

    def _create(self) -> None:
        bodies, reference = specifications(self), self.wanted.user_data_ref
        text = self.context.cloud.userdata.get(reference) if reference else ""

        def create(entry: Entry) -> str:
            self.own.placement.release(self.consumer(entry.name))
            body: dict[str, Any] = bodies[entry.name]
            return str(self.context.cloud.placing.create(with_user_data(body, text) if text else body))

        make_marked(self.context, [SERVER.thing(name) for name in bodies], create)
        self.release(bodies)

    def _followed(self) -> dict[str, str]:
        """Poll until each server is active or has failed; answers why, by the instance's name."""
        wanted = {server: name for name, server in ids_by_name(self.context, (SERVER.service, SERVER.name)).items()}
        for _round in self.poll_until():
            servers = {each.id: each for each in self.context.cloud.nova.marked(self.context.request.id)}
            active = [each for each in wanted if each in servers and servers[each].status == "ACTIVE"]
            broken = {name: _fault(servers.get(each)) for each, name in wanted.items() if _failed(servers.get(each))}
            self.context.progress(f"{len(active)} of {len(wanted)} instances are active.", len(active), len(wanted))
            if len(active) + len(broken) == len(wanted):
                return broken
        return {}

    def _refuse(self, broken: dict[str, str]) -> None:
        """Remember the hosts that did not build, and take back what is left of the servers."""
        hosts, tries = self.hosts, int(self.context.request.outputs.get("tries", 0))
        for name, fault in broken.items():
            self.context.note(f"{name} could not be built on {hosts[name]}: {fault}", kind="placement")
        self.output(tries=tries + 1, refused=self.refused | {hosts[name]: fault for name, fault in broken.items()})
        remove(self.context, SERVER, broken)

    def _give_up(self, names: list[str]) -> None:
        """Take back the ports and volumes of instances that get no place."""
        ports = [port for name in names for port in ports_of(self.model, name)]
        volumes = [volume for name in names for volume in volumes_of(self.model, name).values()]
        for kind, things in ((PORT, ports), (VOLUME, volumes)):
            if things:
                remove(self.context, kind, things)
        self.show_hosts({name: host for name, host in self.hosts.items() if name not in names})

    def _settle(self) -> None:
        """Find what came into being after its answer was given up for lost, and was made once more."""
        if not late(self.context):
            return
        await_late(self.context)
        ports = [port for name in self.hosts for port in ports_of(self.model, name)]
        volumes = [volume for name in self.hosts for volume in volumes_of(self.model, name).values()]
        for kind, names in ((SERVER, list(self.hosts)), (PORT, ports), (VOLUME, volumes)):
            if names:
                adopt(self.context, kind, names)
        self.release(self.wanted.names, again=True)

    def _ended(self) -> str | None:
        """Say what is there now; too few are a failure, and fewer than were asked a part."""
        made = {kind: ids_by_name(self.context, (kind.service, kind.name)) for kind in (SERVER, PORT, VOLUME)}
        hosts, wanted = self.hosts, self.wanted
        servers = [{"id": each, "name": name, "host": hosts[name]} for name, each in made[SERVER].items()]
        if len(servers) < wanted.min_count:
            told = " ".join(f"{host}: {reason}" for host, reason in self.refused.items())
            cause = f"{len(servers)} of {wanted.count} instances could be built. {told}"
            raise ServiceError("nova", self.operation, cause, next_step="Look at the hosts that are named, then retry.")
        self.output(
            servers=servers,
            ports=[{"id": each, "name": name} for name, each in made[PORT].items()],
            volumes=[{"id": each, "name": name} for name, each in made[VOLUME].items()],
        )
        if len(servers) < wanted.count:
            return f"{len(servers)} of {wanted.count} instances are there; there was no room for the others."
        if wanted.user_data_ref:
            self.context.cloud.userdata.delete(wanted.user_data_ref)
        return None

    def undo(self) -> None:
        if SERVER.entries(self.context):
            remove(self.context, SERVER)


def _failed(server: Server | None) -> bool:
    return server is None or server.status in {"ERROR", "DELETED"}


def _fault(server: Server | None) -> str:
    return (server.fault or server.status) if server else "the server is gone"
