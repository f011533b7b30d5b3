"""The wizard's steps, in order."""

from dataclasses import dataclass

from django.utils.translation import gettext_lazy as _


@dataclass(frozen=True)
class Step:
    """One page of the wizard: its part of the URL and its title."""

    slug: str
    title: str

    @property
    def template(self) -> str:
        """Where its page is drawn."""
        return f"tripleo_ui/deployments/wizard/{self.slug}.html"


STEPS = (
    Step("name", _("Name")),
    Step("roles", _("Roles")),
    Step("counts", _("Nodes")),
    Step("parameters", _("Parameters")),
    Step("review", _("Review")),
)

BY_SLUG = {step.slug: step for step in STEPS}

#: Steps that a person types in; what they typed is a section of the draft with the step's name.
TYPED = tuple(step.slug for step in STEPS if step.slug != "review")


def before(step: Step) -> Step | None:
    """The step before, or None for the first."""
    at = STEPS.index(step)
    return STEPS[at - 1] if at else None


def after(step: Step) -> Step | None:
    """The step after, or None for the last."""
    at = STEPS.index(step)
    return STEPS[at + 1] if at + 1 < len(STEPS) else None
