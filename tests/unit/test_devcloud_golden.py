"""The golden state: what its key follows from, and that a copy is whole."""

import os
import sqlite3

import pytest

from devcloud import golden
from devcloud.layout import Layout


@pytest.fixture
def layout(tmp_path):
    made = Layout(tmp_path, 30000)
    made.golden.mkdir()
    (made.state / "swift").mkdir(parents=True)
    return made


def _database(path, rows):
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("CREATE TABLE t (x)")
    connection.executemany("INSERT INTO t VALUES (?)", [(n,) for n in range(rows)])
    connection.commit()
    return connection


def test_key_follows_versions_ports_folder_and_services(layout, monkeypatch):
    first = golden.key(layout)
    assert golden.key(layout) == first
    others = {
        golden.key(Layout(layout.root, 30001)),
        golden.key(Layout(layout.root / "x", 30000)),
        golden.key(Layout(layout.root, 30000, ("keystone",))),
    }
    monkeypatch.setattr(golden.importlib.metadata, "version", lambda name: f"0 of {name}")
    others.add(golden.key(layout))
    assert len(others | {first}) == 5


def test_key_follows_the_seed_but_not_the_dashboards_settings(layout, monkeypatch, tmp_path):
    package = tmp_path / "repository" / "devcloud"
    for name in ("seed/a.py", "horizon/b.py"):
        (package / name).parent.mkdir(parents=True, exist_ok=True)
        (package / name).write_text("1")
    setup = golden.REPOSITORY / "setup.cfg"
    (tmp_path / "repository" / "setup.cfg").write_text(setup.read_text())
    monkeypatch.setattr(golden, "REPOSITORY", tmp_path / "repository")
    first = golden.key(layout)
    (package / "horizon/b.py").write_text("2")
    assert golden.key(layout) == first
    (package / "seed/a.py").write_text("2")
    assert golden.key(layout) != first


def test_copy_and_restore_keep_rows_links_and_extended_attributes(layout):
    writer = _database(layout.state / "nova.sqlite", 100)
    (layout.state / "swift" / "object").write_bytes(b"data")
    try:
        os.setxattr(layout.state / "swift" / "object", "user.swift.metadata", b"meta")
    except OSError:
        pytest.skip("optional: this file system has no extended attributes")
    (layout.state / "tripleo_ui.sqlite").write_text("requests")

    golden.finish(layout, "key", golden.copy(layout, "key"))
    writer.execute("INSERT INTO t VALUES (1000)")
    writer.commit()
    writer.close()
    (layout.state / "stray").touch()

    assert golden.restore(layout, "key")
    assert golden.current(layout) == "key"
    assert not (layout.state / "stray").exists()
    assert not (layout.state / "tripleo_ui.sqlite").exists()
    assert os.getxattr(layout.state / "swift" / "object", "user.swift.metadata") == b"meta"
    with sqlite3.connect(layout.state / "nova.sqlite") as connection:
        assert connection.execute("SELECT count(*) FROM t").fetchone() == (100,)
    connection.close()


def test_a_damaged_copy_is_not_kept(layout):
    _database(layout.state / "nova.sqlite", 2000).close()
    draft = golden.copy(layout, "key")
    file = draft / "nova.sqlite"
    content = bytearray(file.read_bytes())
    content[4096:8192] = b"\xff" * 4096
    file.write_bytes(content)
    with pytest.raises((ValueError, sqlite3.DatabaseError)):
        golden.finish(layout, "key", draft)
    assert not golden.restore(layout, "key")


def test_without_a_golden_state_the_present_one_is_left_alone(layout):
    (layout.state / "file").touch()
    assert not golden.restore(layout, "unknown")
    assert (layout.state / "file").exists()
    assert golden.current(layout) == ""


def test_only_the_newest_states_are_kept(layout):
    for number in range(5):
        golden.finish(layout, f"key{number}", golden.copy(layout, f"key{number}"))
        os.utime(layout.golden / f"key{number}", (number, number))
    golden.finish(layout, "last", golden.copy(layout, "last"))
    assert {path.name for path in layout.golden.iterdir()} == {"last", "key4", "key3"}
