"""Stacks and what is in them, as Heat shows them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Stack:
    """A stack as Heat shows it; ``outputs`` is empty in lists."""

    id: str
    name: str
    status: str
    reason: str = ""
    created_at: str = ""
    updated_at: str = ""
    tags: tuple[str, ...] = ()
    outputs: Mapping[str, Any] = field(default_factory=dict)

    @property
    def in_progress(self) -> bool:
        """Whether Heat still works on it."""
        return self.status.endswith("_IN_PROGRESS")

    @property
    def failed(self) -> bool:
        """Whether the last action failed."""
        return self.status.endswith("_FAILED")

    @property
    def identity(self) -> str:
        """Name and id in the form that saves Heat a redirect."""
        return f"{self.name}/{self.id}"


@dataclass(frozen=True)
class Resource:
    """A resource; ``path`` leads to it from the stack: ``("Controller", "0", "server")``.

    ``stack`` is the name of the nested stack that it is in: a preview has no more than that to say which role it is.
    """

    name: str
    type: str
    status: str
    reason: str
    physical_id: str
    path: tuple[str, ...]
    updated_at: str = ""
    stack: str = ""

    @property
    def failed(self) -> bool:
        """Whether its last action failed."""
        return self.status.endswith("_FAILED")


@dataclass(frozen=True)
class Event:
    """Something that happened to a resource; ``at`` is Heat's UTC time stamp, ``stack_id`` that of its own stack."""

    id: str
    at: str
    resource: str
    status: str
    reason: str
    stack_id: str = ""
    physical_id: str = ""


@dataclass(frozen=True)
class Change:
    """What an update would do to one resource: added, replaced, updated, deleted or unchanged.

    ``stack`` is the name of the nested stack that it is in.
    """

    action: str
    name: str
    type: str
    stack: str = ""
