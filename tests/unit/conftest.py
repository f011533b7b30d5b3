"""Unit tests reach nothing: a call that leaves the process raises."""

import pytest
import requests.adapters


@pytest.fixture(autouse=True)
def no_network(monkeypatch):
    def refuse(_adapter, request, **_more):
        raise AssertionError(f"a unit test called {request.method} {request.url}")

    monkeypatch.setattr(requests.adapters.HTTPAdapter, "send", refuse)
