"""The wheel is whole: installed into a clean environment with nothing else of ours, it serves pages."""

import json
import os
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

LOCAL_SETTINGS = """
import importlib
import os

SECRET_KEY = "only for this test"
ALLOWED_HOSTS = ["localhost"]
COMPRESS_ENABLED = False
COMPRESS_PRECOMPILERS = ()
OPENSTACK_KEYSTONE_URL = "http://127.0.0.1:1/v3"
CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
SESSION_ENGINE = "django.contrib.sessions.backends.file"
SESSION_FILE_PATH = os.path.dirname(__file__)
TRIPLEO_UI = {"DATABASE_URL": "sqlite:///" + os.path.join(os.path.dirname(__file__), "ours.sqlite")}

# What copying our files into Horizon's own folder does.
from openstack_dashboard.local import enabled as _enabled

_enabled.__path__.extend(importlib.import_module("tripleo_ui.enabled").__path__)
"""


def run(*command, **more):
    done = subprocess.run(command, capture_output=True, text=True, timeout=900, check=False, **more)
    assert done.returncode == 0, f"{command}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT))
    (built,) = folder.glob("*.whl")
    return built


def test_wheel_holds_templates_static_files_and_data_and_nothing_else(wheel):
    names = zipfile.ZipFile(wheel).namelist()

    for source in ("static", "templates"):
        expected = {
            f"tripleo_ui/{source}/{path.relative_to(ROOT / source)}"
            for path in (ROOT / source).rglob("*")
            if path.is_file()
        }
        assert expected
        assert expected <= set(names)
    assert any(name.startswith("tripleo_ui/planning/data/") for name in names)
    assert any(name.startswith("tripleo_ui/orchestration/migrations/versions/") for name in names)
    assert {name.split("/")[0].split("-")[0] for name in names} == {"tripleo_ui"}


@pytest.mark.timeout(900)
def test_wheel_serves_pages_in_a_clean_environment(wheel, tmp_path):
    environment = tmp_path / "venv"
    venv.create(environment, with_pip=True)
    python = str(environment / "bin" / "python")
    pip = (python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
    constraints = ("--constraint", str(ROOT / "constraints.txt"))
    run(*pip, *constraints, "setuptools", str(wheel))
    (tmp_path / "local").mkdir()
    (tmp_path / "local" / "__init__.py").touch()
    (tmp_path / "local" / "local_settings.py").write_text(LOCAL_SETTINGS)

    ours = ("OS_", "TRIPLEO_UI", "PYTHON")
    keep = {key: value for key, value in os.environ.items() if not key.startswith(ours)}
    output = run(
        python,
        str(Path(__file__).with_name("page.py")),
        cwd=tmp_path,
        env=keep | {"DJANGO_SETTINGS_MODULE": "openstack_dashboard.settings", "PYTHONPATH": str(tmp_path)},
    )

    pages = json.loads(output.splitlines()[-1])
    assert pages.pop("static")
    for path, (status, html) in pages.items():
        assert status == 200, path
        assert 'id="content_body"' in html, path
        assert "Infrastructure" in html, path
