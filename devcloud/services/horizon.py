"""Horizon, with the Infrastructure dashboard and, unless they are switched off, two dashboards beside it."""

import re

from devcloud.probe import Probe, require
from devcloud.services.base import Service


def check(probe: Probe) -> None:
    """The login page is there, and so is its style sheet."""
    page = probe.page("horizon", "/auth/login/")
    require('name="username"' in page, "the login page has no field for the user name")
    sheet = re.search(r'href="(/static/dashboard/css/[^"]+\.css)"', page)
    require(sheet is not None, "the login page has no compressed style sheet")
    if sheet:
        probe.page("horizon", sheet[1])


SERVICE = Service("horizon", check, ports=("horizon",), shims=False, database=False)
