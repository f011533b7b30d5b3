"""Every page, in light and dark, wide and narrow: axe finds nothing serious, nothing sticks out, a picture is kept."""

import pytest

from tests.browser import wizard
from tests.browser.pages import WIDTHS

INFRASTRUCTURE = "/infrastructure"
PAGES = {
    "overview": f"{INFRASTRUCTURE}/",
    "deployments": f"{INFRASTRUCTURE}/deployments/",
    "instances": f"{INFRASTRUCTURE}/instances/",
    "instances-create": f"{INFRASTRUCTURE}/instances/create/",
    "requests": f"{INFRASTRUCTURE}/requests/",
}
STEPS = ("name", "roles", "counts", "parameters", "review")
THEMES = {"default": "", "dark": "dark"}


@pytest.fixture(params=THEMES)
def theme(browser, request):
    browser.use_theme(request.param)
    assert browser.is_dark() == (request.param == "dark")
    yield THEMES[request.param]
    browser.use_theme("default")


@pytest.fixture
def pages(browser):
    """All pages, those of a filled-in draft among them."""
    wizard.begin(browser)
    draft = browser.path.rsplit("/name/", 1)[0]
    browser.fill("id_name", "my-cloud")
    browser.fill("id_description", "The cloud of the user guide.")
    for step in STEPS[:-1]:
        browser.click(browser.css(".wizard-footer .btn-primary"))
        browser.wait(lambda step=step: wizard.step(browser) != step, "the next step")
    yield PAGES | {f"wizard-{step}": f"{draft}/{step}/" for step in STEPS}
    wizard.delete(browser, draft.rsplit("/", 1)[1])


@pytest.mark.timeout(600)
def test_screenshots(browser, pages, theme):
    faults = []
    for name, path in pages.items():
        browser.go(path)
        if name == "wizard-review":
            browser.wait(lambda: browser.all(".wizard-change"), "Heat's preview", 60)
        faults += [f"{name}: {found}" for found in browser.problems()]
        browser.picture(name, theme)
        faults += [f"{name} is wider than {width}" for width in WIDTHS if browser.overflows(width)]
    assert faults == []
