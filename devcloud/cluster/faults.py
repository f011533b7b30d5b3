"""What goes wrong on demand: answers that are errors, that come late, or that never arrive."""

import re
import typing
from dataclasses import asdict, dataclass, fields

from devcloud.cluster import errors


@dataclass
class Fault:
    """One kind of trouble.

    Attributes:
        method: of the requests that it hits; empty for all.
        path: a regular expression that is looked for in path and query.
        status: the code to answer with instead of doing anything; 0 does what was asked.
        reason: the Status's reason.
        message: the Status's message.
        retry_after: seconds for a Retry-After header.
        delay: seconds before anything is done.
        drop: ``before`` closes the connection without doing anything, ``after`` when it was done.
        skip: how many requests pass first.
        times: how many are hit; negative for all.
        hits: how many were.
    """

    method: str = ""
    path: str = ""
    status: int = 0
    reason: str = "InternalError"
    message: str = "a fault that was asked for"
    retry_after: int = 0
    delay: float = 0.0
    drop: str = ""
    skip: int = 0
    times: int = -1
    hits: int = 0

    @classmethod
    def read(cls, content: typing.Any) -> "Fault":
        """Make a fault of a client's JSON.

        Raises:
            ApiError: 400, a name or a value is not known.
        """
        known = {field.name for field in fields(cls)}
        if not isinstance(content, dict) or not set(content) <= known:
            raise errors.bad_request(f"a fault is an object with some of: {', '.join(sorted(known))}")
        fault = cls(**content)
        if fault.drop not in {"", "before", "after"}:
            raise errors.bad_request("drop is before or after")
        try:
            re.compile(fault.path)
        except re.error as error:
            raise errors.bad_request(f"path: {error}") from error
        return fault

    def described(self) -> dict[str, typing.Any]:
        """Return it as JSON."""
        return asdict(self)

    def error(self) -> errors.ApiError:
        """Return the error to answer with."""
        details = {"retryAfterSeconds": self.retry_after} if self.retry_after else None
        return errors.ApiError(self.status, self.reason, self.message, details)


class Faults:
    """The faults that are set, in order; a request meets the first that hits it."""

    def __init__(self) -> None:
        self.active: list[Fault] = []

    def add(self, fault: Fault) -> None:
        """Set another one."""
        self.active.append(fault)

    def clear(self) -> None:
        """Let everything work again."""
        self.active.clear()

    def hit(self, method: str, path: str) -> Fault:
        """Return what a request meets: a fault, or one that does nothing."""
        for fault in self.active:
            if fault.method in {"", method} and re.search(fault.path, path) and fault.times != 0:
                if fault.skip > 0:
                    fault.skip -= 1
                    continue
                fault.times -= 1
                fault.hits += 1
                return fault
        return Fault()
