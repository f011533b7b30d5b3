"""What a start consists of, and what the commands say."""

import json
import os
import subprocess
import sys

import pytest

from devcloud import boot, cli, seed, services
from devcloud.horizon import static
from devcloud.launch.horizon import StaticFiles
from devcloud.layout import PORTS, REPOSITORY, Layout
from devcloud.services.base import Service
from devcloud.supervise.units import Job


@pytest.fixture
def layout(tmp_path):
    return Layout(tmp_path, 30000)


def _names(specs):
    return [spec.name for spec in specs]


def test_every_service_has_its_own_ports():
    ports = [port for service in services.ALL for port in service.ports]
    assert sorted(ports) == sorted(PORTS)


def test_a_first_start_makes_databases_and_seed_in_an_order_that_can_be_followed():
    specs = boot.plan(list(services.ALL), fresh=True)
    specs.append(boot._save_job(None, "key", specs))
    started, left = set(), list(specs)
    known = set(_names(specs))
    while left:
        ready = [spec for spec in left if set(spec.after) & known <= started]
        assert ready, f"these wait for each other: {_names(left)}"
        started |= set(_names(ready))
        left = [spec for spec in left if spec not in ready]
    assert {f"seed-{step.name}" for step in seed.STEPS} <= known
    after = {spec.name: set(spec.after) for spec in specs}
    assert "seed-nodes" in after["nova"]
    assert "schema-nova" in after["nova"]
    assert "golden" in after["feeder"]
    assert {"nova", "seed-compute", "seed-images"} <= after["golden"]
    assert "feeder" not in after["golden"]


def test_a_later_start_has_services_only_and_the_orchestrators_migration():
    specs = boot.plan(list(services.ALL), fresh=False)
    assert _names(spec for spec in specs if isinstance(spec, Service)) == _names(services.ALL)
    assert _names(spec for spec in specs if isinstance(spec, Job)) == ["orchestration-db"]


def test_a_choice_of_services(tmp_path):
    chosen = boot.enabled(Layout(tmp_path, 30000, ("glance", "keystone")))
    assert _names(chosen) == ["keystone", "glance"]
    assert "schema-nova" not in _names(boot.plan(chosen, fresh=True))
    with pytest.raises(ValueError, match="no service galnce; there are aodh"):
        boot.enabled(Layout(tmp_path, 30000, ("galnce",)))


def test_a_state_of_another_version_goes(layout):
    layout.state.mkdir(parents=True)
    (layout.state / ".key").write_text("old")
    (layout.state / "nova.sqlite").touch()
    lines = []
    assert not boot._find_state(layout, "new", lines.append)
    assert list(layout.state.iterdir()) == []
    assert "other versions" in lines[0]
    (layout.state / ".key").write_text("new")
    assert boot._find_state(layout, "new", lines.append)


def test_an_unfinished_state_goes(layout):
    layout.state.mkdir(parents=True)
    (layout.state / "half.sqlite").touch()
    assert not boot._find_state(layout, "key", lambda _line: None)
    assert list(layout.state.iterdir()) == []


def test_only_one_supervisor_has_a_folder(layout):
    with boot.locked(layout), pytest.raises(boot.AlreadyRunningError), boot.locked(layout):
        pass
    with boot.locked(layout):
        pass


def run(layout, *arguments):
    return subprocess.run(
        [sys.executable, "-m", "devcloud", *arguments],
        cwd=REPOSITORY,
        env={**os.environ, **layout.environment()},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_commands_without_a_cloud(layout):
    shown = run(layout, "status", "--json")
    assert shown.returncode == 3
    assert json.loads(shown.stdout)["phase"] == "stopped"
    assert run(layout, "status", "--quiet").stdout == ""
    assert run(layout, "down").stdout == "nothing was running\n"
    missing = run(layout, "logs", "nova")
    assert (missing.returncode, missing.stdout) == (1, "no log of nova; there are: none\n")
    assert run(layout, "restart", "nova").returncode == 1


def test_logs_shows_the_end(layout):
    layout.log.mkdir()
    (layout.log / "nova.log").write_text("".join(f"line {n}\n" for n in range(300)))
    assert run(layout, "logs", "nova", "-n", "2").stdout == "line 298\nline 299\n"
    assert "there are: nova" in run(layout, "logs", "heat").stdout


def test_env_is_what_a_shell_can_read(layout):
    shown = run(layout, "env", "--user", "demo")
    script = f"{shown.stdout}\necho $OS_AUTH_URL $OS_USERNAME $OS_PROJECT_NAME $OS_CLOUD"
    said = subprocess.run(["/bin/sh", "-c", script], capture_output=True, text=True, check=True).stdout
    assert said.split() == [layout.auth_url, "demo", "demo"]


def test_reset_keeps_the_golden_state_unless_told_otherwise(layout):
    for folder in (layout.state, layout.golden):
        folder.mkdir()
    assert run(layout, "reset").returncode == 0
    assert not layout.state.exists()
    assert layout.golden.exists()
    assert run(layout, "reset", "--hard").returncode == 0
    assert not layout.root.exists()


def test_a_wrong_port_is_a_usage_error(layout):
    done = subprocess.run(
        [sys.executable, "-m", "devcloud", "status"],
        cwd=REPOSITORY,
        env={**os.environ, "DEVCLOUD_BASE_PORT": "70000"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 2
    assert "DEVCLOUD_BASE_PORT=70000" in done.stderr


def test_every_command_is_documented(capsys):
    with pytest.raises(SystemExit):
        cli.main(["--help"])
    shown = capsys.readouterr().out
    for command in ("up", "down", "status", "logs", "reset", "env", "seed", "restart"):
        assert f"    {command} " in shown


def test_static_files_below_the_folder_only(tmp_path):
    root = tmp_path / "static"
    root.mkdir()
    (root / "a.css").write_text("a{}")
    (tmp_path / "secret").write_text("x")
    (root / "link").symlink_to(tmp_path / "secret")
    app = StaticFiles(root)

    def get(path):
        said = []
        body = b"".join(app({"PATH_INFO": path}, lambda status, headers: said.append((status, dict(headers)))))
        return said[0][0][:3], said[0][1].get("Content-Type"), body

    assert get("/a.css") == ("200", "text/css", b"a{}")
    for path in ("/../secret", "/link", "/none", "/", "//etc/passwd"):
        assert get(path)[0] == "404", path


def test_static_files_are_built_again_only_for_other_sources(layout, monkeypatch, tmp_path):
    sources = tmp_path / "repository"
    (sources / "static").mkdir(parents=True)
    (sources / "static" / "a.scss").write_text("1")
    monkeypatch.setattr(static, "REPOSITORY", sources)
    first = static.key(layout)
    assert static.key(layout) == first
    (layout.root / "horizon").mkdir(exist_ok=True)
    (layout.root / "horizon" / "static.key").write_text(first)
    assert static.build(layout) is False
    (sources / "static" / "a.scss").write_text("2")
    assert static.key(layout) != first
    assert static.key(Layout(layout.root, 30000, (), peers=False)) != static.key(layout)
