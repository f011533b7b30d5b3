"""Options and rules for every kind of test."""

import os

import pytest


def pytest_addoption(parser):
    group = parser.getgroup("tripleo_ui")
    group.addoption("--update-baselines", action="store_true", help="write the numbers of API calls that were counted")
    group.addoption("--screenshots", metavar="FOLDER", help="where the browser tests put the pictures of the pages")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """In CI everything is there: a test that is skipped because something is absent has failed."""
    report = yield
    if report.skipped and os.environ.get("CI") and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"skipped in CI, where nothing may be absent: {report.longrepr}"
    return report
