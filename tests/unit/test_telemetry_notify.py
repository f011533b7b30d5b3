"""The driver in Ironic's process: it never blocks, waits for Gnocchi, loses no reading that there was room for."""

import threading

import pytest

from devcloud.telemetry import notify
from devcloud.telemetry.notify import Driver, Relay

READING = {
    "event_type": "hardware.simulated.metrics",
    "publisher_id": "ironic.cloudlet",
    "message_id": "m",
    "timestamp": "2026-12-01 00:00:00",
    "payload": {"node_uuid": "n", "payload": {"Temperature": {}}},
}


class Target:
    """Takes messages; the first attempts to connect fail, and so do the first deliveries."""

    def __init__(self, refusals=0, losses=0):
        self.refusals, self.losses, self.got, self.slept = refusals, losses, [], []

    def connect(self):
        if self.refusals:
            self.refusals -= 1
            raise ConnectionError("Gnocchi is away")
        return self.deliver

    def deliver(self, messages):
        if self.losses:
            self.losses -= 1
            raise ValueError("refused")
        self.got += messages


def _relay(target, **options):
    return Relay(target.connect, sleep=target.slept.append, **options)


def _driver(relay):
    driver = Driver(None, ["notifications"], None)
    driver.relay = relay
    return driver


def test_a_reading_arrives_under_the_name_that_ceilometer_listens_to():
    target = Target()
    relay = _relay(target)
    _driver(relay).notify({"user": "u"}, READING, "info", None)
    relay.join()
    assert target.got == [
        {
            "ctxt": {"user": "u"},
            "publisher_id": "ironic.cloudlet",
            "event_type": "hardware.ipmi.metrics",
            "payload": READING["payload"],
            "metadata": {"message_id": "m", "timestamp": "2026-12-01 00:00:00"},
        }
    ]


@pytest.mark.parametrize("event", ["baremetal.node.power_set.end", "hardware.metrics.other", "compute.metrics"])
def test_other_events_are_left_alone(event):
    class Closed:
        def put(self, message):
            raise AssertionError(message)

    _driver(Closed()).notify({}, {**READING, "event_type": event}, "info", None)


def test_order_is_kept():
    target = Target()
    relay = _relay(target)
    for number in range(500):
        assert relay.put({"number": number})
    relay.join()
    assert [message["number"] for message in target.got] == list(range(500))


def test_readings_wait_until_gnocchi_is_there():
    target = Target(refusals=4)
    relay = _relay(target)
    relay.put({"number": 1})
    relay.join()
    assert target.got == [{"number": 1}]
    assert target.slept == [1, 2, 4, 8]


def test_a_failed_delivery_does_not_end_the_relay(caplog):
    target = Target(losses=1)
    relay = _relay(target)
    relay.put({"number": 1})
    relay.join()
    relay.put({"number": 2})
    relay.join()
    assert target.got == [{"number": 2}]
    assert "1 sensor readings were lost" in caplog.text


def test_a_full_queue_drops_and_says_so_instead_of_waiting(caplog):
    released = threading.Event()
    target = Target()

    def connect():
        assert released.wait(10)
        return target.deliver

    relay = Relay(connect, limit=2)
    assert [relay.put({"number": number}) for number in range(3)] == [True, True, False]
    assert "one was dropped" in caplog.text
    released.set()
    relay.join()
    assert [message["number"] for message in target.got] == [0, 1]


def test_one_thread_serves_all_drivers():
    before = Driver(None, [], None), Driver(None, [], None)
    assert before[0].relay is before[1].relay is notify._relay
