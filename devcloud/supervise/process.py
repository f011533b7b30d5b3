"""Processes by identity: a pid with its start time, so that a reused pid is never taken for one of ours."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
import typing
from collections.abc import Iterable
from pathlib import Path

import psutil

from devcloud.layout import HOST, PORTS, REPOSITORY, Layout
from devcloud.probe import STARTED

_PROXIES = ("http_proxy", "https_proxy", "all_proxy", "no_proxy")
# Credentials of another cloud, and settings of another Django: those of tests name a new database in each process.
_FOREIGN = ("OS_", "DJANGO_")


class Identity(typing.NamedTuple):
    """A process, also after its pid was given to another one.

    Attributes:
        pid: its number.
        started: its start in clock ticks since boot, field 22 of ``/proc/<pid>/stat``.
        boot: the kernel's id of this boot.
    """

    pid: int
    started: int
    boot: str

    @classmethod
    def of(cls, pid: int) -> "Identity":
        """Identify a running process.

        Raises:
            ProcessLookupError: there is none.
        """
        ticks = _start_ticks(pid)
        if ticks is None:
            raise ProcessLookupError(pid)
        return cls(pid, ticks, _boot_id())

    def alive(self) -> bool:
        """Whether this very process still runs."""
        return self.boot == _boot_id() and _start_ticks(self.pid) == self.started


def _start_ticks(pid: int) -> int | None:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return None
    # The name in parentheses may hold spaces: count from behind it.
    fields = stat.rpartition(")")[2].split()
    return None if fields[0] == "Z" else int(fields[19])


def _boot_id() -> str:
    return Path("/proc/sys/kernel/random/boot_id").read_text().strip()


def environment(layout: Layout, shims: bool) -> dict[str, str]:
    """Return the environment of a child: the caller's, less what would lead it elsewhere."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(_FOREIGN) and name.lower() not in _PROXIES and name != "PYTHONPATH"
    }
    path = [str(layout.path)] if shims else []
    return {
        **kept,
        **layout.environment(),
        "CEILOMETER_CONF": str(layout.etc / "ceilometer" / "ceilometer.conf"),
        "HOME": str(layout.root / "home"),
        "KUBECONFIG": str(layout.kubeconfig),
        "LANG": "C.UTF-8",
        "NO_PROXY": f"{HOST},localhost",
        "OS_CLIENT_CONFIG_FILE": str(layout.clouds_yaml),
        "PATH": f"{Path(sys.executable).parent}:{kept.get('PATH', '')}",
        "PYTHONPATH": ":".join([*path, str(REPOSITORY)]),
        "PYTHONUNBUFFERED": "1",
        "PYTHONWARNINGS": "ignore",
        "no_proxy": f"{HOST},localhost",
    }


def spawn(layout: Layout, name: str, argv: list[str], shims: bool) -> subprocess.Popen[bytes]:
    """Start a child in a process group of its own that dies with this process; its output goes to its log.

    Call it from the main thread only: the kernel's promise is tied to the thread that started the child.
    """
    wrapper = [sys.executable, "-I", "-S", str(Path(__file__).with_name("child.py")), str(os.getpid())]
    with (layout.log / f"{name}.log").open("ab") as log:
        log.write(f"{STARTED}{time.strftime('%Y-%m-%d %H:%M:%S')} ---\n".encode())
        log.flush()
        return subprocess.Popen(  # noqa: S603
            [*wrapper, *argv],
            cwd=REPOSITORY,
            env=environment(layout, shims),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )


def signal_group(identity: Identity, number: signal.Signals) -> None:
    """Send a signal to the process group that the process leads, if it is still that process."""
    if identity.alive():
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(identity.pid, number)


def stop(processes: Iterable[Identity], patience: float = 8.0) -> None:
    """Ask process groups to end, wait ``patience`` seconds together, then kill what is left."""
    left = list(processes)
    for identity in left:
        signal_group(identity, signal.SIGTERM)
    deadline = time.monotonic() + patience
    while (left := [identity for identity in left if identity.alive()]) and time.monotonic() < deadline:
        time.sleep(0.05)
    for identity in left:
        signal_group(identity, signal.SIGKILL)
    while any(identity.alive() for identity in left) and time.monotonic() < deadline + 5:
        time.sleep(0.05)


class PortTakenError(Exception):
    """Another process listens where a service of ours should."""


def check_ports(layout: Layout, names: Iterable[str]) -> None:
    """Make sure that the ports are free.

    Raises:
        PortTakenError: one is not; names the port and, where it can be known, the process.
    """
    for name in sorted(names, key=PORTS.index):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((HOST, layout.port(name)))
            except OSError as error:
                raise PortTakenError(
                    f"port {layout.port(name)}, meant for {name}, is taken by {_owner(layout.port(name))}: "
                    "stop it, or choose other ports with DEVCLOUD_BASE_PORT"
                ) from error


def _owner(port: int) -> str:
    with contextlib.suppress(psutil.Error):
        for connection in psutil.net_connections("tcp"):
            if connection.laddr and connection.laddr.port == port and connection.pid:
                command = " ".join(psutil.Process(connection.pid).cmdline())
                return f"process {connection.pid} ({command[:80]})"
    return "a process of another user"
