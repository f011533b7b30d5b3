"""Run inside an environment that has only the wheel: loads pages of the plugin as Horizon serves them."""

import json
import sys
from datetime import UTC, datetime
from unittest import mock

import django
from django.core.management import call_command


def sign_in():
    """An administrator whose service catalog is empty: a page's parts fail, the page must not."""
    from openstack_auth import user as auth_user

    return auth_user.User(
        id="u1",
        token=mock.Mock(id="token", expires=datetime(2099, 1, 1, tzinfo=UTC)),
        user="operator",
        domain_id="default",
        user_domain_id="default",
        user_domain_name="Default",
        tenant_id="p1",
        tenant_name="admin",
        service_catalog=[],
        roles=[{"id": "r1", "name": "admin"}],
        enabled=True,
        authorized_tenants=[],
        endpoint="http://127.0.0.1:1/v3",
    )


def main():
    """Print the status and the HTML of each page as JSON."""
    django.setup()
    call_command("orchestration_db", "upgrade")
    from django.contrib.staticfiles import finders
    from django.test import Client

    results = {"static": bool(finders.find("tripleo_ui/js/status.js"))}
    # One of Horizon's own panels asks Keystone for its version before it shows itself in the menu.
    version = mock.patch("openstack_dashboard.api.keystone.get_identity_api_version", return_value=(3, 14))
    with version, mock.patch("openstack_auth.utils.get_user", return_value=sign_in()):
        client = Client(SERVER_NAME="localhost")
        for path in ("/infrastructure/requests/", "/infrastructure/"):
            response = client.get(path)
            results[path] = [response.status_code, response.content.decode()]
    json.dump(results, sys.stdout)


if __name__ == "__main__":
    main()
