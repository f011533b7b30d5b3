"""A browser on the cloud's dashboard; pictures of the pages go to ``artefacts/`` or where ``--screenshots`` says."""

import os
import shutil
from pathlib import Path

import pytest

from devcloud.layout import PASSWORD
from tests.browser.pages import WIDTHS, Browser
from tests.cloud import admin, cloud  # noqa: F401

ARTEFACTS = Path(__file__).resolve().parents[2] / "artefacts"


@pytest.fixture(scope="session")
def driver(tmp_path_factory):
    """One Chromium for all tests; each test signs in anew."""
    webdriver = pytest.importorskip("selenium.webdriver")
    chromium, chromedriver = shutil.which("chromium"), shutil.which("chromedriver")
    if not (chromium and chromedriver):
        pytest.skip("chromium and chromium-driver are not installed")
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for argument in (
        "--headless=new",
        "--no-sandbox",
        "--disable-dev-shm-usage",
        "--disable-gpu",
        "--force-prefers-reduced-motion",
        f"--window-size=1440,{WIDTHS[1440]}",
        f"--user-data-dir={tmp_path_factory.mktemp('chromium')}",
    ):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    browser = webdriver.Chrome(options=options, service=webdriver.ChromeService(chromedriver))
    browser.set_page_load_timeout(90)
    browser.set_script_timeout(60)
    yield browser
    browser.quit()


@pytest.fixture(scope="session")
def dashboard(cloud):  # noqa: F811
    """The cloud's dashboard, or the one that ``TRIPLEO_UI_DASHBOARD`` names."""
    return os.environ.get("TRIPLEO_UI_DASHBOARD") or cloud.layout.url("horizon")


@pytest.fixture
def credentials(admin):  # noqa: F811
    """What the administrator types to sign in, and the project to work in."""
    return "admin", PASSWORD, "Default", admin.current_project_id


@pytest.fixture
def browser(driver, dashboard, credentials, request):
    """A browser signed in as the cloud's administrator; a failed test leaves a picture of where it failed."""
    pictures = request.config.getoption("--screenshots") or ARTEFACTS
    page = Browser(driver, dashboard, pictures)
    page.sign_in(*credentials)
    yield page
    report = getattr(request.node, "report_call", None)
    if report is not None and report.failed:
        page.picture(f"failed-{request.node.name}")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    if report.when == "call":
        item.report_call = report
    return report
