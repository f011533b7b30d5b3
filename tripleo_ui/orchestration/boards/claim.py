"""What a board is, and what it gives."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class Claim:
    """A request that this conductor works on until its lease ends; ``epoch`` fences the claims before it."""

    request_id: str
    project_id: str
    owner: str
    epoch: int


class BoardError(Exception):
    """The board cannot be used as it is configured."""


class Board(Protocol):
    """Claims with leases. Each call is short, and safe beside other conductors."""

    def waiting(self, limit: int, full: Collection[str] = ()) -> list[str]:
        """The requests that nobody works on, in the order to take them; none of the projects in ``full``."""

    def claim(self, request_id: str, owner: str, lease: float) -> Claim | None:
        """Take a request for ``lease`` seconds, or None where another conductor was faster."""

    def renew(self, claim: Claim, lease: float) -> bool:
        """Extend a lease; False where it is lost."""

    def release(self, claim: Claim) -> None:
        """Give a request back before its lease ends, so that the next conductor need not wait for that."""

    def close(self) -> None:
        """End the board's connections."""
