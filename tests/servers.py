"""A real PostgreSQL and a real Redis of the tests' own: on loopback, with free ports, in folders that go at the end.

Every test may use the fixtures:

* ``postgresql_database``: the SQLAlchemy URL of an empty database, a new one for each test;
* ``postgresql_url``: the URL of the server's own database, where databases are made;
* ``redis_url``: a Redis that all tests of a run share, so keys need names of a test's own.
"""

import contextlib
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import uuid
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

_SECONDS = 60.0
# Nothing of this is to survive a power failure.
_FAST = ("fsync=off", "synchronous_commit=off", "full_page_writes=off", "shared_buffers=32MB", "max_connections=200")


@pytest.fixture(scope="session")
def postgresql_url() -> Iterator[str]:
    """The URL of a PostgreSQL's own database, as its superuser."""
    with postgresql() as url:
        yield url


@contextlib.contextmanager
def postgresql() -> Iterator[str]:
    """Run a PostgreSQL; gives the URL of its own database, as its superuser."""
    initdb, postgres = (_program(name, _debian_folders()) for name in ("initdb", "postgres"))
    with _folder("postgresql") as folder:
        user = _user_of(folder)
        data, port = folder / "data", _free_port()
        url = f"postgresql+psycopg://postgres@127.0.0.1:{port}/postgres"
        make = [initdb, "-D", data, "-U", "postgres", "--auth=trust", "--no-sync", "--encoding=UTF8", "--locale=C"]
        subprocess.run(["setpriv", *user, *make], cwd=folder, check=True, capture_output=True, timeout=_SECONDS)
        options = [part for option in _FAST for part in ("-c", option)]
        # No socket file: only the port.
        serve = [postgres, "-D", data, "-h", "127.0.0.1", "-p", str(port), "-k", "", *options]
        # SIGINT ends it although clients are connected.
        with _running(serve, folder, lambda: _selects(url), signal.SIGINT, user):
            yield url


@pytest.fixture
def postgresql_database(postgresql_url: str) -> Iterator[str]:
    """The URL of an empty database that goes at the end."""
    with database_of(postgresql_url) as url:
        yield url


@contextlib.contextmanager
def database_of(postgresql_url: str, template: str = "template0") -> Iterator[str]:
    """Make a database, empty or as the named one is, which goes at the end, whoever is connected; gives its URL."""
    name = f"test_{uuid.uuid4().hex}"
    _execute(postgresql_url, f"CREATE DATABASE {name} TEMPLATE {template}")
    yield sa.make_url(postgresql_url).set(database=name).render_as_string(hide_password=False)
    _execute(postgresql_url, f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture(scope="session")
def redis_url() -> Iterator[str]:
    """The URL of a Redis that keeps nothing."""
    with redis() as url:
        yield url


@contextlib.contextmanager
def redis(port: int = 0) -> Iterator[str]:
    """Run a Redis, at a port of its own or at the given one, that forgets everything at its end; gives its URL."""
    program, port = _program("redis-server"), port or _free_port()
    with _folder("redis") as folder:
        serve = [program, "--bind", "127.0.0.1", "--port", str(port), "--dir", folder, "--save", ""]
        with _running(serve, folder, lambda: _pongs(port), signal.SIGTERM):
            yield f"redis://127.0.0.1:{port}/0"


def _debian_folders() -> list[Path]:
    """Where Debian puts PostgreSQL's programs, the newest version first."""
    return sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: float(path.parent.name), reverse=True)


def _program(name: str, folders: list[Path] | None = None) -> str:
    """The path of a program, or the end of the test."""
    path = os.pathsep.join([*map(str, folders or ()), os.environ.get("PATH", os.defpath)])
    found = shutil.which(name, path=path)
    if not found:
        pytest.skip(f"there is no {name}: `make system-packages` installs it")
    return found


@contextlib.contextmanager
def _folder(name: str) -> Iterator[Path]:
    """A folder for a server; not below pytest's own, which only the one who runs the tests may enter."""
    with tempfile.TemporaryDirectory(prefix=f"tripleo-ui-{name}-", ignore_cleanup_errors=True) as folder:
        yield Path(folder)


def _user_of(folder: Path) -> list[str]:
    """Who is to run PostgreSQL, as options of ``setpriv``: it refuses to be root. The folder becomes that user's."""
    if os.getuid():
        return ["--no-new-privs"]
    try:
        user = pwd.getpwnam("postgres")
    except KeyError:
        pytest.skip("PostgreSQL does not run as root, and there is no user postgres")
    os.chown(folder, user.pw_uid, user.pw_gid)
    return [f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups"]


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextlib.contextmanager
def _running(
    command: list[str | Path],
    folder: Path,
    ready: Callable[[], bool],
    end: signal.Signals,
    user: Iterable[str] = (),
) -> Iterator[None]:
    """Run a server that dies with this process at the latest, from when it is ready to the end of the block."""
    log = folder / "log"
    with log.open("wb") as output:
        server = subprocess.Popen(
            ["setpriv", "--pdeathsig=KILL", *user, *command],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
        )
    try:
        deadline = time.monotonic() + _SECONDS
        while not ready():
            if server.poll() is not None or time.monotonic() > deadline:
                pytest.fail(f"{command} is not ready:\n{log.read_text(errors='replace')[-2000:]}")
            time.sleep(0.05)
        yield
    finally:
        server.send_signal(end)
        try:
            server.wait(10)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


def _execute(url: str, statement: str) -> None:
    engine = sa.create_engine(url, isolation_level="AUTOCOMMIT", poolclass=sa.NullPool)
    with engine.connect() as connection:
        connection.exec_driver_sql(statement)


def _selects(url: str) -> bool:
    try:
        _execute(url, "SELECT 1")
    except sa.exc.OperationalError:
        return False
    return True


def _pongs(port: int) -> bool:
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=1) as connection:
            connection.sendall(b"PING\r\n")
            return connection.recv(16) == b"+PONG\r\n"
    except OSError:
        return False
