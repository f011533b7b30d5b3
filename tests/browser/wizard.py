"""The deployment wizard as a person walks through it."""

from selenium.webdriver.common.by import By

from tripleo_ui.web.schema_forms import element_id


def problems(browser):
    """What axe finds serious, as lines."""
    return browser.problems()


def delete(browser, key):
    """Delete a draft through the list of deployments."""
    browser.go("/infrastructure/deployments/")
    buttons = browser.all(f"form[action$='/drafts/{key}/delete/'] button")
    if buttons:
        browser.click(buttons[0])


def look(browser, name):
    """Every step is checked for accessibility and kept as a picture."""
    found = browser.problems()
    assert found == [], "\n".join(found)
    browser.picture(f"wizard-{name}")


def begin(browser):
    """Start a draft from its own URL; one that was begun before stays as it is."""
    browser.go("/infrastructure/deployments/create/")
    assert browser.path.endswith("/name/")


def step(browser):
    """The slug of the step that is shown."""
    return browser.path.split("#")[0].rstrip("/").rsplit("/", 1)[-1]


def name(browser, text, description=""):
    browser.fill("id_name", text)
    browser.fill("id_description", description)
    look(browser, "name")
    browser.press("Continue to Roles")
    assert step(browser) == "roles"


def roles(browser, wanted):
    for box in browser.all("[data-role-choice]"):
        browser.tick(box.get_attribute("id"), box.get_attribute("value") in wanted)
    look(browser, "roles")
    browser.press("Continue to Nodes")
    assert step(browser) == "counts", browser.text


def counts(browser, wanted):
    for role, count in wanted.items():
        browser.fill(element_id(f"{role}.count"), str(count))
    look(browser, "counts")
    assert {words(browser, role) for role in wanted} == {"Enough nodes"}
    browser.press("Continue to Parameters")
    assert step(browser) == "parameters", browser.text


def words(browser, role):
    """What the page says about the nodes of a role."""
    cell = browser.css(f"[data-role-row='{role}'] [data-numbers]")
    return cell.find_element(By.CSS_SELECTOR, "[data-word]").text


def parameters(browser, values):
    for fold in browser.all("details[data-fold]:not([open]) > summary"):
        browser.click(fold)
    for parameter, text in values.items():
        browser.fill(element_id(parameter), text)
    look(browser, "parameters")
    browser.press("Continue to Review")
    assert step(browser) == "review", browser.text


def review(browser, nodes):
    browser.wait(lambda: browser.all(".wizard-change"), "Heat's preview", 60)
    rows = [row.text for row in browser.all(".wizard-preview tbody tr")]
    assert sum(int(row.split()[-1]) for row in rows if "OS::Nova::Server" in row) == nodes, rows
    look(browser, "review")
