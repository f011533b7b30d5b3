"""A member makes instances with the form, sees them through their states, and deletes them."""

import contextlib
import uuid

import pytest
from selenium.webdriver.support.ui import Select

from devcloud.layout import PASSWORD
from tests.browser.pages import WIDTHS
from tests.cloud import wait_until

INSTANCES = "/infrastructure/instances/"


@pytest.fixture
def member(cloud):
    """The member's connection."""
    return cloud.connect("demo")


@pytest.fixture
def credentials(member):
    """These tests sign in as somebody who is no administrator."""
    return "demo", PASSWORD, "Default", member.current_project_id


@pytest.fixture
def name(member):
    """A name of this test's own; no server of it is left, whatever happens."""
    chosen = f"browser-{uuid.uuid4().hex[:6]}"
    yield chosen
    for server in servers(member, chosen):
        member.compute.delete_server(server)
    wait_until(lambda: not servers(member, chosen), "no server to be left", 120, 2)


def servers(member, name):
    return [server for server in member.compute.servers() if server.name.startswith(name)]


def left(member, name):
    """Names of ports and volumes."""
    things = [*member.network.ports(), *member.block_storage.volumes()]
    return [thing.name for thing in things if thing.name.startswith(name)]


def pick(browser, element_id, words):
    """Choose what begins with these words."""
    field = Select(browser.css(f"[id='{element_id}']"))
    field.select_by_visible_text(next(option.text for option in field.options if option.text.startswith(words)))


def state(browser):
    return browser.css("#live .tu-badge").text.strip()


def drawn(browser):
    return browser.css(".tu-chain.is-wide").get_attribute("aria-label")


def fill_in(browser, name, count):
    browser.go(f"{INSTANCES}create/")
    browser.fill("id_name", name)
    browser.fill("id_count", str(count))
    pick(browser, "id_flavor", "m1.small")
    pick(browser, "id_image", "tiny")


@pytest.mark.timeout(600)
def test_screenshots_of_two_instances_made_and_deleted_by_a_member(browser, member, name):
    fill_in(browser, name, 2)
    browser.press("Add a volume")
    assert browser.value("id_name") == name
    assert browser.driver.switch_to.active_element.get_attribute("id") == "id_volumes_0_size"
    browser.fill("id_volumes_0_size", "1")
    browser.tick("id_volumes_0_delete")
    browser.press("Create")
    assert f"{INSTANCES}requests/" in browser.path
    assert browser.css(".tu-chain.is-wide").is_displayed()

    browser.wait(lambda: "Host reserved: done" in drawn(browser), "hosts to be reserved", 120)
    browser.picture("instances-under-way")
    browser.wait(lambda: state(browser) == "Succeeded", "the page to say by itself that all is there", 300)
    assert "Active: done" in drawn(browser)
    assert {server.status for server in servers(member, name)} == {"ACTIVE"}
    assert "Why these hosts" in browser.text
    assert browser.problems() == []
    browser.picture("instances-request")
    assert not any(browser.overflows(width) for width in WIDTHS)

    browser.go(f"{INSTANCES}?q={name}")
    for box in browser.all("input[name='server']"):
        browser.click(box)
    assert browser.problems() == []
    browser.press("Delete selected (2)")
    assert f"{name}-1" in browser.text
    assert browser.problems() == []
    browser.picture("instances-delete")
    browser.fill("confirm", "2")
    browser.press("Delete")
    wait_until(lambda: not servers(member, name), "the servers to be gone", 180, 2)
    browser.go(f"{INSTANCES}?q={name}")
    assert "No instance matches" in browser.text
    wait_until(lambda: not left(member, name), "ports and volumes to be gone", 60, 2)


@pytest.mark.timeout(600)
def test_a_cancelled_request_for_instances_leaves_nothing(browser, member, name):
    fill_in(browser, name, 2)
    browser.press("Create")
    # It may have gone too far for a cancel by the time that the button is pressed; what it made is deleted then.
    cancel(browser)
    browser.wait(lambda: state(browser) in {"Cancelled", "Succeeded"}, "the end", 300)
    if state(browser) == "Cancelled":
        assert "Active: to come" in drawn(browser)
        browser.picture("instances-cancelled")
        assert servers(member, name) == []
        assert left(member, name) == []


def test_every_problem_of_the_form_for_instances_stands_at_its_field(browser):
    browser.go(f"{INSTANCES}create/")
    browser.fill("id_count", "0")
    browser.fill("id_networks_0_fixed_ip", "10.255.0.1")
    browser.click(browser.css("#more summary"))
    browser.fill("id_user_data", "#!/bin/sh\necho kept")
    browser.press("Create")

    for field, said in (
        ("name", "Give it a name."),
        ("count", "It must be from 1 to 100."),
        ("flavor", "Choose a flavor."),
        ("image", "Choose an image."),
        ("networks_0_fixed_ip", "It is in no subnet of"),
    ):
        assert said in browser.css(f"#id_{field}-error").text
    assert browser.value("id_user_data") == "#!/bin/sh\necho kept"
    assert browser.css("#id_user_data").is_displayed()
    assert browser.problems() == []
    browser.picture("instances-problems")
    browser.click(browser.css(".tu-problems a"))
    assert browser.css("#id_name").rect["y"] >= 0


def test_a_second_press_of_create_is_the_same_request_for_instances(browser, member, name):
    fill_in(browser, name, 1)
    browser.driver.execute_script(
        "const form = document.querySelector('.tu-create');"
        "window.answers = Promise.all([0, 1].map(() =>"
        " fetch(form.action, {method: 'POST', body: new FormData(form)}).then((answer) => answer.url)))"
    )
    first, second = browser.driver.execute_async_script("window.answers.then(arguments[arguments.length - 1])")
    assert first == second
    assert f"{INSTANCES}requests/" in first

    browser.go(first.removeprefix(browser.url))
    with contextlib.suppress(AssertionError):
        cancel(browser)
    browser.wait(lambda: state(browser) in {"Cancelled", "Succeeded"}, "the end", 300)
    assert len(servers(member, name)) <= 1


def cancel(browser):
    """Cancel the request; one that has made something asks once more."""
    browser.press("Cancel")
    if "What will be taken back" in browser.text:
        browser.press("Cancel the request")
