"""Requests in every state, looked at and acted on: what a person sees, presses, and reaches by keyboard alone."""

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from tests.browser import odd as odd_requests
from tests.browser.pages import WIDTHS
from tripleo_ui.orchestration.states import State

LIST = "/infrastructure/requests/"
ENDED = {State.FAILED, State.CANCELLED, State.SUCCEEDED}


@pytest.fixture
def odd(cloud, admin):
    database = cloud.layout.state / "tripleo_ui.sqlite"
    with odd_requests.requests(database, admin.current_project_id) as made:
        yield made


@pytest.fixture(params=["default", "dark"])
def theme(browser, request):
    browser.use_theme(request.param)
    assert browser.is_dark() == (request.param == "dark")
    yield "" if request.param == "default" else request.param
    browser.use_theme("default")


def page(request):
    return f"{LIST}{request.id}/"


def make_all(odd):
    """A request in each state that says something of its own, by the words that its page has."""
    stalled = odd.submit("odd-stalled", priority=1)
    odd.go(
        stalled,
        "start",
        "stall",
        told="ironic does not answer; waiting for it.",
        phase="nodes",
        error=odd_requests.AWAY,
    )
    cancelling = odd.submit("odd-cancelling")
    odd.things(cancelling, "CREATED")
    odd.go(cancelling, "start", phase="poll", done=17, total=64)
    odd.go(cancelling, "cancel", told="Asked to cancel.", cancel_requested=True)
    partial = odd.submit("odd-partial")
    odd.things(partial, "CREATED", "CREATED")
    odd.go(partial, "start", "partial", told="Two of the five instances could not be placed: no host has 64 GiB left.")
    attention = odd.submit("odd-attention")
    odd.things(attention, "DELETED", "CREATED", "INTENT", "FOREIGN")
    odd.go(attention, "start", "fail", phase="create", error=odd_requests.AWAY)
    odd.go(attention, "revert_fail", told="Not everything could be taken back. create: heat: delete stack failed.")
    return {
        "stalled": (stalled, "It stopped answering"),
        "cancelling": (cancelling, "Cancelling was asked for"),
        "partial": (partial, "Two of the five instances"),
        "attention": (attention, "What is left"),
    }


@pytest.mark.timeout(600)
def test_requests_in_odd_states_can_be_read(browser, odd, theme):
    faults = []
    found = make_all(odd)
    for name, (request, words) in found.items():
        browser.go(page(request))
        browser.wait_for_text(words)
        faults += [f"{name}: {problem}" for problem in browser.problems()]
        browser.picture(f"request-{name}", theme)
        faults += [f"{name} is wider than {width}" for width in WIDTHS if browser.overflows(width)]
    browser.go(f"{LIST}?q=odd-")
    assert "Waits for Bare metal (Ironic)" in browser.text
    faults += browser.problems()
    browser.picture("requests-odd", theme)
    assert faults == []


def test_a_page_that_is_open_follows_its_request(browser, odd):
    request = odd.submit("odd-followed")
    odd.go(request, "start", phase="nodes")
    browser.go(page(request))
    browser.wait_for_text("Running")

    odd.go(request, "stall", phase="nodes", error=odd_requests.AWAY)
    browser.wait_for_text("Waiting for Bare metal (Ironic)", 10)
    odd.go(request, "start", told="The service is back.", error=None)
    browser.wait(lambda: "Waiting for" not in browser.text, "the page to say that it goes on", 10)


def test_by_keyboard_alone_a_request_is_cancelled_after_its_page_has_said_what_goes(browser, odd):
    request = odd.submit("odd-cancelled")
    odd.things(request, "CREATED", "DELETED")
    odd.go(request, "start", phase="poll")
    browser.go(page(request))

    enter(browser, "Cancel")
    browser.wait_for_text("What will be taken back")
    assert "odd-cancelled-0" in browser.text
    assert "odd-cancelled-1" not in browser.text
    assert odd.state(request) is State.RUNNING
    assert browser.problems() == []
    browser.picture("request-cancel")

    enter(browser, "Cancel the request")
    browser.wait_for_text("Cancelling was asked for by admin")
    assert odd.state(request) is State.CANCELLING


def test_what_needs_attention_is_rolled_back_again(browser, odd):
    request = odd.submit("odd-left")
    odd.things(request, "DELETED")
    odd.go(request, "start", "fail", "revert_fail")
    browser.go(page(request))

    browser.press("Roll back again")

    browser.wait(lambda: odd.state(request) in ENDED, "a conductor to take back what is left", 60)
    browser.wait_for_text("Failed", 10)


def test_a_retry_is_carried_out_and_says_why_it_failed(browser, odd):
    request = odd.submit("odd-again")
    odd.go(request, "start", "fail", "reverted", told="There was no reason.")
    browser.go(page(request))

    browser.press("Try again")

    browser.wait(lambda: odd.state(request) is State.FAILED, "a conductor to fail it", 60)
    browser.wait_for_text("Attempt 2")
    browser.wait_for_text("Object storage (Swift): could not read", 10)


def test_a_retry_that_is_locked_out_leads_to_the_holder(browser, odd):
    request = odd.submit("odd-locked")
    odd.go(request, "start", "fail", "reverted")
    holder = odd.submit("odd-locked")
    browser.go(page(request))

    browser.press("Try again")

    assert "Another request works on the same thing." in browser.text
    assert browser.problems() == []
    browser.click(browser.css(".alert-danger a"))
    browser.wait(lambda: browser.path == page(holder), "the holder's page")


def test_the_timeline_can_be_downloaded(browser, odd):
    request = odd.submit("odd-kept")
    browser.go(page(request))
    url = browser.css("#timeline-download").get_attribute("href")

    text = browser.driver.execute_async_script(
        "fetch(arguments[0]).then((answer) => answer.text()).then(arguments[1])", url
    )

    assert '"kind": "submit"' in text
    assert '"source": "dashboard 192.0.2.7"' in text


def enter(browser, label):
    """Go to what has that label with the Tab key, and press Enter."""
    for _step in range(120):
        ActionChains(browser.driver).send_keys(Keys.TAB).perform()
        if browser.driver.execute_script("return document.activeElement.innerText.trim()") == label:
            ActionChains(browser.driver).send_keys(Keys.ENTER).perform()
            return
    raise AssertionError(f"the Tab key leads to no {label!r} on {browser.path}")
