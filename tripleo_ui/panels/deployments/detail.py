"""What the tabs of one deployment's page show, each from a few calls that are made at once."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tripleo_ui.orchestration import api
from tripleo_ui.planning import hot, redact
from tripleo_ui.planning.errors import PlanningError
from tripleo_ui.services.errors import NotFound, ServiceError
from tripleo_ui.services.heat_records import Stack
from tripleo_ui.services.heat_secrets import Secrets
from tripleo_ui.services.plan_records import PlanInfo
from tripleo_ui.web import cloud as web_cloud
from tripleo_ui.web import failures, request_summary, status, submitting, svg
from tripleo_ui.web.failures import Part

from . import joining, overcloud, secrets

_EVENTS = 8
_HISTORY = 20
_FILES_KEPT = 50


@dataclass(frozen=True)
class Tab:
    """A tab: its name in the URL, its title, its template, and what fills it."""

    slug: str
    title: str
    template: str
    build: Callable


class Found:
    """One deployment during one request: plan, stack, newest request, each a part that may have failed."""

    def __init__(self, request, name: str, with_plan: bool = True, outputs: bool = False):
        self.name = name
        self.url = reverse("horizon:infrastructure:deployments:detail", args=(name,))
        requester = submitting.requester(request)
        self.project_id = requester.project_id
        self.target = joining.target(requester, name)
        self.cloud = web_cloud.from_request(request)
        calls = {"stack": partial(self._stack, outputs)}
        if with_plan:
            calls["plan"] = self._plan
        parts = failures.gather(calls)
        self.heat = self.cloud.heat.hiding(Secrets(self._packages))
        self.stack_part: Part = parts["stack"]
        self.plan_part: Part = parts.get("plan", Part())
        self.request_part = failures.attempt(lambda: api.newest(self.project_id, self.target), _("read the request"))

    def _stack(self, outputs):
        try:
            found = self.cloud.heat.get(self.name, outputs=outputs)
        except NotFound:
            return None
        # The page tells the reason of a resource, which says more and comes without secrets.
        return replace(found, reason="")

    def _packages(self):
        """The plan's files as they are and, where that is another revision, as they were deployed."""
        revisions = [None]
        deployed = _revision(self.request.params.get("etag")) if self.request else None
        if deployed and not (self.plan and self.plan.revision == deployed):
            revisions.append(deployed)
        try:
            return [self.cloud.plans.read(self.name, revision).files for revision in revisions]
        except ServiceError:
            return None

    def _plan(self):
        try:
            return self.cloud.plans.info(self.name)
        except NotFound:
            return None

    @property
    def stack(self) -> Stack | None:
        """The stack, where there is one and Heat said so."""
        return self.stack_part.value

    @property
    def plan(self) -> PlanInfo | None:
        """The plan as stored, where there is one and Swift said so."""
        return self.plan_part.value

    @property
    def request(self) -> api.Request | None:
        """The newest request about the deployment."""
        return self.request_part.value

    @property
    def exists(self) -> bool:
        """Whether anything is known by the name; what cannot be asked may be there."""
        parts = (self.plan_part, self.stack_part, self.request_part)
        return any(part.value for part in parts) or not all(part.ok for part in parts)

    @property
    def only_plan(self) -> bool:
        """Whether there is a plan and, as Heat says, no stack."""
        return self.plan is not None and self.stack is None and self.stack_part.ok

    @property
    def badge(self):
        """The state to show."""
        return joining.badge(self.stack, self.request)

    @property
    def active(self) -> bool:
        """Whether it may change by itself."""
        return joining.kind(self.stack, self.request) == joining.WORKING

    def failures(self, *more: Part) -> list:
        """What failed so far, each once."""
        parts = (self.plan_part, self.stack_part, self.request_part, *more)
        return list(dict.fromkeys(part.failure for part in parts if part.failure))


def _revision(etag):
    """The number that a plan's ETag begins with."""
    return int(etag.partition("-")[0]) if etag else None


def overview(found: Found) -> dict:
    """The drawing, the progress, the last events, the reason of a failure."""
    context = {"progress": request_summary.progress(found.request), "request": _shown_request(found)}
    if found.stack is None:
        return {**context, **_planned(found)}
    heat, stack = found.heat, found.stack
    parts = failures.gather(
        {
            "resources": lambda: heat.resources(stack),
            "nodes": lambda: found.cloud.nodes.list(only={"associated": "true"}),
            "events": lambda: heat.events(stack, _EVENTS),
        }
    )
    resources = parts["resources"].value or ()
    nodes = {node.instance_id: node for node in parts["nodes"].value or ()}
    roles = overcloud.roles(resources, nodes)
    drawing = overcloud.drawing(found.name, found.badge, roles)
    tally = overcloud.tally(resources)
    if stack.in_progress and tally[1]:
        # Heat's own numbers are newer than those that the conductor wrote down.
        # Nested stacks appear one by one, so the preview's total is the better one at first.
        known = found.request.total if found.request and found.request.active else 0
        context["progress"] = request_summary.Progress(tally[0], max(tally[1], known))
    return {
        **context,
        "failures": found.failures(*parts.values()),
        "stack": stack,
        "drawing": svg.draw(drawing) if parts["resources"].ok else None,
        "summary": drawing.summary,
        "roles": roles,
        "tally": tally,
        "events": overcloud.happened(parts["events"].value or (), resources),
        "reason": heat.failure(stack, resources) if stack.failed else None,
    }


