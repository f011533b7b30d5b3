"""The readiness checklist: nodes, images, plan, deployed. Each step asks one service and fails alone."""

from collections import Counter
from dataclasses import dataclass
from functools import partial

from django.urls import NoReverseMatch, reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tripleo_ui.orchestration import api
from tripleo_ui.services import nodes as ironic
from tripleo_ui.web import badges, failures, request_summary
from tripleo_ui.web.badges import Badge
from tripleo_ui.web.failures import Failure, Part

_STACKS = 1000
_RECENT = 5


@dataclass(frozen=True)
class Link:
    """Where a step is done."""

    label: str
    url: str


@dataclass(frozen=True)
class Step:
    """One line of the checklist.

    ``headline`` is the number that matters, ``facts`` are (number, words) beside it; ``next_step`` says what to do
    where the step is not done, ``link`` where.
    """

    slug: str
    title: str
    done: bool
    badge: Badge
    headline: str = ""
    facts: tuple[tuple[int, str], ...] = ()
    next_step: str = ""
    link: Link | None = None
    failure: Failure | None = None


@dataclass(frozen=True)
class Readiness:
    """All steps, the first that is not done, and the newest requests."""

    steps: tuple[Step, ...]
    next: Step | None
    requests: Part
    active: bool

    @property
    def done(self) -> int:
        """How many steps are done."""
        return sum(step.done for step in self.steps)


def look(cloud, requester: api.Requester) -> Readiness:
    """Ask the services, all at once: four calls at 1000 nodes or fewer."""
    parts = failures.gather(
        {
            "nodes": cloud.nodes.list,
            "images": cloud.glance.images,
            "plans": cloud.plans.names,
            "stacks": partial(cloud.heat.list, limit=_STACKS),
        }
    )
    requests = failures.attempt(lambda: _recent(requester), _("list requests"))
    steps = (
        _step("nodes", _("Nodes"), parts["nodes"], _nodes),
        _step("images", _("Images"), parts["images"], _images),
        _step("plan", _("Plan"), parts["plans"], _plans),
        _step("deployed", _("Deployed"), parts["stacks"], _deployed),
    )
    # Beyond a step that could not be asked, nobody knows what comes next.
    undone = next((step for step in steps if not step.done), None)
    busy = any(row.active for row in requests.value or ())
    under_way = any(stack.in_progress for stack in parts["stacks"].value or ())
    return Readiness(steps, undone if undone and undone.failure is None else None, requests, busy or under_way)


def _recent(requester):
    return [request_summary.summary(item) for item in api.find(requester.project_id, limit=_RECENT).items]


def _step(slug, title, part, build):
    if not part.ok:
        return Step(slug, title, False, Badge(_("Unknown"), badges.WARNING), failure=part.failure)
    return build(slug, title, part.value)


def _state(done, busy=False):
    if busy:
        return Badge(_("Under way"), badges.BUSY)
    return Badge(_("Ready"), badges.OK) if done else Badge(_("To do"), badges.IDLE)


def _nodes(slug, title, nodes):
    free = sum(node.free for node in nodes)
    states = ironic.counts(nodes)
    in_use = states["active"]
    other = len(nodes) - free - in_use - states["maintenance"]
    facts = [(in_use, _("in use")), (states["maintenance"], _("in maintenance")), (other, _("in other states"))]
    done = bool(free or in_use)
    next_step = ""
    if not nodes:
        next_step = _("Register the machines that the overcloud will run on with the bare metal service.")
    elif not done:
        next_step = _("No node is available: look at their states, and make them available.")
    return Step(
        slug,
        title,
        done,
        _state(done),
        headline=_("%(free)s of %(all)s free") % {"free": free, "all": len(nodes)},
        facts=tuple((number, words) for number, words in facts if number),
        next_step=next_step,
        link=_link(_("Bare metal nodes"), "horizon:admin:ironic:index"),
    )


def _images(slug, title, images):
    done = bool(images)
    return Step(
        slug,
        title,
        done,
        _state(done),
        headline=ngettext("%(n)s image", "%(n)s images", len(images)) % {"n": len(images)},
        next_step="" if done else _("Upload the image that nodes are deployed with."),
        link=_link(_("Images"), "horizon:project:images:index"),
    )


def _plans(slug, title, names):
    done = bool(names)
    label = _("Plans") if done else _("Plan an overcloud")
    return Step(
        slug,
        title,
        done,
        _state(done),
        headline=ngettext("%(n)s plan", "%(n)s plans", len(names)) % {"n": len(names)},
        next_step="" if done else _("Choose roles, numbers of nodes and parameters in the wizard."),
        link=_link(label, f"horizon:infrastructure:deployments:{'index' if done else 'create'}"),
    )


def _deployed(slug, title, stacks):
    counted = Counter("failed" if stack.failed else "busy" if stack.in_progress else "well" for stack in stacks)
    done = counted["well"] > 0
    facts = [(counted["busy"], _("under way")), (counted["failed"], _("failed"))]
    next_step = ""
    if counted["failed"] and not done:
        next_step = _("A deployment failed: its page says why, and lets you try again.")
    elif not stacks:
        next_step = _("Deploy a plan; its page shows each node as it comes up.")
    shown = Badge(_("Failed"), badges.FAILED) if counted["failed"] and not counted["busy"] else None
    return Step(
        slug,
        title,
        done,
        shown or _state(done, counted["busy"] > 0),
        headline=ngettext("%(n)s overcloud", "%(n)s overclouds", counted["well"]) % {"n": counted["well"]},
        facts=tuple((number, words) for number, words in facts if number),
        next_step=next_step,
        link=_link(_("Deployments"), "horizon:infrastructure:deployments:index"),
    )


def _link(label, view):
    """A link to a panel that may not be installed."""
    try:
        return Link(label, reverse(view))
    except NoReverseMatch:
        return None
