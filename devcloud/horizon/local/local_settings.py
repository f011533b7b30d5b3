"""What differs from Horizon's defaults in the embedded cloud."""

import importlib as _importlib
from pathlib import Path as _Path

from django.utils.functional import lazy as _lazy
from horizon.utils import secret_key as _secret_key
from openstack_dashboard.local import enabled as _enabled

from devcloud.layout import PASSWORD, REGION, Layout

_layout = Layout.from_env()
_folder = _layout.root / "horizon"
(_folder / "sessions").mkdir(mode=0o700, parents=True, exist_ok=True)

DEBUG = False
ALLOWED_HOSTS = ["127.0.0.1", "localhost", "testserver"]
WEBROOT = "/"
LOCAL_PATH = str(_folder)
SECRET_KEY = _secret_key.generate_or_read_from_file(str(_folder / ".secret_key_store"))
STATIC_ROOT = str(_folder / "static")
COMPRESS_OFFLINE = True
OPENSTACK_KEYSTONE_URL = _layout.auth_url
OPENSTACK_HOST = "127.0.0.1"
OPENSTACK_ENDPOINT_TYPE = "publicURL"
TIME_ZONE = "UTC"

AVAILABLE_THEMES = [
    ("default", "Default", "themes/default"),
    ("material", "Material", "themes/material"),
    ("dark", "Dark", str(_Path(__file__).resolve().parents[1] / "themes" / "dark")),
]

# The catalog is too large for a session in a cookie.
SESSION_ENGINE = "django.contrib.sessions.backends.file"
SESSION_FILE_PATH = str(_folder / "sessions")
CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "%(asctime)s %(levelname)s %(name)s %(message)s"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["console"], "level": "WARNING"},
    "loggers": {"tripleo_ui": {"level": "INFO"}},
}


def _service_user_id():
    """A new cloud has the user later than the dashboard starts; what asks before asks Keystone."""
    return _layout.service_user_id.read_text() if _layout.service_user_id.exists() else ""


TRIPLEO_UI = {
    "DATABASE_URL": f"sqlite:///{_layout.state / 'tripleo_ui.sqlite'}",
    "AUTH_URL": _layout.auth_url,
    "SERVICE_USERNAME": "tripleo_ui",
    "SERVICE_USER_ID": _lazy(_service_user_id, str)(),
    "SERVICE_PASSWORD": PASSWORD,
    "REGION": REGION,
}

# Plugins: their files of Horizon's "enabled" kind are found where they are, instead of being copied.
_plugins = ["tripleo_ui.enabled"]
if _layout.peers:
    _plugins += ["heat_dashboard.enabled", "ironic_ui.enabled"]
for _name in _plugins:
    _enabled.__path__.extend(_importlib.import_module(_name).__path__)
