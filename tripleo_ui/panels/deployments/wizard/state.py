"""One draft during one request: its sections, the plan that they describe, and what is wrong with it."""

from functools import cached_property

from django.urls import reverse

from tripleo_ui.services.errors import ServiceError
from tripleo_ui.web import cloud as web_cloud
from tripleo_ui.web.drafts import Drafts

from . import bases, plans, sections
from .steps import TYPED

KIND = "deployment"


def drafts(request) -> Drafts:
    """The deployment drafts of the person who is signed in."""
    return Drafts(request, KIND)


def step_url(key: str, slug: str) -> str:
    """The URL of one step of one draft."""
    return reverse("horizon:infrastructure:deployments:wizard", args=(key, slug))


class State:
    """A draft and what follows from it, each part computed when a page first needs it."""

    def __init__(self, request, draft):
        self.request = request
        self.draft = draft
        self.key = draft.key
        self.data = dict(draft.data)
        self.failures: list[ServiceError] = []

    @cached_property
    def cloud(self):
        """The services, on behalf of the person who is signed in."""
        return web_cloud.from_request(self.request)

    @cached_property
    def sections(self) -> dict[str, dict[str, str]]:
        """What was typed, per step."""
        return sections.of(self.data)

    @property
    def origin(self) -> dict | None:
        """Which stored plan the draft changes: its name, revision and ETag; None for a new plan."""
        return self.data.get("origin")

    @property
    def visited(self) -> tuple[str, ...]:
        """Steps that the person has left at least once."""
        return tuple(self.data.get("visited", ()))

    @cached_property
    def base(self):
        """The stored plan that the draft changes, without its hidden values; None for a new plan.

        Where it cannot be read now, the failure is noted and the page does without.
        """
        if self.origin is None:
            return None
        try:
            return bases.read(self.request, self.cloud, self.origin)
        except ServiceError as error:
            self.failures.append(error)
            return None

    @cached_property
    def built(self) -> plans.Built:
        """The plan that the sections describe, with everything that is wrong with it."""
        return plans.build(self.sections, self.base)

    @property
    def plan(self):
        """The plan as far as it can be made from what was typed."""
        return self.built.plan

    @property
    def hidden(self) -> frozenset[str]:
        """Names of hidden parameters, whose values never enter the draft."""
        return frozenset(each.name for each in self.built.parameters if each.hidden)

    def problems(self, everything: bool = False) -> list[plans.Problem]:
        """What to tell the person now: not what is missing on steps that they have yet to reach."""
        known = TYPED if everything else self.visited
        return [
            problem
            for problem in self.built.problems
            if problem.step in known or problem.step == "roles" or self._is_typed(problem)
        ]

    def _is_typed(self, problem):
        text = self.sections.get(problem.step, {}).get(problem.field, "")
        return bool(text) and problem.level == "error"

    @property
    def errors_count(self) -> int:
        """How many errors keep the plan from being saved."""
        return sum(problem.level == "error" for problem in self.built.problems)

    def errors(self, slug: str, everything: bool = False) -> dict[str, list[str]]:
        """Messages to show beside the fields of a step, by field name."""
        found: dict[str, list[str]] = {}
        for problem in self.problems(everything):
            if problem.step == slug and problem.level == "error":
                found.setdefault(problem.field, []).append(problem.message)
        return found

    def url(self, slug: str) -> str:
        """The URL of a step of this draft."""
        return step_url(self.key, slug)

    def digest(self, slug: str) -> str:
        """A fingerprint of what a step shows, which its form posts back."""
        return sections.digest(self.sections if slug == "review" else self.sections[slug])


def load(request, key: str) -> State | None:
    """The state of a draft of this person, or None where there is no such draft."""
    draft = drafts(request).load(key)
    return State(request, draft) if draft else None
