"""The main job: an overcloud planned and deployed in the browser, then looked at through the SDK."""

import contextlib
import json
import sqlite3

import pytest

from tests.browser import wizard
from tests.cloud import wait_until
from tripleo_ui.services.cloud import Cloud

NAME = "browser-cloud"
COUNTS = {"Controller-1": 1, "Compute-1": 2, "BlockStorage-1": 1}
MARK = "a mark that only this plan's files hold"


@pytest.fixture
def clean(admin):
    """No stack, no plan of our name, before and after."""
    remove(admin)
    yield
    remove(admin)


def remove(admin):
    if admin.get_stack(NAME):
        admin.delete_stack(NAME, wait=True)
    Cloud(admin.session, admin.config.get_region_name()).plans.delete(NAME)


@pytest.mark.timeout(900)
def test_deploy_an_overcloud_with_the_wizard(browser, admin, cloud, clean):
    wizard.begin(browser)
    wizard.name(browser, NAME, "Made by the browser test")
    wizard.roles(browser, COUNTS)
    wizard.counts(browser, COUNTS)
    wizard.parameters(browser, {"Controller-1::ExtraConfig": json.dumps({"note": MARK})})
    wizard.review(browser, nodes=sum(COUNTS.values()))
    browser.press("Save and deploy")
    browser.wait_for_text(NAME)
    assert f"/infrastructure/deployments/plans/{NAME}/" in browser.path

    stack = wait_until(lambda: finished(admin), "the stack to be complete", 600, 3)
    assert stack.status == "CREATE_COMPLETE", stack.status_reason
    browser.wait_for_text("Deployed", 60)
    assert browser.problems() == []
    browser.picture("deployment-complete")

    servers = {server.id for server in admin.compute.servers() if server.name.startswith(NAME)}
    assert len(servers) == 4
    nodes = [node for node in admin.baremetal.nodes(details=True) if node.instance_id in servers]
    assert [node.provision_state for node in nodes] == ["active"] * 4
    assert plan_lies_in_swift(admin)
    assert tables_that_hold(cloud, MARK) == []


def finished(admin):
    stack = admin.get_stack(NAME)
    return stack if stack and not stack.status.endswith("IN_PROGRESS") else None


def plan_lies_in_swift(admin):
    container = f"overcloud-plan-{NAME}"
    files = [item.name for item in admin.object_store.objects(container)]
    texts = [admin.object_store.download_object(name, container=container) for name in files]
    return any(MARK.encode() in text for text in texts)


def tables_that_hold(cloud, text):
    """Tables of our database with the text in any column."""
    database = sqlite3.connect(f"file:{cloud.layout.state / 'tripleo_ui.sqlite'}?mode=ro", uri=True)
    with contextlib.closing(database):
        tables = [row[0] for row in database.execute("select name from sqlite_master where type = 'table'")]
        assert tables
        return [
            table for table in tables if any(text in str(row) for row in database.execute(f'select * from "{table}"'))
        ]
