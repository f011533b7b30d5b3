"""What a draft holds: for each step a section, a flat mapping of a form field's name to its text as typed.

Flat text makes the rest simple: saving what a form posts, seeing that two tabs typed different things, and putting
one person's changes on top of another's.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from .steps import TYPED

Section = Mapping[str, str]
Sections = Mapping[str, Section]

#: Form fields that steer the wizard and are no input of the plan.
_CONTROLS = frozenset({"csrfmiddlewaretoken", "seen", "tab", "turn", "goto", "finish", "shown"})

#: Prefix of the fields for passwords, which no draft ever holds.
SECRET = "secret:"  # noqa: S105 - a prefix of field names, no secret


class Difference(NamedTuple):
    """A field that two sides hold different texts for; None where a side has none."""

    section: str
    field: str
    before: str | None
    after: str | None


def typed(post, without: Iterable[str] = ()) -> dict[str, str]:
    """The section that a plain form posted: every field as typed, with line ends of one kind.

    Args:
        post: a Django ``QueryDict``.
        without: names that must not enter the draft, such as those of hidden parameters.
    """
    skipped = _CONTROLS | frozenset(without)
    return {
        name: post[name].replace("\r\n", "\n") for name in post if name not in skipped and not name.startswith(SECRET)
    }


def typed_roles(post, services: Iterable[str]) -> dict[str, str]:
    """The section of the roles form, whose checkboxes post nothing while they are off.

    Args:
        post: a Django ``QueryDict``; ``shown`` names the roles that the form showed.
        services: keys of all cloud services.
    """
    section = {}
    chosen = set(post.getlist("role"))
    for role in post.getlist("shown"):
        section[role] = _switch(role in chosen)
        on = set(post.getlist(f"{role}.service"))
        for service in services:
            section[f"{role}.service.{service}"] = _switch(service in on)
            element = post.get(f"{role}.element.{service}")
            if element is not None:
                section[f"{role}.element.{service}"] = element
    return section


def _switch(on):
    return "on" if on else "off"


def digest(value: Mapping) -> str:
    """A short fingerprint of a section or of several, to see whether another tab changed them."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def of(data: Mapping) -> dict[str, dict[str, str]]:
    """All sections of a draft's data; a step that nobody visited yet is empty."""
    return {slug: dict(data.get(slug, {})) for slug in TYPED}


def differences(before: Sections, after: Sections) -> list[Difference]:
    """Fields that differ between two drafts, in the order of the steps."""
    found = []
    for slug in TYPED:
        old, new = before.get(slug, {}), after.get(slug, {})
        names = [*old, *(name for name in new if name not in old)]
        found += [
            Difference(slug, name, old.get(name), new.get(name)) for name in names if old.get(name) != new.get(name)
        ]
    return found


def on_top(base: Sections, mine: Sections, theirs: Sections) -> dict[str, dict[str, str]]:
    """Theirs, with what I changed since the base put on top.

    A field that I left as it was in the base takes their text; one that I changed keeps mine. A field that a form
    did not show me is unchanged.
    """
    merged = {slug: dict(theirs.get(slug, {})) for slug in TYPED}
    for slug in TYPED:
        old = base.get(slug, {})
        merged[slug].update({name: text for name, text in mine.get(slug, {}).items() if text != old.get(name)})
    return merged
