"""What ``manage.py conductor`` says of itself: healthy or why not, metrics, and a log with the request in each line."""

import io
import json
import logging
import socket
import urllib.request
from dataclasses import replace

import pytest
import sqlalchemy as sa
from django.core.management import CommandError, call_command

from tests.orchestration import database, folder, submit
from tripleo_ui import config
from tripleo_ui.management.commands import conductor as command
from tripleo_ui.orchestration import logs
from tripleo_ui.orchestration.store.engine import writing
from tripleo_ui.orchestration.store.tables import JOBS

__all__ = ["database", "folder"]


def check():
    out = io.StringIO()
    code = 0
    try:
        call_command("conductor", "--check", stdout=out)
    except SystemExit as ended:
        code = ended.code
    return code, out.getvalue().strip()


def test_check_answers_0_when_healthy_and_1_with_the_reason_when_the_oldest_is_stuck(database):
    assert check() == (0, "healthy")
    submit()
    with writing() as connection:
        connection.execute(sa.update(JOBS).values(posted_at=JOBS.c.posted_at - 1000))
    assert check() == (1, "1 request waits, the oldest for 1000 seconds, and no conductor takes it.")


def test_metrics_are_served_on_loopback_while_the_conductor_runs(database):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    url = f"http://127.0.0.1:{port}/metrics"
    with command.serving("127.0.0.1", port):
        text = urllib.request.urlopen(url, timeout=5).read().decode()
        with pytest.raises(CommandError, match="cannot be served"), command.serving("127.0.0.1", port):
            pass
    assert "tripleo_ui_queue_requests 0.0" in text
    assert "process_cpu_seconds_total" in text
    with pytest.raises(OSError, match="refused"):
        urllib.request.urlopen(url, timeout=5)


def test_each_line_about_a_request_has_its_id_and_none_has_a_secret(database, folder, monkeypatch):
    password = "the service users password"
    made = replace(config.settings._values, auth_url="http://127.0.0.1:1/v3", service_password=password)
    monkeypatch.setitem(config.settings.__dict__, "_values", made)
    monkeypatch.setattr(command, "cloud_of", lambda _request: folder)
    monkeypatch.setattr(command.signal, "signal", lambda *_handler: None)
    stream, configure, handlers = io.StringIO(), logs.configure, []
    monkeypatch.setattr(logs, "configure", lambda form, level: handlers.append(configure(form, level, stream)))
    (folder.path / "three.fail").touch()
    requests = [submit(name, trust_id="a-trust") for name in ("one", "two")]
    try:
        call_command("conductor", "--once", "--log-format", "json", "--verbosity", "2", stdout=io.StringIO())
    finally:
        logging.getLogger().removeHandler(handlers[0])

    lines = [json.loads(line) for line in stream.getvalue().splitlines()]
    about = {request.id: [line for line in lines if line["request_id"] == request.id] for request in requests}
    assert all(about.values())
    for request in requests:
        of_it = [line for line in lines if request.id in json.dumps(line)]
        assert of_it == about[request.id], "a line that names a request belongs to it"
        assert "" not in {line["conductor"] for line in of_it}
    assert password not in stream.getvalue()
