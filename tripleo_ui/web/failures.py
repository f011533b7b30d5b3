"""A part of a page that failed says so, and takes nothing else with it."""

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from sqlalchemy.exc import SQLAlchemyError

from tripleo_ui.services import fanout
from tripleo_ui.services.errors import ServiceError

LOG = logging.getLogger(__name__)


@dataclass(frozen=True)
class Failure:
    """What a person is told: which service, what was tried, why it failed, what to do, under which id to look."""

    service: str
    operation: str
    cause: str
    next_step: str = ""
    request_id: str = ""

    @property
    def title(self) -> str:
        """One line that says what is missing."""
        return _("%(service)s: could not %(operation)s") % {"service": self.service, "operation": self.operation}


@dataclass(frozen=True)
class Part:
    """One part of a page: its value, or the failure to show in its place."""

    value: Any = None
    failure: Failure | None = None

    @property
    def ok(self) -> bool:
        """Whether there is a value."""
        return self.failure is None


def explain(error: ServiceError) -> Failure:
    """What a service's error says to a person."""
    return Failure(
        service=_names().get(error.service, error.service.capitalize()),
        operation=error.operation,
        cause=error.cause,
        next_step=error.next_step,
        request_id=error.request_id,
    )


def explain_recorded(error: Mapping[str, str]) -> Failure:
    """What the error that a request recorded says to a person."""
    service = error.get("service", "")
    return Failure(
        service=_names().get(service, service.capitalize() or _("Orchestrator")),
        operation=error.get("operation", "") or _("carry out the request"),
        cause=error.get("cause", ""),
        next_step=error.get("next_step", ""),
        request_id=error.get("request_id", ""),
    )


def gather(calls: Mapping[str, Callable[[], Any]]) -> dict[str, Part]:
    """Ask several services at once; each answer is a part of the page."""
    return {key: _part(key, answer) for key, answer in fanout.gather(calls).items()}


def attempt(call: Callable[[], Any], operation: str) -> Part:
    """Ask our own database for one part of the page."""
    try:
        return Part(call())
    except SQLAlchemyError as error:
        LOG.exception("The orchestrator's database failed: %s", operation)
        cause = type(error).__name__
        next_step = _("Check the database of TRIPLEO_UI and its migrations, then try again.")
        return Part(failure=Failure(_("Orchestrator's database"), operation, cause, next_step))
    except ServiceError as error:
        return _part(operation, error)


def _part(key, answer):
    if not isinstance(answer, ServiceError):
        return Part(answer)
    LOG.warning("A part of a page failed (%s): %s", key, answer)
    return Part(failure=explain(answer))


def _names():
    return {
        "heat": _("Orchestration (Heat)"),
        "swift": _("Object storage (Swift)"),
        "ironic": _("Bare metal (Ironic)"),
        "nova": _("Compute (Nova)"),
        "glance": _("Images (Glance)"),
        "keystone": _("Identity (Keystone)"),
    }
