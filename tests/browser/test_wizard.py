"""What the wizard's script adds: saving while one types, live numbers and problems, one POST, search, two tabs."""

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from tests.browser import wizard


@pytest.fixture
def draft(browser):
    """A draft of its own on the first step; deleted at the end."""
    wizard.begin(browser)
    key = browser.path.split("/drafts/")[1].split("/")[0]
    yield f"/infrastructure/deployments/drafts/{key}"
    browser.driver.execute_script("window.onbeforeunload = null")
    wizard.delete(browser, key)


def saved(browser):
    return browser.wait(
        lambda: (
            browser.css("[data-save-state]").get_attribute("data-save-state") == "saved"
            and browser.css("[data-save-state]").text
        ),
        "the draft to be saved",
    )


def type_and_wait(browser, field, text):
    """Type, and wait until the server has it."""
    before = browser.css("[data-save-state]").text
    browser.fill(field, text)
    browser.wait(lambda: browser.css("[data-save-state]").text != before, "a save")
    return saved(browser)


def test_what_is_typed_is_saved_without_a_press(browser, draft):
    type_and_wait(browser, "id_name", "typed-only")

    browser.go(f"{draft}/roles/").go(f"{draft}/name/")

    assert browser.value("id_name") == "typed-only"


def test_a_problem_shows_while_one_types_and_goes_again(browser, draft):
    type_and_wait(browser, "id_name", "not a name")
    browser.wait_for_text("1 problem to solve")
    assert browser.css("#id_name").get_attribute("aria-invalid") == "true"

    browser.fill("id_name", "a-name")

    browser.wait(lambda: "problem" not in browser.text, "the problem to go")
    assert browser.css("#id_name").get_attribute("aria-invalid") == "false"


def test_back_keeps_what_was_typed(browser, draft):
    browser.fill("id_name", "first-name")
    browser.press("Continue to Roles")

    browser.driver.back()

    browser.wait(lambda: browser.path.startswith(f"{draft}/name/"), "the first step")
    browser.wait(lambda: browser.value("id_name") == "first-name", "what was typed")


def test_enter_goes_on(browser, draft):
    browser.fill("id_name", "by-keyboard")

    browser.css("#id_name").send_keys(Keys.ENTER)

    browser.wait(lambda: wizard.step(browser) == "roles", "the next step")


def test_a_login_that_ended_is_said_and_the_draft_is_there_after_the_next(browser, draft, credentials):
    type_and_wait(browser, "id_name", "before-the-end")
    browser.driver.delete_cookie("sessionid")

    browser.fill("id_name", "after-the-end")

    browser.wait_for_text("you are signed out")
    assert browser.value("id_name") == "after-the-end"
    browser.driver.execute_script("document.getElementById('wizard-form').dataset.submitted = 'yes'")
    browser.sign_in(*credentials)
    browser.go(f"{draft}/name/")
    assert browser.value("id_name") == "before-the-end"


def test_numbers_follow_the_counts_at_once(browser, draft):
    browser.go(f"{draft}/counts/")

    browser.fill("id_Compute-1_count", "99")
    assert "missing" in wizard.words(browser, "Compute-1")
    browser.css("#id_Compute-1_count").send_keys(Keys.ARROW_DOWN)
    assert browser.value("id_Compute-1_count") == "98"
    browser.click(browser.css("[data-for='id_Compute-1_count'][data-spin='1']"))
    assert browser.value("id_Compute-1_count") == "99"

    assert browser.css("[data-total]").text == "100"
    later = browser.driver.execute_script("return performance.getEntriesByType('resource').map((e) => e.name)")
    assert all("autosave" in name for name in later if "/drafts/" in name)


def test_search_finds_parameters_and_sends_nothing(browser, draft):
    browser.go(f"{draft}/parameters/")

    browser.fill("wizard-search", "nova ratio")

    shown = [item.text for item in browser.all("[data-search]") if item.is_displayed()]
    assert shown
    assert all("Nova" in text or "nova" in text for text in shown)
    assert browser.css("#wizard-search-count").text == f"{len(shown)} found"
    browser.css("#wizard-search").send_keys(Keys.ENTER)
    assert wizard.step(browser) == "parameters"


def test_two_tabs_see_each_other_and_nothing_is_lost(browser, draft):
    driver = browser.driver
    first = driver.current_window_handle
    driver.switch_to.new_window("tab")
    try:
        browser.go(f"{draft}/name/")
        type_and_wait(browser, "id_name", "of-the-second")
    finally:
        driver.close()
        driver.switch_to.window(first)

    browser.fill("id_name", "of-the-first")
    browser.wait_for_text("changed in another tab")
    browser.press("Continue to Roles")

    assert "of-the-second" in browser.text
    assert browser.value("id_name") == "of-the-first"
    assert wizard.problems(browser) == []
    browser.press("Keep what is here")
    assert browser.value("id_name") == "of-the-first"


def test_a_double_click_is_one_post(browser, draft):
    posts = """
      window.posts = 0;
      document.getElementById("wizard-form").addEventListener("submit", (event) => {
        if (!event.defaultPrevented) window.posts += 1;
        event.preventDefault();
      });
      const button = document.querySelector(".wizard-footer .btn-primary");
      button.click();
      button.click();
      return window.posts;
    """
    assert browser.driver.execute_script(posts) == 1
    browser.go(f"{draft}/name/")


def test_all_is_reached_with_the_keyboard(browser, draft):
    browser.go(f"{draft}/counts/")
    reached = []
    for _press in range(120):
        browser.driver.switch_to.active_element.send_keys(Keys.TAB)
        reached.append(browser.driver.switch_to.active_element.get_attribute("id"))
        if browser.driver.switch_to.active_element.text == "Continue to Parameters":
            break

    wanted = {"step-name", "step-review", "id_Compute-1_count", "id_Compute-1_flavor", "id_Compute-1_image"}
    assert wanted <= set(reached)
    browser.driver.switch_to.active_element.send_keys(Keys.ENTER)
    browser.wait(lambda: wizard.step(browser) == "parameters", "the next step")


def test_an_unknown_draft_leads_on(browser):
    browser.go(f"/infrastructure/deployments/drafts/{'0' * 32}/name/")

    assert "Draft not found" in browser.text
    assert browser.driver.find_elements(By.LINK_TEXT, "Plan a new overcloud")
    assert wizard.problems(browser) == []
