"""What tests of pages do: fetch one, look at its content, count its calls, keep the counts as a baseline."""

import json
import re
from html.parser import HTMLParser
from pathlib import Path

BASELINES = Path(__file__).parents[1] / "baselines"
VOID = {"input", "br", "img", "meta", "link", "hr", "use", "rect", "path", "circle"}


class Pages:
    """A signed-in client and the cloud behind its pages."""

    def __init__(self, client, cloud):
        self.client = client
        self.cloud = cloud

    def get(self, path, status=200, **headers):
        response = self.client.get(path, headers=headers)
        assert response.status_code == status, response.content.decode()[-2000:]
        return Page(response)

    def post(self, path, data, status=302):
        response = self.client.post(path, data)
        assert response.status_code == status, response.content.decode()[-2000:]
        return Page(response)

    def calls_of(self, path):
        """How often each service was called for a page."""
        self.cloud.forget()
        self.get(path)
        return dict(sorted(self.cloud.calls.items()))


class Page:
    """An answer; ``content`` is the part of its HTML that is ours."""

    def __init__(self, response):
        self.response = response
        self.html = response.content.decode()
        start = self.html.find('id="content_body"')
        self.content = self.html[start:] if start >= 0 else self.html
        end = self.content.find('<div id="footer">')
        self.content = self.content[:end] if end >= 0 else self.content

    @property
    def text(self):
        return " ".join(re.sub(r"<template.*?</template>|<[^>]+>", " ", self.content, flags=re.DOTALL).split())

    def attribute(self, name):
        found = re.search(rf'{name}="([^"]*)"', self.content)
        assert found, f"no {name} in {self.content[:1500]}"
        return found.group(1).replace("&quot;", '"').replace("&amp;", "&")

    def elements(self, tag):
        """The attributes of each element of a kind."""
        return Elements(self.content, tag).found


class Elements(HTMLParser):
    def __init__(self, html, tag):
        super().__init__()
        self.tag = tag
        self.found = []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        if tag == self.tag:
            self.found.append(dict(attrs))


def check_baseline(config, page, counted):
    """Compare counted calls with those that are kept; ``--update-baselines`` keeps these instead.

    Args:
        config: pytest's.
        page: the name of the baseline's file.
        counted: calls by service, by size: ``{"10": {"heat": 1}}``.
    """
    file = BASELINES / f"{page}.json"
    if config.getoption("--update-baselines"):
        file.write_text(json.dumps(counted, indent=2, sort_keys=True) + "\n")
    kept = json.loads(file.read_text())
    assert counted == kept, f"{page} makes other calls; if that is meant: pytest --update-baselines"