def _planned(found):
    """A plan without a stack is drawn with the nodes that it asks for."""
    if not found.plan:
        return {"failures": found.failures()}
    read = failures.gather({"files": lambda: found.cloud.plans.read(found.name)})["files"]
    try:
        plan = hot.parse(read.value.files) if read.ok else None
    except PlanningError as error:
        return {"failures": found.failures(read), "unreadable": str(error)}
    counts = [(each.name, each.count) for each in plan.roles] if plan else []
    drawing = overcloud.planned(found.name, counts)
    return {
        "failures": found.failures(read),
        "drawing": svg.draw(drawing) if plan else None,
        "summary": drawing.summary,
    }


def _shown_request(found):
    return request_summary.summary(found.request) if found.request else None


def servers(found: Found) -> dict:
    """The servers by role, with addresses and bare metal nodes."""
    if found.stack is None:
        return {"failures": found.failures()}
    parts = failures.gather(
        {
            "resources": lambda: found.heat.resources(found.stack),
            "nodes": lambda: found.cloud.nodes.list(only={"associated": "true"}),
        }
    )
    nodes = {node.instance_id: node for node in parts["nodes"].value or ()}
    return {
        "failures": found.failures(*parts.values()),
        "known": parts["resources"].ok,
        "nodes_known": parts["nodes"].ok,
        "roles": overcloud.roles(parts["resources"].value or (), nodes, found.stack.outputs),
        "stack": found.stack,
    }


def outputs(found: Found) -> dict:
    """The stack's outputs; a value that holds a secret of the plan is masked."""
    if found.stack is None or not overcloud.shown_outputs(found.stack):
        return {"failures": found.failures(), "stack": found.stack, "outputs": ()}
    # Without the plan nobody knows what is secret: where it cannot be read, nothing is shown.
    read = failures.gather({"files": lambda: _files(found)})["files"] if found.plan_part.ok else found.plan_part
    if not read.ok:
        return {"failures": found.failures(read), "stack": found.stack, "outputs": None}
    files_now = read.value.files if read.value else {}
    masked = secrets.mask(overcloud.shown_outputs(found.stack), files_now)
    return {"failures": found.failures(), "stack": found.stack, "outputs": masked}


def _files(found):
    return found.cloud.plans.read(found.name) if found.plan else None


def history(found: Found) -> dict:
    """The requests about the deployment, newest first."""
    part = failures.attempt(
        lambda: api.find(found.project_id, target=found.target, limit=_HISTORY), _("list the deployment's requests")
    )
    rows = [request_summary.summary(item) for item in part.value.items] if part.ok else ()
    return {"failures": found.failures(part), "rows": rows, "known": part.ok}


def files(found: Found) -> dict:
    """The plan's files as they are now, and its revisions."""
    if not found.plan:
        return {"failures": found.failures(), "files": ()}
    part = failures.gather({"history": lambda: found.cloud.plans.history(found.name)})["history"]
    return {
        "failures": found.failures(part),
        "plan": found.plan,
        "files": sorted(found.plan.files.items()),
        "revisions": part.value or (),
    }


def file_text(found: Found, file: str, revision: int | None) -> Part:
    """A file's text without secrets; a failure where it is not there."""
    part = failures.gather({"files": lambda: found.cloud.plans.read(found.name, revision)})["files"]
    if not part.ok:
        return part
    shown = redact.files(part.value.files)
    return Part((part.value.info, shown.get(file)))


TABS = (
    Tab("overview", gettext_lazy("Overview"), "tripleo_ui/deployments/tabs/overview.html", overview),
    Tab("servers", gettext_lazy("Servers"), "tripleo_ui/deployments/tabs/servers.html", servers),
    Tab("outputs", gettext_lazy("Outputs"), "tripleo_ui/deployments/tabs/outputs.html", outputs),
    Tab("requests", gettext_lazy("Requests"), "tripleo_ui/deployments/tabs/requests.html", history),
    Tab("files", gettext_lazy("Files"), "tripleo_ui/deployments/tabs/files.html", files),
)
BY_SLUG = {tab.slug: tab for tab in TABS}


def find(request, name: str, tab: Tab) -> Found:
    """The deployment with as much as the tab needs."""
    return Found(request, name, outputs=tab.slug in {"servers", "outputs"})


def region(found: Found, tab: Tab) -> status.Region:
    """The tab's content, which the status endpoint draws again."""
    context = {**tab.build(found), "found": found, "retry_url": f"{found.url}?tab={tab.slug}", "name": found.name}
    url = reverse("horizon:infrastructure:deployments:status", args=(found.name,)) + f"?tab={tab.slug}"
    return status.region(tab.template, context, url, found.active)
