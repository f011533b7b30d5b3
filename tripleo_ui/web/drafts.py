"""Drafts of the person who is signed in: what they typed, kept on the server until it is carried out or deleted.

A draft belongs to a user and a project; nobody else can load it. It survives back, forward, a server's failure and
a new login. Secrets never enter one.
"""

import uuid
from collections.abc import Callable, Mapping
from typing import Any

from tripleo_ui.orchestration import drafts

_ATTEMPTS = 5


class Drafts:
    """The drafts of one kind that belong to a request's user and project."""

    def __init__(self, request, kind: str):
        self._owner = (request.user.id, request.user.project_id, kind)

    def list(self) -> list[drafts.Draft]:
        """All of them, the newest first."""
        return drafts.list(*self._owner)

    def load(self, key: str) -> drafts.Draft | None:
        """One of them, or None where there is no such draft or it is someone else's."""
        return drafts.load(*self._owner, key)

    def start(self, data: Mapping[str, Any]) -> str:
        """Store a new draft; returns its key."""
        key = uuid.uuid4().hex
        drafts.save(*self._owner, key, dict(data))
        return key

    def save(self, key: str, data: Mapping[str, Any], revision: int | None) -> drafts.Draft:
        """Store a draft if nobody saved it since that revision; without one, over whatever is there.

        Raises:
            drafts.DraftConflict: somebody did.
        """
        return drafts.save(*self._owner, key, dict(data), revision=revision)

    def update(self, key: str, change: Callable[[dict[str, Any]], dict[str, Any]]) -> drafts.Draft | None:
        """Apply a change to what is stored now, however often others save in between.

        Args:
            key: the draft's key.
            change: gets the data as stored and returns it changed; may be called several times.

        Returns:
            The stored draft, or None where there is no such draft.
        """
        for attempt in range(_ATTEMPTS):
            draft = self.load(key)
            if draft is None:
                return None
            try:
                return self.save(key, change(dict(draft.data)), draft.revision)
            except drafts.DraftConflict:
                if attempt == _ATTEMPTS - 1:
                    raise
        return None

    def delete(self, key: str) -> None:
        """Remove one; no error where it is gone already."""
        drafts.delete(*self._owner, key)
