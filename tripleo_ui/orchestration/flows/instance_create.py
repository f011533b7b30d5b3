"""Makes instances, up to the point where Nova gets them: checks, hosts, ports, volumes, specifications.

A host is claimed in Placement before anything else is made, by a consumer that stands for the server to be.
"""

from collections.abc import Collection
from functools import partial
from typing import Any

from tripleo_ui.orchestration.flows.instance_marks import (
    PORT,
    SERVER,
    VOLUME,
    Kind,
    adopt,
    await_late,
    make_marked,
    remove,
    suspect,
)
from tripleo_ui.orchestration.flows.instance_step import (
    ALLOCATION,
    InstanceStep,
    ids_by_name,
    invalid,
    ports_of,
    volumes_of,
)
from tripleo_ui.orchestration.instances import checks
from tripleo_ui.orchestration.instances.model import Disk, Nic
from tripleo_ui.orchestration.instances.specification import specification
from tripleo_ui.orchestration.records import Entry
from tripleo_ui.services.errors import ServiceError

_READY = frozenset({"available", "in-use"})


class Validate(InstanceStep):
    """Everything that the request names must be there, and fit."""

    operation = "validate"

    def run(self) -> None:
        findings = checks.check(self.wanted, self.context.cloud, self.context.request.id)
        if findings.problems:
            raise invalid(findings.problems)
        self.context.cache["model"] = findings.model
        self.output(refused={}, tries=0)

    def undo(self) -> None:
        """Nothing is left that could use the user data, which may hold passwords."""
        if self.wanted.user_data_ref:
            self.context.cloud.userdata.delete(self.wanted.user_data_ref)


class ReserveHosts(InstanceStep):
    """Choose a host for each instance, over all of them together, and claim it."""

    operation = "reserve hosts"

    def run(self) -> None:
        names = self.wanted.names
        # A retry goes on from the servers that an earlier try left.
        built = adopt(self.context, SERVER, names) if self.context.request.attempt > 1 else {}
        kept = {name: host for name, host in self.hosts.items() if name in built}
        # Claims are made for all at once: a conductor that stopped before it could say so has made all or none.
        claimed = self.claimed_hosts(name for name in names if name not in kept)
        self.show_hosts(kept | claimed)
        missing = [name for name in names if name not in built]
        if missing and not claimed:
            self.claim(missing, max(0, self.wanted.min_count - len(kept)), {})
        if left := [name for name in names if name not in self.hosts]:
            self.context.note(f"There is no room for {', '.join(left)}.")

    def undo(self) -> None:
        suspect(self.context, ALLOCATION[1], self.allocations(self.wanted.names))
        await_late(self.context)
        self.release(self.wanted.names, again=True)


class ReservePorts(InstanceStep):
    """Make the ports, and begin to make the volumes: neither waits for the other."""

    operation = "reserve ports"

    def run(self) -> None:
        ports, volumes = self._ports(), self._volumes()
        wanted: tuple[tuple[Kind, Collection[str]], ...] = ((PORT, ports), (VOLUME, volumes))
        for kind, names in wanted:
            if names:
                adopt(self.context, kind, names)
        things = [PORT.thing(name) for name in ports] + [VOLUME.thing(name) for name in volumes]
        calls = {PORT.service: partial(self._port, ports), VOLUME.service: partial(self._volume, volumes)}
        make_marked(self.context, things, lambda entry: calls[entry.service](entry))

    def _ports(self) -> dict[str, Nic]:
        return {
            port: nic
            for name in self.hosts
            for port, nic in zip(ports_of(self.model, name), self.model.nics, strict=True)
        }

    def _volumes(self) -> dict[str, Disk]:
        return {
            volume: disk
            for name in self.hosts
            for volume, disk in zip(volumes_of(self.model, name).values(), self.model.disks, strict=True)
        }

    def _port(self, ports: dict[str, Nic], entry: Entry) -> str:
        nic = ports[entry.name]
        body: dict[str, Any] = {"name": entry.name, "network_id": nic.network.id}
        if nic.fixed_ip:
            body["fixed_ips"] = [{"subnet_id": nic.subnet, "ip_address": nic.fixed_ip}]
        if self.model.security_groups:
            body["security_groups"] = list(self.model.security_groups)
        return str(self.context.cloud.neutron.create_port(self.context.request.id, body))

    def _volume(self, volumes: dict[str, Disk], entry: Entry) -> str:
        disk = volumes[entry.name]
        body: dict[str, Any] = {"name": entry.name, "size": disk.spec.size}
        body |= {"volume_type": disk.spec.type} if disk.spec.type else {}
        body |= {"imageRef": disk.image} if disk.image else {}
        body |= {"availability_zone": self.model.volume_zone} if self.model.volume_zone else {}
        cinder = self.context.cloud.cinder
        return str(cinder.create(self.context.request.id, body, delete=disk.spec.delete))

    def undo(self) -> None:
        for kind in (PORT, VOLUME):
            if kind.entries(self.context):
                remove(self.context, kind)


class ReserveVolumes(InstanceStep):
    """Wait until all volumes can be used."""

    operation = "reserve volumes"

    def run(self) -> None:
        wanted = set(ids_by_name(self.context, (VOLUME.service, VOLUME.name)).values())
        if not wanted:
            return
        for _round in self.poll_until():
            volumes = [each for each in self.context.cloud.cinder.marked(self.context.request.id) if each.id in wanted]
            ready = [each for each in volumes if each.status in _READY]
            self.context.progress(f"{len(ready)} of {len(wanted)} volumes are ready.", len(ready), len(wanted))
            if len(ready) == len(wanted):
                return
            broken = [each for each in volumes if each.status.startswith("error")]
            if broken or len(volumes) < len(wanted):
                told = ", ".join(f"{each.name} is {each.status}" for each in broken) or "a volume is gone"
                raise ServiceError("cinder", "create volume", told, next_step="Look at Cinder's log, then retry.")


class BuildSpecification(InstanceStep):
    """Write down everything that Nova will be told, so that nothing is left for it to make or choose."""

    operation = "write specification"

    def run(self) -> None:
        bodies = specifications(self)
        ports, volumes = (ids_by_name(self.context, (kind.service, kind.name)) for kind in (PORT, VOLUME))
        self.output(
            ports=[{"id": each, "name": name} for name, each in ports.items()],
            volumes=[{"id": each, "name": name} for name, each in volumes.items()],
        )
        told = f"{len(bodies)} instances with {len(ports)} ports and {len(volumes)} volumes are specified."
        self.context.note(told)


def specifications(step: InstanceStep) -> dict[str, dict[str, Any]]:
    """Nova's body for each instance that has a place, by name, without user data."""
    model, request_id = step.model, step.context.request.id
    ports, volumes = (ids_by_name(step.context, (kind.service, kind.name)) for kind in (PORT, VOLUME))
    return {
        name: specification(
            model,
            request_id,
            name,
            host,
            [ports[port] for port in ports_of(model, name)],
            {label: volumes[volume] for label, volume in volumes_of(model, name).items()},
        )
        for name, host in step.hosts.items()
    }
