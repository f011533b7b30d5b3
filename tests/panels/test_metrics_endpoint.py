"""Metrics over HTTP: for a token, not for a session."""

from dataclasses import replace

import pytest
from django.test import Client
from prometheus_client.parser import text_string_to_metric_families

from tests.panels.plans import deploy, save
from tripleo_ui import config
from tripleo_ui.orchestration import metrics

URL = "/infrastructure/metrics"
TOKEN = "only Prometheus knows it"


@pytest.fixture
def token(monkeypatch):
    made = replace(config.settings._values, metrics_token=TOKEN)
    monkeypatch.setitem(config.settings.__dict__, "_values", made)


def scrape(authorization=f"Bearer {TOKEN}", method="get"):
    return getattr(Client(), method)(URL, headers={"Authorization": authorization} if authorization else {})


def test_prometheus_reads_the_queue_without_a_session(token, admin):
    deploy(save(admin.cloud))
    answer = scrape()

    assert answer.status_code == 200
    assert answer["Content-Type"].startswith("text/plain; version=")
    assert "no-store" in answer["Cache-Control"]
    assert not answer.cookies
    families = {family.name: family for family in text_string_to_metric_families(answer.text)}
    assert families["tripleo_ui_queue_requests"].samples[0].value == 1


@pytest.mark.parametrize("authorization", ["", "Bearer", "Bearer wrong", TOKEN, f"Basic {TOKEN}", "Bearer žluť"])
def test_nobody_else_reads_anything(token, authorization):
    answer = scrape(authorization)
    assert answer.status_code == 401
    assert answer["WWW-Authenticate"] == "Bearer"
    assert "tripleo_ui_" not in answer.text


def test_a_session_is_no_token(token, admin):
    assert admin.client.get(URL).status_code == 401


@pytest.mark.parametrize("authorization", ["", "Bearer ", f"Bearer {TOKEN}"])
def test_without_the_setting_there_is_no_such_page(authorization):
    assert scrape(authorization).status_code == 404


def test_it_is_only_read(token):
    assert scrape(method="post").status_code == 405


def test_a_database_that_is_away_is_told_without_its_address(token, monkeypatch):
    def fail():
        raise RuntimeError("postgresql://ui:s3cret@db/ui")

    monkeypatch.setattr(metrics, "text", fail)
    answer = scrape()
    assert answer.status_code == 503
    assert "s3cret" not in answer.text
