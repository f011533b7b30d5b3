"""Every page of the dashboard but the wizard: deployed and undeployed by hand, looked at, checked for accessibility."""

import os
from dataclasses import replace
from pathlib import Path

import pytest

from tests.cloud import wait_until
from tripleo_ui.planning import hot, planfile, secret_values
from tripleo_ui.services.cloud import Cloud

NAME = "pictured-cloud"
PAGE = f"/infrastructure/deployments/plans/{NAME}/"
# What pictures are called after, where the dashboard was built with another theme than its own.
THEME = os.environ.get("TRIPLEO_UI_THEME", "")
EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "overcloud.yaml"


@pytest.fixture
def plan(admin):
    """The example's plan, stored; no trace of it before and after."""
    services = Cloud(admin.session, admin.config.get_region_name())
    remove(admin, services)
    made = planfile.load(EXAMPLE.read_text(), EXAMPLE.name)
    made = secret_values.generate(replace(made, name=NAME))
    yield services.plans.save(NAME, hot.compose(made), description=made.description, author="admin")
    remove(admin, services)


def remove(admin, services):
    if admin.get_stack(NAME):
        admin.delete_stack(NAME, wait=True)
    services.plans.delete(NAME)


def look(browser, name, path):
    """Open a page, keep its pictures, and find nothing wrong with it."""
    browser.go(path)
    found = browser.problems()
    assert found == [], "\n".join(found)
    browser.picture(name, THEME)
    browser._resize(390, 844)
    wide = browser.driver.execute_script("return document.documentElement.scrollWidth")
    browser._resize(1440, 1000)
    assert wide <= 390, f"{path} scrolls sideways at a width of 390"


def state(browser):
    return browser.css("#live .tu-badge").text.strip()


@pytest.mark.timeout(900)
def test_screenshots_of_the_dashboard(browser, admin, plan):
    look(browser, "deployment-planned", PAGE)
    look(browser, "deploy", PAGE + "deploy/")
    browser.press("Deploy")
    browser.wait(lambda: state(browser) == "Deploying", "the deployment to begin", 60)
    browser.wait(lambda: browser.all(".tu-progress-track"), "a progress bar", 120)
    browser.wait(lambda: "Deploy nodes" in browser.text, "nodes to be deployed", 120)
    browser.picture("deployment-under-way", THEME)
    browser.wait(lambda: state(browser) == "Deployed", "the page to say by itself that all is deployed", 600)
    assert admin.get_stack(NAME).status == "CREATE_COMPLETE"

    look(browser, "deployment-complete", PAGE)
    for tab in ("servers", "outputs", "requests", "files"):
        look(browser, f"deployment-{tab}", f"{PAGE}?tab={tab}")
    look(browser, "deployment-file", PAGE + "files/plan.yaml/")
    look(browser, "undeploy", PAGE + "undeploy/")
    look(browser, "deployments", "/infrastructure/deployments/")
    look(browser, "requests", "/infrastructure/requests/")
    look(browser, "request", browser.css(".tu-table th a").get_attribute("href").removeprefix(browser.url))
    look(browser, "overview", "/infrastructure/")

    browser.go(PAGE + "undeploy/")
    browser.tick("delete-plan")
    browser.fill("confirm", NAME)
    browser.press("Undeploy")
    wait_until(lambda: admin.get_stack(NAME) is None, "the stack to be gone", 300, 2)
    browser.wait(lambda: "nothing is under way" in browser.text, "the page to say that it is done", 60)
    assert f"overcloud-plan-{NAME}" not in {container.name for container in admin.object_store.containers()}


@pytest.mark.timeout(900)
def test_a_lost_connection_is_told_and_found_again(browser, admin, plan):
    browser.go(PAGE + "deploy/")
    browser.press("Deploy")
    browser.wait(lambda: state(browser) == "Deploying", "the deployment to begin", 60)

    offline(browser, True)
    browser.wait(lambda: "Connection lost." in browser.text, "the banner", 30)
    offline(browser, False)
    browser.wait(lambda: "Connection lost." not in browser.text, "the banner to go", 30)

    browser.wait(lambda: state(browser) == "Deployed", "the page to follow again", 600)


def offline(browser, is_offline):
    browser.driver.execute_cdp_cmd("Network.enable", {})
    browser.driver.execute_cdp_cmd(
        "Network.emulateNetworkConditions",
        {"offline": is_offline, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1},
    )
