"""The list of instances: servers of Nova, a page at a call, with the requests that make and delete some of them."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial

from django.urls import reverse
from django.utils.translation import gettext as _

from tripleo_ui.orchestration import api
from tripleo_ui.orchestration.instances import states
from tripleo_ui.services.cloud import Cloud
from tripleo_ui.services.errors import ServiceError
from tripleo_ui.services.nova import Server
from tripleo_ui.web import failures, paging, request_summary
from tripleo_ui.web.badges import Badge
from tripleo_ui.web.failures import Failure
from tripleo_ui.web.request_summary import Summary

from . import machine, servers

_ACTIVE = tuple(state for state in api.State if api.is_active(state))
_UNDONE = (api.State.FAILED, api.State.NEEDS_ATTENTION, api.State.PARTIAL)
_REMEMBERED = timedelta(hours=24)
_REQUESTS = 20
_DELETIONS = 100
_BAD_REQUEST = 400


@dataclass(frozen=True)
class Making:
    """A request that makes instances, or that did not succeed lately: its summary and the state it has reached."""

    summary: Summary
    state: str
    count: int
    url: str


@dataclass(frozen=True)
class Row:
    """A server; ``made_by`` is the page of the request that made it, ``url`` its own page in Horizon, or empty."""

    server: Server
    badge: Badge
    addresses: list[str]
    deleting: bool
    made_by: str
    url: str


@dataclass(frozen=True)
class Listing:
    """A page of servers with the requests above it, and what failed on the way."""

    making: list[Making]
    page: paging.Page
    failures: tuple[Failure, ...]
    known: bool
    active: bool
    filtered: bool


def listing(cloud: Cloud, project_id: str, query: Mapping[str, str]) -> Listing:
    """The page that a query asks for: one call to Nova, whatever the number of servers."""
    parts = failures.gather({"servers": partial(_servers, cloud, query)})
    parts["making"] = failures.attempt(partial(_making, project_id), _("list requests"))
    parts["deleting"] = failures.attempt(partial(_deleting, project_id), _("list requests"))
    found, more, marker = parts["servers"].value or ((), False, "")
    deleting = parts["deleting"].value or frozenset()
    rows = [_row(server, server.id in deleting) for server in found]
    making = parts["making"].value or []
    changing = any(servers.changes(row.server) or row.deleting for row in rows)
    return Listing(
        making=[] if marker else making,
        page=_page(rows, more, marker, query),
        failures=tuple(dict.fromkeys(part.failure for part in parts.values() if part.failure)),
        known=parts["servers"].ok,
        active=changing or any(each.summary.active for each in making),
        filtered=bool(query.get("q") or query.get("status")),
    )


def _servers(cloud, query):
    """Servers, whether there are more, and the marker after which they come; one that is gone is the beginning."""
    only = {}
    if query.get("q", "").strip():
        only["name"] = re.escape(query["q"].strip())
    if query.get("status") in dict(servers.statuses()):
        only["status"] = query["status"]
    marker = query.get("marker", "")
    limit = paging.PAGE_SIZE + 1
    try:
        found, _next = cloud.nova.page(limit, marker, **only)
    except ServiceError as error:
        if not marker or error.status != _BAD_REQUEST:
            raise
        marker = ""
        found, _next = cloud.nova.page(limit, **only)
    return found[: paging.PAGE_SIZE], len(found) == limit, marker


def _page(rows, more, marker, query):
    first = _number(query.get("first", "1")) if marker else 1
    following = {"marker": rows[-1].server.id, "first": str(first + len(rows))} if more else {}
    return paging.Page(
        items=rows,
        total=0 if more or marker else len(rows),
        first=first if rows else 0,
        last=first + len(rows) - 1 if rows else 0,
        previous_url=paging.with_query(query, marker="", first="") if marker else "",
        next_url=paging.with_query(query, **following) if more else "",
    )


def _number(text):
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 9 else 1


def _row(server, deleting):
    made_by = reverse("horizon:infrastructure:instances:detail", args=(server.request,)) if server.request else ""
    return Row(
        server=server,
        badge=servers.badge(server, deleting),
        addresses=servers.addresses(server),
        deleting=deleting,
        made_by=made_by,
        url=servers.url(server.id),
    )


def _making(project_id) -> list[Making]:
    found = api.find(project_id, states=(*_ACTIVE, *_UNDONE), workflow="instance.create", limit=_REQUESTS).items
    since = datetime.now(UTC) - _REMEMBERED
    return [_made(request) for request in found if request.active or request.updated_at > since]


def _made(request) -> Making:
    reached = states.of(request.phase, request.state)
    return Making(
        summary=request_summary.summary(request),
        state=machine.label(reached),
        count=int(request.params.get("count", 1)),
        url=reverse("horizon:infrastructure:instances:detail", args=(request.id,)),
    )


def _deleting(project_id) -> frozenset[str]:
    """The ids of servers that requests delete now."""
    found = api.find(project_id, states=_ACTIVE, workflow="instance.delete", limit=_DELETIONS).items
    return frozenset(server for request in found for server in request.params["servers"])
