"""Folders, ports and configuration files of the embedded cloud."""

import configparser
import stat

import pytest
import yaml

from devcloud import render
from devcloud.layout import DEFAULT_BASE_PORT, PORTS, Layout


@pytest.fixture
def folder(tmp_path, monkeypatch):
    for name in ("DEVCLOUD_BASE_PORT", "DEVCLOUD_SERVICES", "DEVCLOUD_PEERS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("DEVCLOUD_DIR", str(tmp_path / "cloud"))
    return tmp_path / "cloud"


def test_defaults(folder):
    layout = Layout.from_env()
    assert layout == Layout(folder, DEFAULT_BASE_PORT, (), True)
    assert layout.auth_url == f"http://127.0.0.1:{DEFAULT_BASE_PORT + 1}/v3"


def test_environment_carries_a_layout_into_children(folder, monkeypatch):
    layout = Layout(folder, 23456, ("keystone", "glance"), False)
    for name, value in layout.environment().items():
        monkeypatch.setenv(name, value)
    assert Layout.from_env() == layout


def test_commands_find_the_ports_that_were_used_for_the_start(folder, monkeypatch):
    monkeypatch.setenv("DEVCLOUD_BASE_PORT", "22000")
    monkeypatch.setenv("DEVCLOUD_SERVICES", "keystone")
    monkeypatch.setenv("DEVCLOUD_PEERS", "0")
    started = Layout.from_env()
    started.save()
    for name in ("DEVCLOUD_BASE_PORT", "DEVCLOUD_SERVICES", "DEVCLOUD_PEERS"):
        monkeypatch.delenv(name)
    assert Layout.from_env() == started


@pytest.mark.parametrize("port", ["80", "65535", "x"])
def test_a_base_port_without_room_is_refused(folder, monkeypatch, port):
    monkeypatch.setenv("DEVCLOUD_BASE_PORT", port)
    with pytest.raises(ValueError, match=f"DEVCLOUD_BASE_PORT={port}|{port}"):
        Layout.from_env()


def test_every_port_follows_from_the_base(tmp_path):
    layout = Layout(tmp_path, 30000)
    assert [layout.port(name) for name in PORTS] == list(range(30000, 30000 + len(PORTS)))


@pytest.fixture
def written(tmp_path):
    layout = Layout(tmp_path / "cloud", 30000)
    render.write_all(layout)
    return layout


def test_configuration_files_are_complete(written):
    files = [file for file in written.etc.rglob("*") if file.is_file()]
    assert len(files) >= len(list(render.TEMPLATES.rglob("*.conf")))
    for file in files:
        text = file.read_text()
        assert "${" not in text, file
        if file.suffix == ".conf":
            parser = configparser.RawConfigParser(strict=True)
            parser.read(file)
            assert parser.sections() or parser.defaults(), file


def test_configuration_stays_in_the_folder_and_on_loopback(written):
    for file in written.etc.rglob("*.conf"):
        parser = configparser.RawConfigParser()
        parser.read(file)
        for section in parser.sections():
            for name, value in parser.items(section):
                if name == "debug":
                    assert value == "false", file
                if name.endswith(("bind_ip", "host_ip", "my_ip", "bind_host")):
                    assert value == "127.0.0.1", (file, name)
                if value.startswith("http://"):
                    assert value.startswith("http://127.0.0.1:300"), (file, name)


def test_token_filters_of_gnocchi_and_aodh_know_their_configuration(written):
    for name in ("gnocchi", "aodh"):
        paste = (written.etc / name / "api-paste.ini").read_text()
        assert f"oslo_config_file = {written.etc}/{name}/{name}.conf" in paste


def test_clients_configuration_has_three_clouds_and_is_private(written):
    clouds = yaml.safe_load(written.clouds_yaml.read_text())["clouds"]
    assert set(clouds) == {"devcloud", "devcloud-demo", "devcloud-system"}
    assert clouds["devcloud-system"]["auth"]["system_scope"] == "all"
    assert {cloud["auth"]["auth_url"] for cloud in clouds.values()} == {written.auth_url}
    assert stat.S_IMODE(written.clouds_yaml.stat().st_mode) == 0o600


def test_writing_again_removes_what_is_no_longer_written(written):
    stray = written.etc / "nova" / "stray.conf"
    stray.write_text("")
    render.write_all(written)
    assert not stray.exists()


def test_an_unknown_value_is_refused(tmp_path):
    values = render.Values(Layout(tmp_path, 30000))
    with pytest.raises(KeyError):
        values["nonsense"]
    assert values["db_nova_api"].startswith("sqlite:////")
    assert len(list(values)) == len(values)
