"""Why the orchestrator refuses."""

from collections.abc import Iterable

from tripleo_ui.orchestration.records import Request


class OrchestrationError(Exception):
    """The orchestrator cannot do what was asked."""


class Invalid(OrchestrationError):
    """The request makes no sense; ``problems`` are sentences, all of them at once."""

    def __init__(self, problems: Iterable[str]) -> None:
        self.problems = tuple(problems)
        super().__init__(" ".join(self.problems))


class Locked(OrchestrationError):
    """Another request works on the same thing; ``holder`` is that request."""

    def __init__(self, holder: Request) -> None:
        self.holder = holder
        super().__init__(
            f"“{holder.title}” of {holder.requester.user_name} is {holder.state.lower()} on the same target "
            f"(request {holder.id})"
        )


class KeyReused(OrchestrationError):
    """The idempotency key belongs to a request with another content."""


class NotFound(OrchestrationError):
    """There is no such request in the project."""


class NotAllowed(OrchestrationError):
    """The request is in no state in which that can be done."""


class Fenced(OrchestrationError):
    """The lease of this conductor is gone: another one works on the request, and this one must not write."""
