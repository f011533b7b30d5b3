"""Keeps Gnocchi fed: ``python -m devcloud.telemetry.feeder``.

On its first round it fills the last 24 hours of every node that has no measures of its own in them; then it writes the
meters of nodes and servers each minute. Sensor readings are not its business: Ironic sends those. It ends only when it
is told to; a service that is away costs rounds, and the wait between them grows.

The first history shows every node at work. Live meters, and what a restart fills in, show what the node does now.
"""

import logging
import os
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import openstack
from gnocchiclient import exceptions as gnocchi_errors
from keystoneauth1 import exceptions as keystone_errors
from openstack import exceptions as sdk_errors
from openstack.connection import Connection

from devcloud.layout import Layout
from devcloud.seed.connection import connect
from devcloud.telemetry import history, hosts, inventory, pipeline, retry, schema, servers
from devcloud.telemetry.history import Story
from devcloud.telemetry.hosts import Node
from devcloud.telemetry.series import Resource
from devcloud.telemetry.servers import Server
from devcloud.telemetry.store import Store

LOG = logging.getLogger("devcloud.telemetry")

INTERVAL_SECONDS = 60.0
# Writing it last in a node's history makes it the mark that the history is whole.
MARK = "hardware.ipmi.node.cpu_util"
_TIMEOUT_SECONDS = 30
_FAILURES = (
    gnocchi_errors.ClientException,
    keystone_errors.ClientException,
    sdk_errors.SDKException,
    OSError,
)


class Feeder:
    """Rounds of the feeder; each may fail and be tried again."""

    def __init__(
        self,
        store: Store,
        nodes: Callable[[], list[Node]],
        servers: Callable[[], list[Server]],
        now: Callable[[], float] = time.time,
    ) -> None:
        self._store, self._nodes, self._servers, self._now = store, nodes, servers, now
        self._told: dict[str, Story] = {}
        self._seen: set[str] = set()
        self._filled: set[str] = set()

    def round(self) -> int:
        """Fill in history where there is none, write the present, and return the number of measures."""
        now = self._now()
        nodes, running = self._nodes(), self._servers()
        if not self._told:
            self._told = history.stories(node.name for node in nodes)
        # Who is enrolled while this runs has no past.
        for newcomer in (node for node in nodes if node.name not in self._told):
            self._told[newcomer.name] = history.PLAIN
            self._filled.add(newcomer.uuid)
        written = sum(self._remember_node(node, now) for node in nodes if node.uuid not in self._filled)
        written += sum(self._remember_server(server, now) for server in running if server.id not in self._filled)
        written += self._store.write(
            (resource, meter, [(now, meter.value(now))])
            for resource in self._present(nodes, running)
            for meter in resource.meters
        )
        self._end_the_gone({server.id for server in running}, now)
        return written

    def _present(self, nodes: list[Node], running: list[Server]) -> Iterator[Resource]:
        for node in nodes:
            story = self._told[node.name]
            if story.dead and not node.powered:
                continue
            yield from hosts.resources(node)
        for server in running:
            yield from servers.resources(server)

    def _remember_node(self, node: Node, now: float) -> int:
        story = self._told[node.name]
        newest = self._store.newest(node.uuid, MARK, now - 3600 * history.HOURS)
        if newest is not None and story.dead:
            self._filled.add(node.uuid)
            return 0
        # What was missed since an earlier feeder's last measure goes on with what the node does now.
        then = replace(node, powered=True, busy=True) if newest is None else node
        controller, *others = hosts.resources(then)
        return self._remember(node.uuid, [*others, *hosts.sensor_resources(then), controller], story, newest, now)

    def _remember_server(self, server: Server, now: float) -> int:
        instance, *others = servers.resources(server)
        newest = self._store.newest(server.id, instance.meters[0].name, now - 3600 * history.HOURS)
        # Nothing is known of a time in which it did not exist.
        since = max(newest or 0.0, server.created_at)
        return self._remember(server.id, [*others, instance], history.PLAIN, since, now)

    def _remember(
        self, owner: str, resources: Iterable[Resource], story: Story, newest: float | None, now: float
    ) -> int:
        moments = history.times(now, newest)
        rows = [
            (resource, meter, history.points(meter, moments, story, now))
            for resource in resources
            for meter in sorted(resource.meters, key=lambda meter: meter.name == MARK)
        ]
        written = self._store.write(rows)
        self._filled.add(owner)
        if written:
            LOG.info("history of %s: %d measures", owner, written)
        return written

    def _end_the_gone(self, running: set[str], now: float) -> None:
        for gone in self._seen - running:
            for kind, resource_id in (
                ("instance", gone),
                ("instance_disk", f"{gone}-vda"),
                ("instance_network_interface", f"{gone}-eth0"),
            ):
                self._store.end(kind, resource_id, now)
            self._filled.discard(gone)
        self._seen = running


def run(attempt: Callable[[], Feeder], sleep: Callable[[float], None] = time.sleep, rounds: int | None = None) -> None:
    """Connect, then feed each minute; after a failure connect anew, later each time.

    Args:
        attempt: connects and returns a feeder.
        sleep: waits; a test's returns at once.
        rounds: how many rounds to try; without it, no end.
    """
    feeder: Feeder | None = None
    pauses = retry.pauses()
    done = 0
    while rounds is None or done < rounds:
        done += 1
        try:
            feeder = feeder or attempt()
            LOG.info("%d measures written", feeder.round())
        except _FAILURES as error:
            pause = next(pauses)
            LOG.warning("a round failed (%s: %s); again in %.0f s", type(error).__name__, error, pause)
        else:
            pause, pauses = INTERVAL_SECONDS, retry.pauses()
        sleep(pause)


def connected() -> Feeder:
    """Make Gnocchi ready, and return a feeder of the cloud that the environment names."""
    conf = pipeline.configuration(Path(os.environ["CEILOMETER_CONF"]))
    schema.prepare(conf)
    cloud = _cloud()
    return Feeder(Store(schema.client(conf)), lambda: inventory.nodes(cloud), lambda: inventory.servers(cloud))


def _cloud() -> Connection:
    """Connect as ``OS_*`` says, else as the administrator of devcloud."""
    if "OS_AUTH_URL" in os.environ:
        return openstack.connect(load_yaml_config=False, api_timeout=_TIMEOUT_SECONDS)
    return connect(Layout.from_env())


def main() -> None:
    """Feed until told to stop."""
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="%(asctime)s %(levelname)s %(message)s")
    LOG.setLevel(logging.INFO)
    signal.signal(signal.SIGTERM, lambda *_args: sys.exit(0))
    run(connected)


if __name__ == "__main__":
    main()
