"""Pages as a signed-in person gets them: Horizon's own session, a cloud in memory, a database of the test's own."""

import shutil
from dataclasses import replace
from datetime import UTC, datetime
from unittest import mock

import pytest
import requests.adapters
from django.conf import settings as django_settings
from django.contrib import auth
from django.core.cache import cache
from django.test import Client
from openstack_auth.user import Token

from tests.fakes import FakeCloud
from tests.panels.pages import Pages
from tripleo_ui import config
from tripleo_ui.orchestration.store import schema
from tripleo_ui.orchestration.store.engine import engine
from tripleo_ui.web import cloud as web_cloud

PROJECT = "p1"


@pytest.fixture(autouse=True)
def no_network(monkeypatch):
    """No page of a test reaches a real service."""

    def refuse(_adapter, request, **_more):
        raise AssertionError(f"a page called {request.method} {request.url}")

    monkeypatch.setattr(requests.adapters.HTTPAdapter, "send", refuse)


@pytest.fixture(autouse=True, scope="session")
def quiet_sidebar():
    """Horizon's other panels ask Keystone and Neutron whether they are shown; here they are told."""
    patches = [
        mock.patch(known["method"], return_value=known["return_value"])
        for known in django_settings.TEST_GLOBAL_MOCKS_ON_PANELS.values()
    ]
    for patch in patches:
        patch.start()
    yield
    for patch in patches:
        patch.stop()


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory):
    file = tmp_path_factory.mktemp("database") / "empty.sqlite"
    with pytest.MonkeyPatch.context() as patch:
        use_database(patch, file)
        schema.upgrade()
        # Closing the last connection writes the log into the file that tests copy.
        engine(config.settings.database_url).dispose()
    return file


def use_database(patch, file):
    patch.setitem(config.settings.__dict__, "_values", replace(config.load(), database_url=f"sqlite:///{file}"))


@pytest.fixture(autouse=True)
def database(empty_database, tmp_path, monkeypatch):
    """The orchestrator's own tables, empty; returns the file."""
    file = tmp_path / "tripleo_ui.sqlite"
    shutil.copy(empty_database, file)
    use_database(monkeypatch, file)
    return file


@pytest.fixture(autouse=True)
def empty_cache():
    cache.clear()


@pytest.fixture
def cloud(monkeypatch):
    """The services that pages call."""
    fake = FakeCloud()
    monkeypatch.setattr(web_cloud, "http_session", fake.http)
    return fake


def signed_in(catalog, roles, user="alice", enforce_csrf=False):
    """A client whose session is what Horizon's login leaves in it."""
    token = Token()
    token.id = f"token-of-{user}"
    token.unscoped_token = token.id
    token.expires = datetime(2099, 1, 1, tzinfo=UTC)
    token.user = {"id": f"id-of-{user}", "name": user, "password_expires_at": None}
    token.user_domain_id, token.user_domain_name = "default", "Default"
    token.project = token.tenant = {
        "id": PROJECT,
        "name": "project",
        "is_admin_project": True,
        "domain_id": "default",
    }
    token.domain = {"id": None, "name": None}
    token.is_federated, token.system_scoped = False, False
    token.roles = [{"name": role} for role in roles]
    token.serviceCatalog = catalog
    client = Client(enforce_csrf_checks=enforce_csrf)
    session = client.session
    session[auth.SESSION_KEY] = token.user["id"]
    session[auth.BACKEND_SESSION_KEY] = "openstack_auth.backend.KeystoneBackend"
    session["token"] = token
    session["user_id"] = token.user["id"]
    session["region_endpoint"] = "http://fake.invalid/keystone"
    session["services_region"] = "RegionOne"
    session.save()
    client.cookies[django_settings.SESSION_COOKIE_NAME] = session.session_key
    return client


@pytest.fixture(autouse=True)
def one_project():
    """The header's menu of projects asks Keystone; here there is none to choose from."""
    with (
        mock.patch("openstack_auth.utils.get_project_list", return_value=[]),
        mock.patch("openstack_auth.utils.get_system_access", return_value=False),
    ):
        yield


@pytest.fixture
def admin(cloud):
    """Pages of an administrator."""
    return Pages(signed_in(cloud.catalog(), ["admin", "member"]), cloud)


@pytest.fixture
def member(cloud):
    """Pages of somebody without the administrator's role, in the same project."""
    return Pages(signed_in(cloud.catalog(), ["member"], user="bob"), cloud)
