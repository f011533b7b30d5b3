"""Notices: written with their event, told once to each channel, in order, and again until they arrive."""

import threading
import time
from dataclasses import replace

import pytest
import sqlalchemy as sa
from django.core import mail

from tests.orchestration import OPERATOR, database, folder, running, submit, wait_for
from tripleo_ui import config
from tripleo_ui.management.email import Email
from tripleo_ui.orchestration.notify import NotDelivered, chosen, deliver, outbox
from tripleo_ui.orchestration.notify.deliver import MOST_TRIES, Deliverer
from tripleo_ui.orchestration.notify.webhook import Webhook
from tripleo_ui.orchestration.states import State
from tripleo_ui.orchestration.store.engine import reading, writing
from tripleo_ui.orchestration.store.tables import DELIVERIES, EVENTS
from tripleo_ui.services import webhook

__all__ = ["database", "folder"]


class Recorder:
    """A channel that keeps what it is sent; ``failing`` is what it raises."""

    name = "recorder"

    def __init__(self):
        self.notices = []
        self.failing = None

    def send(self, notice):
        if self.failing:
            raise self.failing
        self.notices.append(notice)


@pytest.fixture
def use(database, monkeypatch):
    """Changes settings."""

    def change(**values):
        made = replace(config.settings._values, **values)
        monkeypatch.setitem(config.settings.__dict__, "_values", made)

    return change


@pytest.fixture
def channel(use, monkeypatch):
    made = Recorder()
    use(notify="recorder", notify_events="queued, ended")
    monkeypatch.setattr(chosen, "load", lambda name: made)
    return made


def tell(request, kind="submit", state=State.QUEUED, message="Requested."):
    """Append an event and enqueue it, as a transition does; answers its number."""
    values = {"request_id": request.id, "at": 1e9, "kind": kind, "state": state, "phase": "", "message": message}
    with writing() as connection:
        made = connection.execute(sa.insert(EVENTS).values(conductor="", actor="olga", data={}, **values))
        (seq,) = made.inserted_primary_key
        outbox.enqueue(connection, seq, kind, state)
    return seq


@pytest.fixture
def request_(database):
    """A request whose own events are not told."""
    return submit()


def rows():
    with reading() as connection:
        return connection.execute(sa.select(DELIVERIES).order_by(DELIVERIES.c.seq)).mappings().all()


def make_due():
    with writing() as connection:
        connection.execute(sa.update(DELIVERIES).values(next_at=0.0))


def test_without_channels_nothing_is_noted_down(request_):
    tell(request_)
    assert rows() == []


@pytest.mark.parametrize(
    ("events", "kind", "state", "told"),
    [
        ("ended", "succeed", State.SUCCEEDED, True),
        ("ended", "cancel", State.CANCELLED, True),
        ("ended", "cancel", State.CANCELLING, False),
        ("ended", "revert_fail", State.NEEDS_ATTENTION, False),
        ("ended,needs-attention", "revert_fail", State.NEEDS_ATTENTION, True),
        ("stalled", "stall", State.STALLED, True),
        ("stalled", "note", State.STALLED, False),
        ("failed", "reverted", State.FAILED, True),
        ("failed", "succeed", State.SUCCEEDED, False),
        ("", "succeed", State.SUCCEEDED, False),
    ],
)
def test_the_settings_choose_which_moves_are_told(use, events, kind, state, told):
    use(notify_events=events)
    assert chosen.wanted(kind, state) is told


def test_a_notice_goes_to_every_channel_once_and_says_what_happened(request_, use, monkeypatch):
    made = {"one": Recorder(), "two": Recorder()}
    use(notify="one, two, one", notify_events="queued")
    monkeypatch.setattr(chosen, "load", made.get)
    seq = tell(request_)

    assert Deliverer().round() == 2
    assert Deliverer().round() == 0
    for recorder in made.values():
        (notice,) = recorder.notices
        assert notice.as_dict() == {
            "id": f"{request_.id}:{seq}",
            "at": "2001-09-09T01:46:40+00:00",
            "kind": "submit",
            "state": "QUEUED",
            "phase": "",
            "message": "Requested.",
            "actor": "olga",
            "request_id": request_.id,
            "workflow": "test.files",
            "title": "Make lamp",
            "user_name": OPERATOR.user_name,
            "project_id": OPERATOR.project_id,
            "project_name": OPERATOR.project_name,
            "region": "RegionOne",
        }
    assert {(row["open"], row["tries"]) for row in rows()} == {(False, 1)}


def test_an_event_that_is_taken_back_tells_nobody(request_, channel):
    def half_done():
        with writing() as connection:
            outbox.enqueue(connection, 1, "submit", State.QUEUED)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        half_done()
    assert rows() == []


def test_what_failed_waits_longer_each_time_and_keeps_its_last_error(request_, channel):
    tell(request_)
    channel.failing = NotDelivered("HTTP 500, X-Auth-Token: s3cret")
    assert Deliverer().round() == 0

    (row,) = rows()
    assert (row["open"], row["tries"]) == (True, 1)
    assert row["error"] == "HTTP 500, X-Auth-Token: ********"
    assert Deliverer().round() == 0, "it is not due yet"
    assert rows()[0]["tries"] == 1

    channel.failing = None
    make_due()
    assert Deliverer().round() == 1
    assert (rows()[0]["open"], rows()[0]["tries"], rows()[0]["error"]) == (False, 2, "")


def test_pauses_double_up_to_an_hour():
    pauses = [deliver.pause(tries) for tries in range(1, MOST_TRIES)]
    assert pauses[:4] == [5, 10, 20, 40]
    assert pauses[-1] == 3600
    assert 2 * 3600 < sum(pauses) < 3 * 3600


