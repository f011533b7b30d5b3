"""Notifications on their way into Ceilometer: chosen per endpoint, and a failure is in nobody's way."""

import pytest

from devcloud.telemetry import pipeline


class Rule:
    def __init__(self, wanted):
        self._wanted = wanted

    def match(self, context, publisher_id, event_type, metadata, payload):
        assert (context, publisher_id, metadata, payload) == ({"user": "ironic"}, "None.None", {}, {"node_uuid": "n"})
        return event_type == self._wanted


class Endpoint:
    def __init__(self, wanted, error=None):
        self.filter_rule = Rule(wanted) if wanted else None
        self.error = error
        self.seen = []

    def info(self, messages):
        self.seen += [message["event_type"] for message in messages]
        if self.error:
            raise self.error


def _message(event):
    return {
        "ctxt": {"user": "ironic"},
        "publisher_id": "None.None",
        "event_type": event,
        "metadata": {},
        "payload": {"node_uuid": "n"},
    }


def test_each_endpoint_gets_what_it_listens_to():
    hardware, power, quiet = Endpoint("hardware.ipmi.metrics"), Endpoint("power"), Endpoint("nothing")
    pipeline.deliver([hardware, power, quiet], [_message(event) for event in ("power", "hardware.ipmi.metrics")])
    assert hardware.seen == ["hardware.ipmi.metrics"]
    assert power.seen == ["power"]
    assert quiet.seen == []


def test_messages_of_one_batch_come_together_and_in_order():
    target = Endpoint("")
    pipeline.deliver([target], [_message(str(number)) for number in range(5)])
    assert target.seen == ["0", "1", "2", "3", "4"]


def test_an_endpoint_that_takes_no_information_gets_none():
    everything = Endpoint("")
    pipeline.deliver([object(), everything], [_message("any")])
    assert everything.seen == ["any"]


def test_an_endpoint_that_fails_is_named_and_in_nobody_s_way(caplog):
    broken, whole = Endpoint("", error=ValueError("not understood")), Endpoint("")
    pipeline.deliver([broken, whole], [_message("any")])
    assert whole.seen == ["any"]
    assert "Endpoint lost 1 notifications" in caplog.text
    assert "not understood" in caplog.text


@pytest.fixture
def conf(tmp_path):
    """A configuration with a pipeline of one source, that publishes nowhere."""
    (tmp_path / "pipeline.yaml").write_text(
        "sources: [{name: hardware, meters: ['hardware.*'], sinks: [none]}]\n"
        "sinks: [{name: none, publishers: ['test://']}]\n"
    )
    file = tmp_path / "ceilometer.conf"
    file.write_text(f"[DEFAULT]\ntransport_url = fake://\npipeline_cfg_file = {tmp_path / 'pipeline.yaml'}\n")
    return pipeline.configuration(file)


def test_the_configuration_is_ceilometer_s_own_with_the_file_s_values(conf, tmp_path):
    assert conf.pipeline_cfg_file == str(tmp_path / "pipeline.yaml")
    assert "service_credentials" in conf


def test_ceilometer_itself_makes_endpoints_that_listen_to_sensors(conf):
    found = pipeline.endpoints(conf)
    sensors = {type(endpoint).__name__ for endpoint in found if "Sensor" in type(endpoint).__name__}
    assert {"TemperatureSensorNotification", "FanSensorNotification"} <= sensors
    message = {**_message("hardware.ipmi.metrics"), "payload": {}}
    assert any(pipeline._wants(endpoint, message) for endpoint in found)
