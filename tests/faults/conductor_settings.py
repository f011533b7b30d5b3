"""Django settings of a conductor that works for the shared cloud with a database of its own."""

import os

SECRET_KEY = "only for tests"
INSTALLED_APPS = ["tripleo_ui"]
USE_TZ = True
TRIPLEO_UI = {
    name: os.environ[f"TEST_{name}"]
    for name in ("DATABASE_URL", "AUTH_URL", "SERVICE_PASSWORD", "REGION", "LEASE_SECONDS", "POLL_SECONDS")
}
