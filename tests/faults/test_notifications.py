"""The webhook against a receiver on loopback that verifies, refuses and hangs as it is told."""

import hashlib
import hmac
import json
import threading
import time
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
import sqlalchemy as sa

from tests.orchestration import submit
from tripleo_ui import config
from tripleo_ui.orchestration.notify import outbox
from tripleo_ui.orchestration.notify.deliver import Deliverer
from tripleo_ui.orchestration.states import State
from tripleo_ui.orchestration.store.engine import reading, writing
from tripleo_ui.orchestration.store.tables import DELIVERIES, EVENTS

SECRET = "shared with the receiver"
PATH = "/hook/part-of-a-secret"


class Receiver(ThreadingHTTPServer):
    """Keeps what it gets; ``answers`` are statuses for the next calls, then it is 204. ``hang`` is in seconds."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), _Handler)
        self.got = []
        self.answers = []
        self.hang = 0.0
        self.url = f"http://127.0.0.1:{self.server_port}{PATH}"


class _Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.got.append((dict(self.headers), body))
        time.sleep(self.server.hang)
        self.send_response(self.server.answers.pop(0) if self.server.answers else 204)
        self.send_header("Location", "http://127.0.0.1:1/elsewhere")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_words):
        pass


@pytest.fixture
def receiver(database, monkeypatch):
    server = Receiver()
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    made = replace(
        config.settings._values,
        notify="webhook",
        notify_events="queued,ended",
        webhook_url=server.url,
        webhook_secret=SECRET,
        read_timeout=0.5,
    )
    monkeypatch.setitem(config.settings.__dict__, "_values", made)
    yield server
    server.shutdown()
    server.server_close()


def tell(request_id, kind, state, message):
    values = {"request_id": request_id, "at": time.time(), "kind": kind, "state": state, "message": message}
    with writing() as connection:
        made = connection.execute(sa.insert(EVENTS).values(phase="", conductor="", actor="", data={}, **values))
        outbox.enqueue(connection, made.inserted_primary_key[0], kind, state)


@pytest.fixture
def request_id(receiver):
    """A request, none of whose events is waiting to be told."""
    made = submit()
    with writing() as connection:
        connection.execute(sa.delete(DELIVERIES))
    tell(made.id, "submit", State.QUEUED, "Requested.")
    return made.id


def rows():
    with reading() as connection:
        return connection.execute(sa.select(DELIVERIES).order_by(DELIVERIES.c.seq)).mappings().all()


def make_due():
    with writing() as connection:
        connection.execute(sa.update(DELIVERIES).values(next_at=0.0))


def verified(headers, body):
    """As the operator guide tells a receiver to do it."""
    signed = headers["X-Tripleo-Ui-Timestamp"].encode() + b"." + body
    expected = "sha256=" + hmac.new(SECRET.encode(), signed, hashlib.sha256).hexdigest()
    fresh = abs(time.time() - int(headers["X-Tripleo-Ui-Timestamp"])) < 300
    return fresh and hmac.compare_digest(expected, headers["X-Tripleo-Ui-Signature"])


def test_the_receiver_can_tell_that_it_was_us_and_that_nothing_was_changed(receiver, request_id):
    assert Deliverer().round() == 1

    ((headers, body),) = receiver.got
    assert verified(headers, body)
    assert not verified(headers, body.replace(b"QUEUED", b"FAILED"))
    assert not verified({**headers, "X-Tripleo-Ui-Timestamp": str(int(time.time()) + 1)}, body)
    notice = json.loads(body)
    assert headers["X-Tripleo-Ui-Id"] == notice["id"] == f"{request_id}:{rows()[0]['event_seq']}"
    assert (notice["state"], notice["title"], notice["request_id"]) == ("QUEUED", "Make lamp", request_id)


def test_after_a_500_it_comes_again_under_the_same_id_before_what_came_later(receiver, request_id):
    tell(request_id, "succeed", State.SUCCEEDED, "Done.")
    receiver.answers = [500]
    assert Deliverer().round() == 0
    assert rows()[0]["error"] == "webhook: post failed: HTTP 500"

    make_due()
    assert Deliverer().round() == 2
    notices = [json.loads(body) for _headers, body in receiver.got]
    assert [notice["state"] for notice in notices] == ["QUEUED", "QUEUED", "SUCCEEDED"]
    assert notices[0] == notices[1]
    assert notices[1]["id"] != notices[2]["id"]


def test_a_redirect_is_no_delivery_and_is_not_followed(receiver, request_id):
    receiver.answers = [307]
    assert Deliverer().round() == 0
    assert "HTTP 307" in rows()[0]["error"]
    assert len(receiver.got) == 1


def test_a_receiver_that_hangs_holds_nobody_for_long(receiver, request_id):
    receiver.hang = 3
    began = time.monotonic()
    assert Deliverer().round() == 0
    assert time.monotonic() - began < 2
    assert "did not answer in time" in rows()[0]["error"]


def test_the_address_is_in_no_error(receiver, request_id):
    receiver.shutdown()
    receiver.server_close()
    assert Deliverer().round() == 0

    assert "no connection" in rows()[0]["error"]
    assert PATH not in rows()[0]["error"]


def test_several_conductors_at_once_post_each_notice_once(receiver, request_id):
    for number in range(20):
        tell(submit(f"lamp {number}").id, "succeed", State.SUCCEEDED, "Done.")
    before = len(rows())
    threads = [threading.Thread(target=Deliverer().round) for _number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)

    ids = [headers["X-Tripleo-Ui-Id"] for headers, _body in receiver.got]
    assert len(ids) == len(set(ids)) == before
