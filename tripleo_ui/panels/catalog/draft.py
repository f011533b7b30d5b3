"""What a person typed into the form of an order: one draft for each item and person, without secrets."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from tripleo_ui.catalog.fields import Dialog
from tripleo_ui.orchestration.drafts import DraftConflict
from tripleo_ui.web import dialog_forms
from tripleo_ui.web.drafts import Drafts

from . import where

KIND = "order"


@dataclass(frozen=True)
class Entered:
    """The form's values: where it goes, and parameter name → text, secrets too where they were just posted."""

    where: where.Typed = where.NOWHERE
    answers: Mapping[str, str] = field(default_factory=dict, repr=False)


@dataclass(frozen=True)
class Draft:
    """A stored draft; ``revision`` is 0 and there is no time where there is none."""

    entered: Entered = Entered()
    revision: int = 0
    updated_at: datetime | None = None


class DraftOf:
    """The draft of the person who is signed in for one item."""

    def __init__(self, request, item_id: str):
        self._drafts = Drafts(request, KIND)
        self._key = key(item_id)

    def load(self) -> Draft:
        """What is stored."""
        found = self._drafts.load(self._key)
        if found is None:
            return Draft()
        entered = Entered(where.Typed.read(found.data), dict(found.data.get("answers", {})))
        return Draft(entered, found.revision, found.updated_at)

    def save(self, dialog: Dialog, entered: Entered, revision: int | None) -> Draft:
        """Store what was typed, without secrets, over the revision that the form was drawn with.

        Args:
            dialog: the item's dialog, which knows what is secret.
            entered: what was typed.
            revision: of the form; None where what is stored does not matter.

        Raises:
            DraftConflict: the form was filled in in another window, too.
        """
        data = {**entered.where.data(), "answers": dialog_forms.kept(dialog, entered.answers)}
        stored = self._drafts.load(self._key)
        if stored is not None and revision is not None and stored.revision != revision:
            if stored.data != data:
                raise DraftConflict(stored)
            return Draft(entered, stored.revision, stored.updated_at)
        saved = self._drafts.save(self._key, data, stored.revision if stored else None)
        return Draft(entered, saved.revision, saved.updated_at)

    def delete(self) -> None:
        """Forget it."""
        self._drafts.delete(self._key)


def key(item_id: str) -> str:
    """The draft's key: ids of items may be longer than keys."""
    return hashlib.sha256(item_id.encode()).hexdigest()[:40]
