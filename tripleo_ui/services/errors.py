"""What goes wrong with a service, in terms that a page and an operator can use."""

from dataclasses import dataclass, fields


@dataclass
class ServiceError(Exception):
    """A call to a service failed.

    ``service`` is its name ("heat"), ``operation`` what was tried ("create stack"), ``cause`` why it failed,
    ``request_id`` the service's own id of the request, ``status`` the HTTP status or None when nothing answered.
    """

    service: str
    operation: str
    cause: str
    request_id: str = ""
    status: int | None = None
    next_step: str = ""

    def __str__(self) -> str:
        told = f" (request {self.request_id})" if self.request_id else ""
        return f"{self.service}: {self.operation} failed: {self.cause}{told}"

    def as_dict(self) -> dict[str, str]:
        """The parts that a person is shown, by name."""
        shown = [f.name for f in fields(self) if f.name != "status"]
        return {name: getattr(self, name) for name in shown}


class NotFound(ServiceError):
    """The thing is not there."""


class Conflict(ServiceError):
    """The thing is in the way, or busy."""


class Forbidden(ServiceError):
    """The person may not do that, or is not signed in any more."""


class Unavailable(ServiceError):
    """The service did not answer, or answered that it cannot now; the same call may work later."""


_KINDS: dict[int, type[ServiceError]] = {
    401: Forbidden,
    403: Forbidden,
    404: NotFound,
    409: Conflict,
    412: Conflict,
}

_NEXT_STEPS: dict[type[ServiceError], str] = {
    Forbidden: "Sign in again, or ask for the role that allows it.",
    NotFound: "Reload the page: it may have been deleted meanwhile.",
    Conflict: "Wait until the other operation has ended, then try again.",
    Unavailable: "Check that the service runs, then try again.",
    ServiceError: "Look for the request id in the service's log.",
}


def kind_of(status: int | None) -> type[ServiceError]:
    """The class of error for an HTTP status; None means that nothing answered."""
    if status is None or status in {429, 502, 503, 504}:
        return Unavailable
    return _KINDS.get(status, ServiceError)


def failure(service: str, operation: str, cause: str, request_id: str = "", status: int | None = None) -> ServiceError:
    """The error to raise for what a service answered."""
    kind = kind_of(status)
    return kind(service, operation, cause, request_id, status, _NEXT_STEPS[kind])
