"""Nodes that each role takes: how many are free, how many are missing. ``wizard_numbers.js`` computes the same."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _


@dataclass(frozen=True)
class Want:
    """What one role asks for; ``count`` is the text as typed."""

    role: str
    count: str
    flavor: str


@dataclass(frozen=True)
class Numbers:
    """What a page says beside a count. ``state`` is one of none, enough, missing, unknown."""

    state: str
    missing: int
    free: int | None
    wanted: int

    @property
    def word(self) -> str:
        """The state as a word."""
        return {
            "none": _("No nodes wanted"),
            "enough": _("Enough nodes"),
            "missing": _("%(n)s missing") % {"n": self.missing},
            "unknown": _("Not known"),
        }[self.state]

    @property
    def detail(self) -> str:
        """The numbers behind the word."""
        if self.free is None:
            return ""
        return _("%(free)s free and matching, %(wanted)s to take") % {"free": self.free, "wanted": self.wanted}


def compute(wants: Iterable[Want], free: Mapping[str, int], owned: Mapping[str, int]) -> dict[str, Numbers]:
    """Share out the free nodes of each flavor among the roles, in their order.

    Args:
        wants: what the roles ask for.
        free: flavor name to nodes that are available and match it.
        owned: role to nodes that the deployed overcloud gave it already; it needs no new ones for these.
    """
    taken: dict[str, int] = {}
    result = {}
    for want in wants:
        count = int(want.count) if want.count.strip().isdecimal() else 0
        wanted = max(0, count - owned.get(want.role, 0))
        available = free.get(want.flavor)
        left = 0 if available is None else max(0, available - taken.get(want.flavor, 0))
        taken[want.flavor] = taken.get(want.flavor, 0) + wanted
        missing = 0 if available is None else max(0, wanted - left)
        result[want.role] = Numbers(_state(available, missing, count), missing, available, wanted)
    return result


def _state(available, missing, count):
    if available is None:
        return "unknown"
    if missing:
        return "missing"
    return "enough" if count else "none"
