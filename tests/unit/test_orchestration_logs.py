"""What a line of the log says: which request it is about, in every thread, and never a secret."""

import io
import json
import logging
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest

from tests.fakes import FakeCloud
from tripleo_ui.orchestration import logs
from tripleo_ui.services.errors import ServiceError
from tripleo_ui.services.fanout import gather

LOG = logging.getLogger("tripleo_ui.test")


@pytest.fixture
def written():
    """Starts a log of a form at a level; answers its stream."""
    handlers, ours = [], logging.getLogger("tripleo_ui")
    before = ours.level

    def start(form="json", level=logging.DEBUG):
        stream = io.StringIO()
        handlers.append(logs.configure(form, level, stream))
        return stream

    yield start
    for handler in handlers:
        logging.getLogger().removeHandler(handler)
    ours.setLevel(before)


def lines(stream):
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def test_a_line_says_what_is_bound_and_nothing_after_the_block(written):
    stream = written()
    with logs.bound(request_id="r1", conductor="c1"):
        with logs.bound(phase="create"):
            LOG.info("inside")
        LOG.info("between")
    LOG.info("outside")

    inside, between, outside = lines(stream)
    assert {name: inside[name] for name in logs.NAMES} == {"request_id": "r1", "phase": "create", "conductor": "c1"}
    assert (between["request_id"], between["phase"]) == ("r1", "")
    assert (outside["request_id"], outside["conductor"]) == ("", "")
    assert (inside["level"], inside["logger"], inside["message"]) == ("INFO", "tripleo_ui.test", "inside")
    assert inside["time"].endswith("Z")


def test_requests_side_by_side_keep_their_lines_apart(written):
    stream = written()

    def work(name):
        with logs.bound(request_id=name):
            for _line in range(50):
                LOG.info("of %s", name)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, "abcd"))

    assert len(lines(stream)) == 200
    assert all(line["message"] == f"of {line['request_id']}" for line in lines(stream))


def test_calls_that_are_made_at_once_log_for_whoever_made_them(written):
    stream = written()
    with logs.bound(request_id="r1", phase="ports"):
        gather({number: partial(LOG.info, "made %s", number) for number in range(20)})
    gather({0: partial(LOG.info, "of nobody")})

    assert [line["request_id"] for line in lines(stream)] == ["r1"] * 20 + [""]


def test_text_is_one_line_with_its_request(written):
    stream = written("text")
    with logs.bound(request_id="r1", conductor="c1"):
        LOG.warning("it rains")

    assert stream.getvalue().endswith(" WARNING tripleo_ui.test [r1 - c1] it rains\n")


@pytest.mark.parametrize("form", logs.FORMATS)
def test_neither_messages_nor_tracebacks_nor_extras_show_secrets(written, form):
    stream = written(form)
    try:
        int("postgresql://ui:s3cret@db/ui")
    except ValueError:
        LOG.exception("X-Auth-Token: %s", "s3cret", extra={"password": "s3cret"})

    assert "Traceback" in stream.getvalue()
    assert "s3cret" not in stream.getvalue()


def test_a_call_leaves_one_line_with_both_ids_and_no_content(written):
    stream, fake = written(), FakeCloud()
    fake.failures["heat"] = 503
    with logs.bound(request_id="r1"), pytest.raises(ServiceError):
        fake.cloud().heat.list()

    (line,) = lines(stream)
    assert line["message"].startswith("heat: list stacks: GET 503 in ")
    assert line["request_id"] == "r1"
    assert (line["service"], line["operation"], line["method"], line["status"]) == ("heat", "list stacks", "GET", 503)
    assert line["service_request_id"] == "req-heat"
    assert line["milliseconds"] >= 0
    assert "http" not in json.dumps(line)


@pytest.mark.parametrize(("failure", "level"), [("timeout", "INFO"), (None, "DEBUG")])
def test_reads_that_go_well_are_details_and_silence_is_news(written, failure, level):
    stream, fake = written(), FakeCloud()
    if failure:
        fake.failures["nova"] = failure
    try:
        fake.cloud().nova.flavors()
    except ServiceError:
        assert failure

    assert [(line["level"], line["status"]) for line in lines(stream)] == [(level, None if failure else 200)]
