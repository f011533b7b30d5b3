"""Options and rules for every kind of test."""

import os
import signal

import pytest

from tests.servers import postgresql_database, postgresql_url, redis_url

__all__ = ["postgresql_database", "postgresql_url", "redis_url"]


def pytest_configure():
    """Told to end, end as after Ctrl-C: servers, clouds and folders that the tests made go with them."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)


def pytest_addoption(parser):
    group = parser.getgroup("tripleo_ui")
    group.addoption("--update-baselines", action="store_true", help="write the API calls that were counted")
    group.addoption("--screenshots", metavar="FOLDER", help="where browser tests put pictures of the pages")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """In CI everything is there: a test that is skipped because something is absent has failed.

    Only what the project never depends on may be missing; such a skip's reason starts with "optional".
    """
    report = yield
    if report.skipped and os.environ.get("CI") and "Skipped: optional" not in str(report.longrepr):
        report.outcome = "failed"
        report.longrepr = f"skipped in CI, where nothing may be absent: {report.longrepr}"
    return report
