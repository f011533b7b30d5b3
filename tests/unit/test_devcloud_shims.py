"""The shims themselves, as far as they work without their service."""

import threading

import pycdlib
import pytest
import sqlalchemy as sa
from oslo_db import exception
from oslo_db.sqlalchemy import engines

from devcloud.layout import Layout
from devcloud.shims import aodh_gnocchi, entry_points, mkisofs, sqlite
from devcloud.shims.swift_cache import LocalCache, filter_factory


@pytest.fixture
def listeners():
    """The SQLite listeners for this test only."""
    sqlite.install()
    yield
    for name, function in (
        ("connect", sqlite._connect),
        ("begin", sqlite._begin),
        ("savepoint", sqlite._savepoint),
    ):
        sa.event.remove(sa.Engine, name, function)


def _increment(engine, times, errors):
    try:
        for _ in range(times):
            with engine.begin() as connection:
                value = connection.execute(sa.text("SELECT n FROM counter")).scalar_one()
                connection.execute(sa.text("UPDATE other SET n = n + 1"))
                assert value >= 0
    except (sa.exc.OperationalError, exception.DBError) as error:
        errors.append(error)


def test_writers_wait_for_each_other_instead_of_failing(tmp_path, listeners):
    engine = engines.create_engine(f"sqlite:///{tmp_path}/db.sqlite?timeout=60", sqlite_synchronous=False)
    with engine.begin() as connection:
        for table in ("counter", "other"):
            connection.execute(sa.text(f"CREATE TABLE {table} (n INTEGER)"))
            connection.execute(sa.text(f"INSERT INTO {table} VALUES (0)"))
    errors = []
    threads = [threading.Thread(target=_increment, args=(engine, 40, errors)) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors
    with engine.connect() as connection:
        assert connection.execute(sa.text("SELECT n FROM other")).scalar_one() == 240
        assert connection.execute(sa.text("PRAGMA journal_mode")).scalar_one() == "wal"
    engine.dispose()


def test_a_savepoint_can_be_taken_back(tmp_path, listeners):
    engine = sa.create_engine(f"sqlite:///{tmp_path}/db.sqlite")
    with engine.begin() as connection:
        connection.execute(sa.text("CREATE TABLE t (n INTEGER)"))
    with engine.begin() as connection:
        connection.execute(sa.text("SELECT * FROM t"))
        inner = connection.begin_nested()
        connection.execute(sa.text("INSERT INTO t VALUES (1)"))
        inner.rollback()
        connection.execute(sa.text("INSERT INTO t VALUES (2)"))
    with engine.connect() as connection:
        assert connection.execute(sa.text("SELECT n FROM t")).scalars().all() == [2]
    engine.dispose()


def test_keys_are_never_used_again(tmp_path):
    sqlite.never_reuse_keys()
    try:
        metadata = sa.MetaData()
        table = sa.Table("resource", metadata, sa.Column("id", sa.Integer, primary_key=True), sa.Column("x", sa.Text))
        engine = sa.create_engine(f"sqlite:///{tmp_path}/db.sqlite")
        metadata.create_all(engine)
    finally:
        sa.event.remove(sa.Table, "before_create", sqlite._autoincrement)
    with engine.begin() as connection:
        first = connection.execute(table.insert().values(x="a")).inserted_primary_key[0]
        connection.execute(table.delete())
        second = connection.execute(table.insert().values(x="b")).inserted_primary_key[0]
    assert second > first
    engine.dispose()


def test_metrics_of_an_aggregation_are_joined():
    sent = ["aggregate", "mean", ["metric", "a", "mean"], ["metric", "b", "mean"]]
    assert aodh_gnocchi.join_metrics(sent) == ["aggregate", "mean", ["metric", ["a", "mean"], ["b", "mean"]]]


@pytest.mark.parametrize("sent", ["(+ 1 2)", ["aggregate", "mean", ["metric", "a", "mean"]], ["metric", "a"], []])
def test_other_operations_stay_as_they_are(sent):
    assert aodh_gnocchi.join_metrics(sent) == sent


def test_config_drive_holds_every_file_under_its_full_name(tmp_path):
    source = tmp_path / "source" / "openstack" / "latest"
    source.mkdir(parents=True)
    (source / "meta_data.json").write_text('{"uuid": "1"}')
    target = tmp_path / "drive.iso"
    arguments = ["-o", str(target), "-ldots", "-V", "config-2", str(tmp_path / "source")]
    mkisofs.main(arguments)
    image = pycdlib.PyCdlib()
    image.open(str(target))
    copy = tmp_path / "copy"
    image.get_file_from_iso(str(copy), rr_path="/openstack/latest/meta_data.json")
    assert copy.read_text() == '{"uuid": "1"}'
    assert image.pvd.volume_identifier.strip() == b"config-2"
    image.close()


def test_cache_forgets_in_time(monkeypatch):
    cache = LocalCache()
    cache.set("token", {"user": "a"}, time=10)
    cache.set("account", 1)
    assert cache.get("token") == {"user": "a"}
    monkeypatch.setattr("devcloud.shims.swift_cache._now", lambda: 10.0)
    monkeypatch.setattr("devcloud.shims.swift_cache.time.time", lambda: 4_000_000_000.0)
    assert cache.get("token") is None
    assert cache.get("account") == 1


def test_cache_counts_and_takes_many_at_once():
    cache = LocalCache()
    assert cache.incr("n", 2) == 2
    assert cache.decr("n") == 1
    cache.set_multi({"a": 1, "b": 2}, "server")
    assert cache.get_multi(["a", "x", "b"], "server") == [1, None, 2]
    cache.delete("a")
    assert cache.get("a") is None


def test_cache_stays_small(monkeypatch):
    monkeypatch.setattr("devcloud.shims.swift_cache._LIMIT", 3)
    cache = LocalCache()
    for number in range(10):
        cache.set(str(number), number)
    assert len(cache._entries) <= 3
    assert cache.get("9") == 9


def test_cache_is_handed_down_the_pipeline():
    seen = {}
    app = filter_factory({})(lambda environ, _start: seen.update(environ))
    app({}, None)
    assert isinstance(seen["swift.cache"], LocalCache)


def test_entry_points_are_written_once(tmp_path):
    layout = Layout(tmp_path, 30000)
    file = entry_points.write(layout) / "devcloud_shims-1.0.dist-info" / "entry_points.txt"
    text = file.read_text()
    assert "[gnocchi.indexer]\nsqlite = devcloud.shims.gnocchi_sqlite:SQLiteIndexer" in text
    before = file.stat().st_mtime_ns
    entry_points.write(layout)
    assert file.stat().st_mtime_ns == before


def test_entry_points_lead_to_modules_that_exist():
    from importlib.util import find_spec

    for names in entry_points.collect().values():
        for target in names.values():
            assert find_spec(target.partition(":")[0].rpartition(".")[0]), target
