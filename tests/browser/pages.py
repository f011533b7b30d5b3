"""What a person does in a browser: sign in, fill in, press, look. No test speaks to Selenium but through this."""

import importlib.resources
import re
import time
from pathlib import Path

from selenium.common.exceptions import StaleElementReferenceException, WebDriverException
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import Select

WIDTHS = {1440: 1000, 390: 844}

_AXE = (importlib.resources.files("axe_playwright_python") / "axe.min.js").read_text()
_RUN_AXE = """
const done = arguments[arguments.length - 1];
axe.run({include: ["#content_body"], exclude: [".page-breadcrumb"]}, {resultTypes: ["violations"]}).then(
  (result) => done(result.violations.map(
    (v) => [v.impact, v.id, v.help, v.nodes.map((n) => n.html + " " + n.failureSummary)])),
  (error) => done([["critical", "axe", String(error), []]]));
"""

_NAMED = """
const named = [...document.querySelectorAll("#content_body button, #content_body a, .modal button")];
return named.find((e) => e.getClientRects().length && e.innerText.trim() === arguments[0]) || null;
"""


class Browser:
    """A signed-in browser on one dashboard."""

    def __init__(self, driver, url, pictures=None):
        self.driver = driver
        self.url = url.rstrip("/")
        self.pictures = Path(pictures) if pictures else None

    # -- where it is

    @property
    def path(self):
        return re.sub(r"^https?://[^/]+", "", self.driver.current_url)

    def go(self, path):
        self.driver.get(self.url + path)
        return self

    def sign_in(self, user, password, domain="Default", project=""):
        self.wait(self._sign_out, "the login form", 60)
        self.fill("id_username", user)
        self.fill("id_password", password)
        if self.driver.find_elements(By.ID, "id_domain"):
            self.fill("id_domain", domain)
        self.css("#loginBtn").click()
        self.wait(lambda: "/auth/login" not in self.path, "the login to be accepted", 60)
        if project:
            self.go(f"/auth/switch/{project}/?next=/infrastructure/")
        return self

    def _sign_out(self):
        """An answer that was under way may bring the old session's cookie back, so this is tried again."""
        self.go("/static/dashboard/img/logo.svg")
        self.driver.delete_all_cookies()
        self.go("/auth/login/")
        return self.all("#id_username")

    def use_theme(self, theme):
        """Horizon remembers a theme in a cookie."""
        self.driver.add_cookie({"name": "theme", "value": theme, "path": "/"})
        self.driver.refresh()

    def is_dark(self):
        """Whether the page's background is darker than a middle grey."""
        colour = self.driver.execute_script("return getComputedStyle(document.body).backgroundColor")
        return max(map(int, re.findall(r"\d+", colour)[:3])) < 128

    # -- what it sees

    def css(self, selector):
        found = self.driver.find_elements(By.CSS_SELECTOR, selector)
        assert found, f"no {selector} on {self.path}: {self.text[:1500]}"
        return found[0]

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    @property
    def text(self):
        """The content's text as it is shown, read at once: regions of it are replaced at any time."""
        return self.driver.execute_script(
            "return (document.getElementById('content_body') || document.body || {innerText: ''}).innerText"
        )

    def wait(self, condition, what, seconds=30):
        """Wait until the condition is true; an element that a script replaces meanwhile is looked up again."""
        deadline = time.monotonic() + seconds
        while True:
            try:
                if result := condition():
                    return result
            except (StaleElementReferenceException, AssertionError):
                pass
            if time.monotonic() > deadline:
                raise AssertionError(f"waited {seconds} s for {what} on {self.path}:\n{self.text[:3000]}")
            time.sleep(0.1)

    def wait_for_text(self, text, seconds=30):
        return self.wait(lambda: text in self.text, repr(text), seconds)

    # -- what it does

    def fill(self, element_id, text):
        field = self.css(f"[id='{element_id}']")
        field.clear()
        field.send_keys(text)

    def value(self, element_id):
        return self.css(f"[id='{element_id}']").get_attribute("value")

    def choose(self, element_id, value):
        Select(self.css(f"[id='{element_id}']")).select_by_value(value)

    def tick(self, element_id, on=True):
        box = self.css(f"[id='{element_id}']")
        if box.is_selected() != on:
            self.click(box)

    def click(self, element):
        self.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", element)
        element.click()

    def press(self, label):
        """Press the button or follow the link with that text, and wait for the next page."""
        before = self.driver.find_element(By.TAG_NAME, "html")
        pressed = self.wait(lambda: self._press(label), f"a button {label!r}", 10)
        assert pressed
        self.wait(lambda: _is_gone(before) and self._is_ready(), f"the page after {label!r}", 60)

    def _press(self, label):
        named = self.driver.execute_script(_NAMED, label)
        if named is not None:
            self.click(named)
        return named is not None

    def _is_ready(self):
        return self.driver.execute_script("return document.readyState") == "complete"

    # -- what it checks

    def problems(self):
        """What axe finds in the content that is serious or critical; Horizon's own frame is left out."""
        self.driver.execute_script(_AXE)
        found = self.driver.execute_async_script(_RUN_AXE)
        return [
            f"{rule}: {words} {places}" for impact, rule, words, places in found if impact in {"serious", "critical"}
        ]

    def picture(self, name, theme=""):
        """Keep a picture of the whole page at each width."""
        if self.pictures is None:
            return
        self.pictures.mkdir(parents=True, exist_ok=True)
        for width, height in WIDTHS.items():
            self._resize(width, height)
            needed = self.driver.execute_script("return document.documentElement.scrollHeight")
            self._resize(width, min(max(height, needed), 4000))
            suffix = f"-{theme}" if theme else ""
            self.driver.save_screenshot(str(self.pictures / f"{name}-{width}{suffix}.png"))
        self._resize(1440, WIDTHS[1440])

    def overflows(self, width):
        """Whether the content is wider than a window of that width; tables that scroll on their own do not count."""
        self._resize(width, WIDTHS[width])
        wider = self.driver.execute_script(
            "const page = document.getElementById('content_body'); return page.scrollWidth > page.clientWidth + 1"
        )
        self._resize(1440, WIDTHS[1440])
        return wider

    def _resize(self, width, height):
        self.driver.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False},
        )


def _is_gone(element):
    """Whether a page was left: its root element is stale then."""
    try:
        element.is_enabled()
    except WebDriverException:
        return True
    return False
