"""The status endpoint: unchanged is 304 without a byte, changed is a fragment, the session is not lengthened."""

import pytest
from django.conf import settings

from tests.panels.plans import ALICE, deploy, save
from tripleo_ui.orchestration import api

PAGES = (
    ("/infrastructure/", "/infrastructure/status/"),
    ("/infrastructure/deployments/", "/infrastructure/deployments/status/?"),
    ("/infrastructure/deployments/plans/demo/", "/infrastructure/deployments/plans/demo/status/?tab=overview"),
    (
        "/infrastructure/deployments/plans/demo/?tab=servers",
        "/infrastructure/deployments/plans/demo/status/?tab=servers",
    ),
    (
        "/infrastructure/deployments/plans/demo/?tab=requests",
        "/infrastructure/deployments/plans/demo/status/?tab=requests",
    ),
    ("/infrastructure/requests/", "/infrastructure/requests/status/?"),
)


@pytest.fixture
def asked(admin):
    return deploy(save(admin.cloud))


@pytest.mark.parametrize(("page_url", "status_url"), PAGES)
def test_page_and_status_agree(admin, asked, page_url, status_url):
    page = admin.get(page_url)
    etag = page.attribute("data-status-etag")

    assert page.attribute("data-status-url") == status_url
    unchanged = admin.get(status_url, status=304, **{"If-None-Match": etag}).response
    assert unchanged.content == b""
    assert unchanged["ETag"] == etag
    assert unchanged["X-Status-Active"] == "1"


@pytest.mark.parametrize(("page_url", "status_url"), PAGES)
def test_a_change_is_a_fragment_with_a_new_etag(admin, asked, page_url, status_url):
    etag = admin.get(page_url).attribute("data-status-etag")
    api.cancel(asked.id, ALICE)

    changed = admin.get(status_url, **{"If-None-Match": etag})

    assert changed.response["ETag"] != etag
    assert changed.response["X-Status-Active"] == "0"
    assert "<html" not in changed.html
    assert "csrfmiddlewaretoken" not in changed.html


def test_request_detail(admin, asked):
    page = admin.get(f"/infrastructure/requests/{asked.id}/")
    url = page.attribute("data-status-url")

    admin.get(url, status=304, **{"If-None-Match": page.attribute("data-status-etag")})


def test_a_status_request_leaves_the_session_as_it_is(admin, asked):
    response = admin.client.get("/infrastructure/requests/status/")
    assert settings.SESSION_COOKIE_NAME not in response.cookies

    # What a page does, for comparison.
    assert settings.SESSION_COOKIE_NAME in admin.client.get("/infrastructure/requests/").cookies


def test_signed_out_is_401_and_no_login_page(client):
    response = client.get("/infrastructure/requests/status/", headers={"X-Requested-With": "XMLHttpRequest"})

    assert response.status_code == 401


def test_a_deployment_that_is_gone_says_so_in_its_region(admin):
    page = admin.get("/infrastructure/deployments/plans/demo/status/?tab=overview")

    assert page.response["X-Status-Active"] == "0"
