"""The golden state: databases and seed made once, kept by a key of everything that they follow from."""

import configparser
import hashlib
import importlib.metadata
import re
import shutil
import sqlite3
import sys
from collections.abc import Iterator
from pathlib import Path

from devcloud.layout import REPOSITORY, Layout

# What a state follows from, apart from versions, ports and paths.
_SOURCES = (
    "templates",
    "seed",
    "hardware",
    "telemetry/history.py",
    "schema.py",
    "layout.py",
    "render.py",
    "shims/sqlite.py",
    "shims/gnocchi_sqlite.py",
)
# Its own migrations make the database, which is no part of the undercloud, and clusters furnish themselves.
_EXCLUDED = ("tripleo_ui.sqlite*", "clusters", ".key")
_KEPT = 3


def key(layout: Layout) -> str:
    """Return what names a golden state: a hash of versions, folder, ports, choice of services, and sources."""
    digest = hashlib.sha256()
    facts = [sys.version, str(layout.state), str(layout.base_port), str(layout.only), sys.prefix]
    for line in (*facts, *_versions()):
        digest.update(line.encode() + b"\0")
    package = REPOSITORY / "devcloud"
    for name in _SOURCES:
        for file in _files(package / name):
            digest.update(str(file.relative_to(package)).encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()[:16]


def _versions() -> Iterator[str]:
    config = configparser.ConfigParser()
    config.read(REPOSITORY / "setup.cfg")
    wanted = config["options.extras_require"]["devcloud"].split()
    for requirement in (*wanted, "SQLAlchemy", "oslo.db"):
        name = re.split(r"[<>=!~]", requirement)[0]
        yield f"{name} {importlib.metadata.version(name)}"


def _files(path: Path) -> list[Path]:
    if path.is_file():
        return [path]
    return sorted(p for p in path.rglob("*") if p.is_file() and "__pycache__" not in p.parts)


def current(layout: Layout) -> str:
    """Return the key of the state that lies there, or an empty string for none or an unfinished one."""
    try:
        return (layout.state / ".key").read_text()
    except OSError:
        return ""


def mark(layout: Layout, name: str) -> None:
    """Say that the state is complete and which key it has."""
    (layout.state / ".key").write_text(name)


def restore(layout: Layout, name: str) -> bool:
    """Replace the state by the golden one, if there is one of that key."""
    source = layout.golden / name
    if not source.is_dir():
        return False
    shutil.rmtree(layout.state, ignore_errors=True)
    # Extended attributes come along: Swift keeps objects' metadata in them.
    shutil.copytree(source, layout.state, symlinks=True)
    mark(layout, name)
    return True


def copy(layout: Layout, name: str) -> Path:
    """Copy the state while its writers are held; the copy is golden once ``finish`` has seen it."""
    draft = layout.golden / f"{name}.new"
    shutil.rmtree(draft, ignore_errors=True)
    shutil.copytree(layout.state, draft, symlinks=True, ignore=shutil.ignore_patterns(*_EXCLUDED))
    return draft


def finish(layout: Layout, name: str, draft: Path) -> None:
    """Fold the databases' logs in, check them, and give the copy its name; older states go.

    Raises:
        ValueError: a database is damaged.
    """
    for file in draft.rglob("*.sqlite"):
        with sqlite3.connect(file) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            found = connection.execute("PRAGMA quick_check").fetchone()[0]
        connection.close()
        if found != "ok":
            raise ValueError(f"the copy of {file.name} is damaged: {found}")
    target = layout.golden / name
    shutil.rmtree(target, ignore_errors=True)
    draft.rename(target)
    target.touch()
    by_age = sorted(layout.golden.iterdir(), key=lambda path: path.stat().st_mtime, reverse=True)
    for old in by_age[_KEPT:]:
        shutil.rmtree(old)
