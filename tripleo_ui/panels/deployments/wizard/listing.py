"""Drafts as the list of deployments shows them."""

from dataclasses import dataclass
from datetime import datetime

from django.urls import reverse
from django.utils.translation import gettext as _

from . import state
from .steps import STEPS


@dataclass(frozen=True)
class Item:
    """One draft: a line of the list. ``plan`` is the stored plan that it changes, or empty."""

    key: str
    title: str
    plan: str
    updated_at: datetime
    url: str
    delete_url: str


def drafts_of(request) -> list[Item]:
    """The deployment drafts of the person who is signed in, the newest first."""
    return [_item(draft) for draft in state.drafts(request).list()]


def _item(draft):
    plan = (draft.data.get("origin") or {}).get("plan", "")
    visited = draft.data.get("visited", ())
    resume = next((step.slug for step in STEPS if step.slug not in visited), "review")
    return Item(
        key=draft.key,
        title=plan or draft.data.get("name", {}).get("name") or _("Overcloud without a name"),
        plan=plan,
        updated_at=draft.updated_at,
        url=state.step_url(draft.key, resume),
        delete_url=reverse("horizon:infrastructure:deployments:wizard_delete", args=(draft.key,)),
    )
