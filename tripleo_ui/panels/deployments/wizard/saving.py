"""Saving what a form posts, so that two tabs, a slow autosave or a second click never lose anything."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tripleo_ui.web.drafts import Drafts

from . import sections


@dataclass(frozen=True)
class Posted:
    """One save of one step.

    ``seen`` is the fingerprint of what the page showed at first. ``tab`` names the page that posts; ``turn``
    counts its saves, so that one that arrives late never overwrites a newer one.
    """

    slug: str
    section: Mapping[str, str]
    seen: str
    tab: str
    turn: int
    leaves: bool = False


class Conflict(Exception):
    """Another tab changed the step since this one was shown; nothing was saved."""

    def __init__(self, differences: list[sections.Difference], draft: Any):
        super().__init__("the step was changed in another tab")
        self.differences = differences
        self.draft = draft


def posted(request, slug: str, section: Mapping[str, str], leaves: bool) -> Posted:
    """What a request's form says about itself."""
    turn = request.POST.get("turn", "0")
    return Posted(
        slug=slug,
        section=section,
        seen=request.POST.get("seen", ""),
        tab=request.POST.get("tab", ""),
        turn=int(turn) if turn.isdecimal() else 0,
        leaves=leaves,
    )


def save(mine: Drafts, key: str, new: Posted):
    """Put a step's section into the draft.

    Returns:
        The draft as stored, or None where there is no such draft.

    Raises:
        Conflict: another tab typed something else in the same step.
    """

    def change(data: dict[str, Any]) -> dict[str, Any]:
        stored = dict(data.get(new.slug, {}))
        merged = {**stored, **new.section}
        saver = data.get("savers", {}).get(new.slug, ["", 0])
        if saver[0] == new.tab and saver[1] > new.turn:
            merged = stored
        elif merged != stored and saver[0] != new.tab and sections.digest(stored) != new.seen:
            found = sections.differences({new.slug: stored}, {new.slug: merged})
            raise Conflict(found, mine.load(key))
        visited = list(data.get("visited", ()))
        if new.leaves and new.slug not in visited:
            visited.append(new.slug)
        savers = {**data.get("savers", {}), new.slug: [new.tab, max(new.turn, 0)]}
        return {**data, new.slug: merged, "visited": visited, "savers": savers}

    return mine.update(key, change)
