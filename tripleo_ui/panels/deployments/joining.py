"""The list of deployments: plans from Swift, stacks from Heat and requests from the orchestrator, joined by name."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from urllib.parse import quote

from django.core.cache import cache
from django.utils.translation import gettext as _

from tripleo_ui.orchestration import api
from tripleo_ui.planning.names import check_plan_name
from tripleo_ui.services.errors import NotFound, ServiceError
from tripleo_ui.services.fanout import gather
from tripleo_ui.services.heat_records import Stack
from tripleo_ui.services.plan_records import PlanInfo
from tripleo_ui.web import badges, failures, paging
from tripleo_ui.web.badges import Badge
from tripleo_ui.web.failures import Failure, Part
from tripleo_ui.web.request_summary import Progress, progress

PLANNED, WORKING, DEPLOYED, FAILED = "planned", "working", "deployed", "failed"
_KNOWN_SECONDS = 60
_STACKS = 1000


@dataclass(frozen=True)
class Deployment:
    """A name with what is known under it; a part that is not there, or whose service failed, is None."""

    name: str
    plan: PlanInfo | None
    stack: Stack | None
    request: api.Request | None

    @property
    def kind(self) -> str:
        """Planned, working, deployed or failed."""
        return kind(self.stack, self.request)

    @property
    def badge(self) -> Badge:
        """The state to show."""
        return badge(self.stack, self.request)

    @property
    def progress(self) -> Progress | None:
        """How far the request is that works on it."""
        return progress(self.request)

    @property
    def changed_since(self) -> bool:
        """Whether the plan was saved after its last deployment."""
        done = self.request
        if not (self.plan and self.stack and done and done.workflow == "overcloud.deploy"):
            return False
        return self.kind == DEPLOYED and done.params.get("etag") not in (None, self.plan.etag)


def kinds() -> list[tuple[str, str]]:
    """The choices of the list's filter."""
    return [(PLANNED, _("Planned")), (WORKING, _("Under way")), (DEPLOYED, _("Deployed")), (FAILED, _("Failed"))]


def kind(stack: Stack | None, request: api.Request | None) -> str:
    """What an overcloud is, by its stack and its newest request."""
    if (request and request.active) or (stack and stack.in_progress):
        return WORKING
    if stack:
        return FAILED if stack.failed else DEPLOYED
    return FAILED if request and badges.of_request(request.state).tone == badges.FAILED else PLANNED


def badge(stack: Stack | None, request: api.Request | None) -> Badge:
    """The state of an overcloud as word, icon and tone."""
    found = kind(stack, request)
    if found == WORKING and request and request.active:
        shown = badges.of_request(request.state)
        if shown.tone != badges.BUSY:
            return shown
        deleting = request.workflow == "overcloud.delete"
        return Badge(_("Undeploying") if deleting else _("Deploying"), badges.BUSY)
    if found == WORKING:
        return badges.of_stack(stack.status)
    return {
        DEPLOYED: Badge(_("Deployed"), badges.OK),
        FAILED: Badge(_("Failed"), badges.FAILED),
        PLANNED: Badge(_("Planned"), badges.IDLE),
    }[found]


def target(requester: api.Requester, name: str) -> str:
    """What requests about an overcloud lock."""
    return api.target_of("overcloud.deploy", requester, {"plan": name})


@dataclass(frozen=True)
class Listing:
    """A page of deployments, and what failed on the way.

    ``known`` says whether names could be read at all, ``plans_known`` whether plans could.
    """

    page: paging.Page
    failures: tuple[Failure, ...]
    known: bool
    plans_known: bool
    active: bool
    filtered: bool


def listing(cloud, requester: api.Requester, query: Mapping[str, str], fresh: bool = True) -> Listing:
    """The page that a query asks for.

    Two calls whatever the number of plans, and two for each plan of the page; those are spared when ``fresh`` is
    false and another look was a moment ago.
    """
    parts = failures.gather({"plans": cloud.plans.names, "stacks": partial(cloud.heat.list, limit=_STACKS)})
    stacks = {stack.name: stack for stack in parts["stacks"].value or ()}
    names = sorted(filter(_may_be_ours, {*(parts["plans"].value or ()), *stacks}), key=str.lower)
    targets = {name: target(requester, name) for name in names}
    parts["requests"] = failures.attempt(
        lambda: api.newest_by_target(requester.project_id, targets.values()), _("list requests")
    )
    requests = parts["requests"].value or {}
    joined = [Deployment(name, None, stacks.get(name), requests.get(targets[name])) for name in names]
    page = paging.numbered(_matching(joined, query), query)
    found = _plans(cloud, requester.project_id, [item.name for item in page.items], parts, fresh)
    rows = [
        Deployment(item.name, found.value.get(item.name), item.stack, item.request)
        for item in page.items
        if item.stack or item.name in found.value
    ]
    shown = paging.Page(rows, page.total, page.first, page.last, page.previous_url, page.next_url)
    return Listing(
        page=shown,
        failures=tuple(part.failure for part in (*parts.values(), found) if part.failure),
        known=parts["plans"].ok and parts["stacks"].ok,
        plans_known=parts["plans"].ok and found.ok,
        active=any(item.kind == WORKING for item in joined),
        filtered=bool(query.get("q") or query.get("state")),
    )


def _may_be_ours(name: str) -> bool:
    """Whether a container or stack can belong to a plan: other names were given by somebody else."""
    try:
        check_plan_name(name)
    except ValueError:
        return False
    return True


def _matching(rows: Iterable[Deployment], query: Mapping[str, str]) -> list[Deployment]:
    text, state = query.get("q", "").strip().lower(), query.get("state", "")
    return [row for row in rows if text in row.name.lower() and state in ("", row.kind)]


def _plans(cloud, project_id, names, parts: Mapping[str, Part], fresh: bool) -> Part:
    """Plans by name; a container that is no plan is left out, one that cannot be read is kept by its name."""
    wanted = [name for name in names if name in (parts["plans"].value or ())]
    keys = {name: f"tripleo-ui-plan-{project_id}-{quote(name)}" for name in wanted}
    kept = {} if fresh else cache.get_many(keys.values())
    found = {name: kept[key] for name, key in keys.items() if key in kept}
    asked = gather({name: partial(cloud.plans.info, name) for name in wanted if name not in found})
    read = {name: answer for name, answer in asked.items() if isinstance(answer, PlanInfo)}
    cache.set_many({keys[name]: info for name, info in read.items()}, _KNOWN_SECONDS)
    errors = [
        answer for answer in asked.values() if isinstance(answer, ServiceError) and not isinstance(answer, NotFound)
    ]
    unread = {name: None for name, answer in asked.items() if answer in errors}
    return Part({**found, **read, **unread}, failures.explain(errors[0]) if errors else None)
