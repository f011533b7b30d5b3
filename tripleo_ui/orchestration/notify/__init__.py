"""Tells people and programs outside what became of requests, at least once.

A channel is a class of the entry point group ``tripleo_ui.notifications``, made without arguments; the setting NOTIFY
names those in use. Notices are written in the transaction of their event (``outbox``) and sent by conductors
(``deliver``).
"""

from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Protocol

GROUP = "tripleo_ui.notifications"


@dataclass(frozen=True)
class Notice:
    """What happened to a request. ``id`` is the same however often it is sent: a receiver drops what it has seen.

    ``state`` is what the event led to, ``kind`` the event's own name, ``at`` in UTC; ``actor`` is empty where no person
    caused it.
    """

    id: str
    at: datetime
    kind: str
    state: str
    phase: str
    message: str
    actor: str
    request_id: str
    workflow: str
    title: str
    user_name: str
    project_id: str
    project_name: str
    region: str

    def as_dict(self) -> dict[str, Any]:
        """The fields for JSON."""
        return {**asdict(self), "at": self.at.isoformat()}


class NotDelivered(Exception):
    """A channel could not hand a notice over; the text says why, without secrets and addresses that hold some."""


class Channel(Protocol):
    """A way to tell somebody. ``send`` takes seconds, not minutes, and may be asked again for the same notice."""

    name: str

    def send(self, notice: Notice) -> None:
        """Hand the notice over.

        Raises:
            NotDelivered: it is tried again later.
        """
