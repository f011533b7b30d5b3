"""Which board is used; what databases are told about time; a database that fails on the way."""

import dataclasses
import sys

import pytest
import sqlalchemy as sa
from django.core.management import CommandError, call_command
from sqlalchemy.engine import make_url
from taskflow import exceptions as taskflow_errors

from tests.orchestration import database, folder, running, submit, wait_for  # noqa: F401
from tests.workflow import PHASES
from tripleo_ui import config
from tripleo_ui.orchestration import api, boards, context, persistence
from tripleo_ui.orchestration.api import State
from tripleo_ui.orchestration.boards.sql import SqlBoard
from tripleo_ui.orchestration.store import engine, schema


@pytest.fixture
def board_url(monkeypatch):
    return lambda url: monkeypatch.setitem(
        config.settings.__dict__, "_values", config.Settings(board_url=url, database_url="sqlite://")
    )


def test_database_is_the_board_where_none_is_set(board_url):
    board_url("")
    assert isinstance(boards.configured(), SqlBoard)


def test_board_that_is_no_redis_is_refused_without_its_password(board_url):
    board_url("http://:open-sesame@board:6379/0")
    with pytest.raises(boards.BoardError, match="no URL of a Redis") as refused:
        boards.configured()
    assert "sesame" not in str(refused.value)


def test_missing_client_of_redis_names_what_to_install(board_url, monkeypatch):
    board_url("redis://board:6379/0")
    for name in [name for name in sys.modules if name.startswith("tripleo_ui.orchestration.boards.redis")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "redis", None)
    with pytest.raises(boards.BoardError, match=r"tripleo-ui\[redis\]"):
        boards.configured()


def test_board_in_redis_needs_none_until_it_is_used(board_url):
    board_url("redis://127.0.0.1:1/0?namespace=tests")
    board = boards.configured()
    board.close()


def test_options_of_an_operator_come_before_ours():
    url = "postgresql+psycopg://u@h/d?connect_timeout=60"
    assert "connect_timeout" in engine._patience(make_url("postgresql+psycopg://u@h/d"))
    assert engine._options(make_url(url))["keepalives_count"] == 3
    assert "connect_timeout" not in engine._options(make_url(url))


def test_version_of_the_tables_is_taken_over_from_alembics_usual_table(database):  # noqa: F811
    with engine.writing() as connection:
        connection.exec_driver_sql(f"ALTER TABLE {schema.VERSION_TABLE} RENAME TO alembic_version")
    with pytest.raises(schema.SchemaError):
        schema.check()
    schema.upgrade()
    schema.check()


@pytest.mark.parametrize("method", ["update_atom_details", "update_flow_details"])
def test_flow_whose_records_cannot_be_written_goes_on_and_is_no_success_before(database, folder, monkeypatch, method):  # noqa: F811
    request = submit()
    written = getattr(persistence._Connection, method)
    calls = []

    def fails_a_while(self, *arguments):
        calls.append(arguments)
        if 2 <= len(calls) <= 4:
            raise taskflow_errors.StorageFailure("the disk is full")
        return written(self, *arguments)

    monkeypatch.setattr(persistence._Connection, method, fails_a_while)
    with running(folder):
        wait_for(request, State.SUCCEEDED)
    assert folder.made(request.id) == sorted(PHASES)
    assert "takeover" in [event.kind for event in api.events(request.id, "p1")]


def test_database_that_is_away_during_a_step_fails_nothing(database, folder, monkeypatch):  # noqa: F811
    request = submit()
    writing, calls = engine.writing, []

    def fails_now_and_then():
        calls.append(True)
        if len(calls) % 7 == 0:
            raise sa.exc.OperationalError("SELECT 1", {}, Exception("the database is away"))
        return writing()

    monkeypatch.setattr(context, "writing", fails_now_and_then)
    with running(folder):
        done = wait_for(request, State.SUCCEEDED)
    assert done.error is None
    assert folder.made(request.id) == sorted(PHASES)
    assert "takeover" in [event.kind for event in api.events(request.id, "p1")]


def test_conductor_with_a_board_that_cannot_be_says_so_and_ends(database, monkeypatch):  # noqa: F811
    wrong = dataclasses.replace(config.settings._values, board_url="nowhere", auth_url="http://k", service_password="p")
    monkeypatch.setitem(config.settings.__dict__, "_values", wrong)
    with pytest.raises(CommandError, match="no URL of a Redis"):
        call_command("conductor")
