"""The audit log as it leaves: complete, in order, to go on with, and without secrets."""

import io
import json
import stat
from datetime import UTC, datetime, timedelta

import pytest
import sqlalchemy as sa
from django.core.management import CommandError, call_command

from tests.orchestration import OPERATOR, OTHER, database, folder, running, submit, wait_for
from tripleo_ui.orchestration import api, audit
from tripleo_ui.orchestration.states import State
from tripleo_ui.orchestration.store.engine import reading, writing
from tripleo_ui.orchestration.store.tables import EVENTS, REQUESTS

__all__ = ["database", "folder"]

FROM_OFFICE = api.Requester(**{**vars(OPERATOR), "source": "dashboard 10.1.2.3"})


def export(*arguments):
    """The lines that the command writes, and what it says on standard error."""
    out, err = io.StringIO(), io.StringIO()
    call_command("requests_export", *arguments, stdout=out, stderr=err)
    return [json.loads(line) for line in out.getvalue().splitlines()], err.getvalue().strip()


def test_a_line_says_who_when_from_where_what_changed_and_which_conductor(database, folder):
    request = submit(requester=FROM_OFFICE)
    with running(folder, "conductor-7"):
        wait_for(request, State.SUCCEEDED)

    lines, said = export()
    assert all(tuple(line) == audit.FIELDS for line in lines)
    assert [line["seq"] for line in lines] == sorted({line["seq"] for line in lines})
    first, started = lines[0], next(line for line in lines if line["kind"] == "start")
    assert (first["kind"], first["state"], first["actor"], first["source"], first["conductor"]) == (
        "submit",
        "QUEUED",
        "olga",
        "dashboard 10.1.2.3",
        "",
    )
    assert (first["request_id"], first["title"], first["project_name"]) == (request.id, "Make lamp", "ops")
    assert first["at"].endswith("Z")
    assert abs(datetime.now(UTC) - datetime.fromisoformat(first["at"])) < timedelta(minutes=1)
    assert (started["actor"], started["conductor"]) == ("", "conductor-7")
    assert (started["data"]["from"], started["data"]["to"]) == ("QUEUED", "RUNNING")
    assert said == f"{len(lines)} events; go on with --after {lines[-1]['seq']}"


def test_one_export_goes_on_where_the_last_one_ended(database, tmp_path):
    file = tmp_path / "audit.jsonl"
    submit("one")
    _lines, said = export("-o", str(file))
    api.cancel(submit("two").id, OPERATOR)
    export("--after", said.split()[-1], "-o", str(file))

    lines = [json.loads(line) for line in file.read_text().splitlines()]
    assert [(line["title"], line["kind"]) for line in lines] == [
        ("Make one", "submit"),
        ("Make two", "submit"),
        ("Make two", "cancel"),
    ]
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_filters(database):
    mine, other = submit("mine"), submit("other", OTHER)
    with writing() as connection:
        long_ago = datetime(2026, 1, 31, 12, tzinfo=UTC).timestamp()
        connection.execute(sa.update(EVENTS).where(EVENTS.c.request_id == other.id).values(at=long_ago))

    def found(*arguments):
        return [line["request_id"] for line in export(*arguments)[0]]

    assert found() == [mine.id, other.id]
    assert found("--project", "p2") == [other.id]
    assert found("--request", mine.id) == [mine.id]
    assert found("--since", "2026-02-01") == [mine.id]
    assert found("--since", "2026-01-31T12:00") == [mine.id, other.id]
    assert found("--until", "2026-01-31T12:00:00+00:00") == []
    assert found("--until", "2026-01-31T13:00:01+01:00") == [other.id]


def test_any_number_of_events_is_read_in_batches(database, monkeypatch):
    monkeypatch.setattr(audit, "BATCH", 3)
    for number in range(10):
        submit(str(number))
    assert [line["title"] for line in audit.export()] == [f"Make {number}" for number in range(10)]


def test_what_an_older_version_let_in_stays_in(database):
    submit()
    with writing() as connection:
        connection.execute(sa.update(EVENTS).values(message="password=s3cret", data={"token": "s3cret"}))
    (line,) = audit.export()
    assert (line["message"], line["data"]) == ("password=********", {"token": "********"})


@pytest.mark.parametrize(
    ("arguments", "told"),
    [(["--since", "yesterday"], "no time such as"), (["-o", "/no/such/folder/file"], "cannot be written")],
)
def test_what_cannot_be_done_is_said(database, arguments, told):
    with pytest.raises(CommandError, match=told):
        export(*arguments)


def test_purge_deletes_what_ended_long_ago_and_nothing_else(database):
    old, young, waiting = submit("old"), submit("young"), submit("waiting")
    for request in (old, young):
        api.cancel(request.id, OPERATOR)
    with writing() as connection:
        ended = sa.update(REQUESTS).where(REQUESTS.c.id == old.id)
        connection.execute(ended.values(finished_at=REQUESTS.c.finished_at - 11 * 86400))

    def purge(*arguments):
        out = io.StringIO()
        call_command("requests_purge", *arguments, stdout=out)
        with reading() as connection:
            return out.getvalue().strip(), set(connection.execute(sa.select(REQUESTS.c.id)).scalars())

    assert purge() == ("0 requests deleted", {old.id, young.id, waiting.id})
    assert purge("--older-than", "10") == ("1 requests deleted", {young.id, waiting.id})
    assert purge("--older-than", "0") == ("1 requests deleted", {waiting.id})


@pytest.mark.parametrize("days", ["-1", "nan", "a week"])
def test_purge_wants_days(database, days):
    with pytest.raises(CommandError, match="no number of days"):
        call_command("requests_purge", f"--older-than={days}")
