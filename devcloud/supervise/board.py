"""The status board: a file that the supervisor writes and every command reads."""

import json
import time
import typing
from pathlib import Path

import psutil

from devcloud.layout import Layout
from devcloud.supervise.process import Identity

STOPPED = {"phase": "stopped", "services": {}, "jobs": {}, "processes": [], "error": ""}


def path(layout: Layout) -> Path:
    """Return the board's file."""
    return layout.run / "board.json"


def write(layout: Layout, content: dict[str, typing.Any]) -> None:
    """Replace the board in one step, so that no reader sees half of it."""
    draft = path(layout).with_suffix(".new")
    draft.write_text(json.dumps(content))
    draft.replace(path(layout))


def read(layout: Layout) -> dict[str, typing.Any]:
    """Return what was written last, or an empty board."""
    try:
        return json.loads(path(layout).read_text())
    except (OSError, ValueError):
        return dict(STOPPED)


def supervisor(content: dict[str, typing.Any]) -> Identity | None:
    """Return the supervisor's identity if it runs."""
    entry = content.get("supervisor")
    identity = Identity(*entry) if entry else None
    return identity if identity and identity.alive() else None


def processes(content: dict[str, typing.Any]) -> list[Identity]:
    """Return every child that the supervisor had on the board."""
    return [Identity(*entry) for entry in content.get("processes", ())]


def status(layout: Layout) -> dict[str, typing.Any]:
    """Return the board for people: services with state, pid, URL, uptime in seconds and memory in MiB.

    A board whose supervisor is gone says what is true then: everything is stopped.
    """
    content = read(layout)
    alive = supervisor(content) is not None
    phase = content["phase"] if alive or content["phase"] == "failed" else "stopped"
    services = {name: _service(entry, alive) for name, entry in content["services"].items()}
    return {
        "phase": phase,
        "healthy": alive and phase == "up" and all(s["state"] == "healthy" for s in services.values()),
        "base_port": layout.base_port,
        "directory": str(layout.root),
        "error": content["error"],
        "services": services,
    }


def _service(entry: dict[str, typing.Any], alive: bool) -> dict[str, typing.Any]:
    shown = {name: entry[name] for name in ("state", "pid", "url", "restarts", "reason")}
    if not alive:
        return {**shown, "state": "stopped", "pid": None, "uptime_s": 0, "rss_mib": 0}
    uptime = time.time() - entry["started_at"] if entry["pid"] else 0
    return {**shown, "uptime_s": round(uptime, 1), "rss_mib": _memory(entry["pid"])}


def _memory(pid: int | None) -> int:
    try:
        return psutil.Process(pid).memory_info().rss // 2**20 if pid else 0
    except psutil.Error:
        return 0
