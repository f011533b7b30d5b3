"""Django settings for tests: Horizon's own, with our plugin and a database of ours in a new folder."""

import os
import tempfile

from openstack_dashboard import enabled
from openstack_dashboard.test.settings import *  # noqa: F403
from openstack_dashboard.utils import settings as dashboard_settings

import tripleo_ui.enabled

HORIZON_CONFIG.pop("dashboards", None)  # noqa: F405
HORIZON_CONFIG.pop("default_dashboard", None)  # noqa: F405
INSTALLED_APPS = list(INSTALLED_APPS)  # noqa: F405
dashboard_settings.update_dashboards([enabled, tripleo_ui.enabled], HORIZON_CONFIG, INSTALLED_APPS)  # noqa: F405
INSTALLED_APPS = list(dict.fromkeys(INSTALLED_APPS))

# A page takes 0.2 s instead of 5 s without the style sheets, which browser tests look at.
COMPRESS_ENABLED = False
COMPRESS_PRECOMPILERS = ()
_LOADERS = [
    "django.template.loaders.filesystem.Loader",
    "django.template.loaders.app_directories.Loader",
    "horizon.loaders.TemplateLoader",
]
TEMPLATES[0]["OPTIONS"]["loaders"] = [("django.template.loaders.cached.Loader", _LOADERS)]  # noqa: F405
TEMPLATES[0]["DIRS"].append(os.path.join(os.path.dirname(enabled.__path__[0]), "templates"))  # noqa: F405, PTH118, PTH120

DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}}
SESSION_ENGINE = "django.contrib.sessions.backends.cache"
CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
ALLOWED_HOSTS = ["*"]
TIME_ZONE = "UTC"

OPENSTACK_KEYSTONE_URL = "http://127.0.0.1:1/v3"
OPENSTACK_KEYSTONE_MULTIDOMAIN_SUPPORT = False
AVAILABLE_REGIONS = []

_folder = tempfile.TemporaryDirectory(prefix="tripleo-ui-tests-", ignore_cleanup_errors=True)  # goes at exit
TRIPLEO_UI = {
    "DATABASE_URL": f"sqlite:///{_folder.name}/tripleo_ui.sqlite",
    "AUTH_URL": OPENSTACK_KEYSTONE_URL,
    "SERVICE_PASSWORD": "only for tests",
    "SERVICE_USER_ID": "conductor",
}
