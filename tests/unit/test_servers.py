"""The tests' own PostgreSQL and Redis: real, fresh and gone afterwards."""

import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import psutil
import pytest
import redis
import sqlalchemy as sa

from devcloud.layout import REPOSITORY
from tests import servers
from tests.cloud import wait_until

USES_BOTH = """
import pathlib, time
def test_it(postgresql_database, redis_url):
    urls = pathlib.Path("{urls}")
    urls.with_suffix(".new").write_text(postgresql_database + " " + redis_url)
    urls.with_suffix(".new").rename(urls)
    while not pathlib.Path("{go}").exists():
        time.sleep(0.05)
"""


@pytest.mark.parametrize("time", ["first", "second"])
def test_each_test_has_a_database_without_tables(postgresql_database, time):
    engine = sa.create_engine(postgresql_database)
    with engine.begin() as connection:
        assert sa.inspect(connection).get_table_names() == []
        connection.exec_driver_sql("CREATE TABLE things (name text)")
    # Left connected: the database goes nevertheless.
    assert engine.connect().dialect.name == "postgresql"


def test_the_databases_of_earlier_tests_are_gone(postgresql_url):
    with sa.create_engine(postgresql_url).connect() as connection:
        names = connection.exec_driver_sql("SELECT datname FROM pg_database WHERE datname LIKE 'test_%%'").all()
    assert names == []


def test_redis_answers(redis_url):
    client = redis.Redis.from_url(redis_url, socket_timeout=5)
    client.set("tests:servers", "here", ex=5)
    assert client.get("tests:servers") == b"here"


@pytest.fixture
def folder():
    """Where another pytest may put its servers' folders: PostgreSQL's user must get there."""
    with tempfile.TemporaryDirectory(prefix="tripleo-ui-tests-") as made:
        Path(made).chmod(0o755)
        yield Path(made)


@pytest.mark.parametrize(
    ("ending", "code"),
    [(None, pytest.ExitCode.OK), (signal.SIGTERM, pytest.ExitCode.INTERRUPTED), (signal.SIGKILL, -signal.SIGKILL)],
)
def test_no_server_outlives_the_tests(tmp_path, folder, ending, code):
    test, urls, go = (tmp_path / name for name in ("test_it.py", "urls", "go"))
    test.write_text(USES_BOTH.format(urls=urls, go=go))
    (tmp_path / "conftest.py").write_text("from tests.conftest import *\nfrom tests.conftest import pytest_configure")
    other = subprocess.Popen(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", REPOSITORY / "setup.cfg", test],
        cwd=REPOSITORY,
        env={**os.environ, "TMPDIR": str(folder)},
    )
    wait_until(urls.exists, "the servers run", seconds=60)
    ports = {sa.make_url(url).port for url in urls.read_text().split()}
    assert _listening(ports) == ports
    if ending:
        other.send_signal(ending)
    else:
        go.touch()
    assert other.wait(60) == code
    wait_until(lambda: not _listening(ports), "the servers are gone", seconds=15)
    # Killed, it cannot tidy up.
    assert ending == signal.SIGKILL or not list(folder.glob("tripleo-ui-*"))


def _listening(ports):
    connections = psutil.net_connections("tcp")
    return {c.laddr.port for c in connections if c.status == psutil.CONN_LISTEN} & ports


def test_a_program_that_is_not_there_skips_with_its_name():
    with pytest.raises(pytest.skip.Exception, match="there is no such-server"):
        servers._program("such-server")