def test_after_the_last_try_it_is_given_up_with_its_error(request_, channel):
    tell(request_)
    channel.failing = RuntimeError("a bug")
    for _try in range(MOST_TRIES + 2):
        make_due()
        Deliverer().round()

    (row,) = rows()
    assert (row["open"], row["tries"], row["error"]) == (False, MOST_TRIES, "RuntimeError: a bug")


def test_a_later_event_of_a_request_waits_for_those_before_and_others_do_not(request_, channel):
    other = submit("other")
    with writing() as connection:
        connection.execute(sa.delete(DELIVERIES))
    tell(request_, message="first")
    channel.failing = NotDelivered("away")
    Deliverer().round()
    channel.failing = None
    tell(request_, "succeed", State.SUCCEEDED, "second")
    tell(other, message="of another")

    Deliverer().round()
    assert [notice.message for notice in channel.notices] == ["of another"]
    make_due()
    Deliverer().round()
    assert [notice.message for notice in channel.notices] == ["of another", "first", "second"]


def test_many_conductors_send_each_notice_once(request_, channel):
    for number in range(30):
        tell(request_, message=str(number))
    threads = [threading.Thread(target=Deliverer().round) for _number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)

    assert sorted(int(notice.message) for notice in channel.notices) == list(range(30))


def test_a_delivery_that_a_dead_conductor_held_is_tried_again(request_, channel, monkeypatch):
    tell(request_)
    channel.failing = KeyboardInterrupt()
    with pytest.raises(KeyboardInterrupt):
        Deliverer().round()
    channel.failing = None
    assert Deliverer().round() == 0, "it is held"
    make_due()
    assert Deliverer().round() == 1


def test_a_round_begins_nothing_new_after_its_time(request_, channel, monkeypatch):
    tell(request_)
    monkeypatch.setattr(deliver, "ROUND_SECONDS", 0)
    assert Deliverer().round() == 0


def test_a_channel_that_nobody_installed_is_said_to_be_missing(use, request_):
    use(notify="pigeon", notify_events="queued,finish")
    tell(request_)
    Deliverer().round()

    assert rows()[0]["error"] == "no installed package has a channel of that name"
    assert chosen.problems() == [
        "NOTIFY names pigeon: no installed package has a channel of that name.",
        "NOTIFY_EVENTS names finish, which is no state.",
    ]


def test_the_stock_channels_are_found_and_say_which_settings_they_miss(use):
    use(notify="webhook,email")
    assert chosen.problems() == [
        "WEBHOOK_URL must be https, or http on loopback.",
        "WEBHOOK_SECRET is not set.",
        "NOTIFY_EMAIL_TO has no address.",
    ]
    use(webhook_url="https://hooks.example.com/x", webhook_secret="s", notify_email_to="ops@example.com")
    assert chosen.problems() == []
    assert isinstance(chosen.load("webhook"), Webhook)


@pytest.mark.parametrize(
    ("url", "may"),
    [
        ("https://hooks.example.com/a", True),
        ("http://127.0.0.1:9000/", True),
        ("http://localhost/", True),
        ("http://[::1]:80/", True),
        ("http://hooks.example.com/", False),
        ("http://127.0.0.1.example.com/", False),
        ("http://10.0.0.1/", False),
        ("ftp://127.0.0.1/", False),
        ("https://", False),
        ("http://[::1", False),
        ("", False),
    ],
)
def test_a_webhook_leaves_the_machine_only_encrypted(url, may):
    assert webhook.may_post_to(url) is may


def test_mail_says_what_happened_under_a_stable_id(use, request_):
    use(notify="email", notify_events="ended", notify_email_to="ops@example.com, olga@example.com")
    seq = tell(request_, "reverted", State.FAILED, "No valid host.")
    Deliverer().round()

    (message,) = mail.outbox
    assert message.to == ["ops@example.com", "olga@example.com"]
    assert message.subject == "Make lamp: failed"
    assert "No valid host." in message.body
    assert request_.id in message.body
    assert message.extra_headers["Message-ID"] == f"<{request_.id}.{seq}@tripleo-ui>"


def test_a_title_with_line_breaks_adds_no_header(use, database):
    use(notify="email", notify_events="ended", notify_email_to="ops@example.com")
    tell(submit(title="x\r\nBcc: all@example.com"), "succeed", State.SUCCEEDED)
    Deliverer().round()

    assert mail.outbox[-1].subject == "x Bcc: all@example.com: succeeded"
    assert mail.outbox[-1].bcc == []


def test_a_mail_server_that_is_away_is_tried_again(use, request_, settings):
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
    use(notify="email", notify_events="queued", notify_email_to="ops@example.com")
    tell(request_)
    Deliverer().round()

    assert rows()[0]["open"]
    assert rows()[0]["error"] == "the mail server did not take it (ConnectionRefusedError)"
    assert isinstance(chosen.load("email"), Email)


def test_a_request_that_ends_is_told_by_the_conductor_that_ended_it(use, folder, channel):
    use(notify_events="queued,ended")
    request = submit()
    with running(folder):
        wait_for(request, State.SUCCEEDED)
        until = time.monotonic() + 10
        while len(channel.notices) < 2 and time.monotonic() < until:
            time.sleep(0.05)

    assert [(notice.kind, notice.state, notice.actor) for notice in channel.notices] == [
        ("submit", "QUEUED", "olga"),
        ("succeed", "SUCCEEDED", ""),
    ]
