"""The notification driver ``ceilometer-inprocess``: sensor readings leave Ironic through Ceilometer's own pipeline.

Ironic notifies from its workers, so nothing may block there: readings go into a queue, and one thread empties it.
"""

import logging
import os
import queue
import threading
import time
import typing
from collections.abc import Callable
from pathlib import Path

from oslo_messaging.notify import notifier

from devcloud.telemetry import retry

LOG = logging.getLogger(__name__)

# Ironic names its driver in the event, Ceilometer listens to IPMI's only.
HEARD_EVENT = "hardware.ipmi.metrics"
_LIMIT = 10_000
_BATCH = 200

Message = dict[str, typing.Any]
Deliver = Callable[[list[Message]], None]


def connect() -> Deliver:
    """Make Gnocchi ready and return what takes messages; imports Ceilometer, hence in the relay's thread."""
    from devcloud.telemetry import pipeline, schema  # noqa: PLC0415

    conf = pipeline.configuration(Path(os.environ["CEILOMETER_CONF"]))
    schema.prepare(conf)
    targets = pipeline.endpoints(conf)
    LOG.info("Ceilometer's pipeline is ready with %d endpoints", len(targets))
    return lambda messages: pipeline.deliver(targets, messages)


class Relay:
    """A queue and the thread that empties it into Ceilometer; started by the first message."""

    def __init__(
        self, connect: Callable[[], Deliver], limit: int = _LIMIT, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        self._connect, self._sleep = connect, sleep
        self._queue: queue.Queue[Message] = queue.Queue(limit)
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def put(self, message: Message) -> bool:
        """Queue a message and return whether there was room for it; never blocks."""
        self._start()
        try:
            self._queue.put_nowait(message)
        except queue.Full:
            LOG.warning("%d sensor readings wait for Gnocchi: one was dropped", self._queue.maxsize)
            return False
        return True

    def join(self) -> None:
        """Wait until every message has been delivered."""
        self._queue.join()

    def _start(self) -> None:
        with self._lock:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="ceilometer", daemon=True)
                self._thread.start()

    def _run(self) -> None:
        deliver = self._connected()
        while True:
            messages = self._next()
            try:
                deliver(messages)
            except Exception:
                LOG.exception("%d sensor readings were lost", len(messages))
            for _message in messages:
                self._queue.task_done()

    def _connected(self) -> Deliver:
        pauses = retry.pauses()
        while True:
            try:
                return self._connect()
            except Exception as error:  # noqa: BLE001 - any service may be away yet
                pause = next(pauses)
                LOG.warning("Gnocchi takes no sensor readings yet (%s); again in %.0f s", error, pause)
                self._sleep(pause)

    def _next(self) -> list[Message]:
        messages = [self._queue.get()]
        while len(messages) < _BATCH:
            try:
                messages.append(self._queue.get_nowait())
            except queue.Empty:
                break
        return messages


_relay = Relay(connect)


class Driver(notifier.Driver):
    """Takes the sensor readings out of everything that a service notifies of."""

    relay = _relay

    def notify(
        self,
        ctxt: typing.Any,
        message: Message,
        priority: str,  # noqa: ARG002 - the signature is upstream's
        retry: int,  # noqa: ARG002
    ) -> None:
        """Queue a sensor reading; other events are none of Ceilometer's here."""
        event = message["event_type"]
        if not (event.startswith("hardware.") and event.endswith(".metrics")):
            return
        self.relay.put(
            {
                "ctxt": ctxt,
                "publisher_id": message["publisher_id"],
                "event_type": HEARD_EVENT,
                "payload": message["payload"],
                "metadata": {"message_id": message["message_id"], "timestamp": message["timestamp"]},
            }
        )
