"""Walks through the wizard's pages as a browser without scripts does."""

import re

CREATE = "/infrastructure/deployments/create/"
COUNTS = {"Controller-1.count": "1", "Compute-1.count": "2"}


def begin(pages):
    """Start a draft; returns its key."""
    location = pages.post(CREATE, {}).response["Location"]
    return re.search(r"/drafts/([^/]+)/name/", location).group(1)


def url(key, step):
    return f"/infrastructure/deployments/drafts/{key}/{step}/"


def shown(pages, key, step):
    """The page of a step, and the values that its form would post untouched."""
    page = pages.get(url(key, step))
    return page, fields(page)


def fields(page):
    """What a browser would post of a page's form, without a button."""
    found = {}
    for item in page.elements("input"):
        name, kind = item.get("name"), item.get("type", "text")
        if not name or (kind in {"checkbox", "radio"} and "checked" not in item):
            continue
        value = item.get("value", "on" if kind == "checkbox" else "")
        if kind == "checkbox" or name == "shown":
            found.setdefault(name, []).append(value)
        else:
            found[name] = value
    for block in re.findall(r"<select.*?</select>", page.content, re.DOTALL):
        name = re.search(r'name="([^"]*)"', block).group(1)
        chosen = re.search(r'<option value="([^"]*)"\s*selected', block)
        first = re.search(r'<option value="([^"]*)"', block)
        found[name] = (chosen or first).group(1)
    for name, text in re.findall(r'<textarea[^>]*name="([^"]*)"[^>]*>\n?(.*?)</textarea>', page.content, re.DOTALL):
        found[name] = unescape(text)
    return found


def unescape(text):
    for entity, character in (("&quot;", '"'), ("&#x27;", "'"), ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")):
        text = text.replace(entity, character)
    return text


def press(pages, key, step, typed=None, goto="next", status=302):
    """Fill in the step's form as it is shown, change what is typed, press a button; returns where that leads."""
    _page, posted = shown(pages, key, step)
    answer = pages.post(url(key, step), {**posted, **(typed or {}), "goto": goto}, status)
    return answer.response.get("Location", answer)


def walk(pages, name="demo"):
    """A draft with everything filled in, up to the last step; returns its key."""
    key = begin(pages)
    assert press(pages, key, "name", {"name": name, "description": "Of a test"}).endswith("/roles/")
    assert press(pages, key, "roles").endswith("/counts/")
    assert press(pages, key, "counts", COUNTS).endswith("/parameters/")
    assert press(pages, key, "parameters").endswith("/review/")
    return key


def finish(pages, key, button="deploy", typed=None, status=302):
    """Press the last step's button; returns the response."""
    _page, posted = shown(pages, key, "review")
    return pages.post(url(key, "review"), {**posted, **(typed or {}), "finish": button}, status)
