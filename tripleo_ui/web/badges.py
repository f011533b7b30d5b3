"""A word, an icon and a tone for every state that a page shows; never colour alone."""

from dataclasses import dataclass

from django.utils.translation import gettext_lazy as _

OK, BUSY, FAILED, WARNING, IDLE = "ok", "busy", "failed", "warning", "idle"

_ICONS = {
    OK: "fa-check-circle",
    BUSY: "fa-refresh",
    FAILED: "fa-times-circle",
    WARNING: "fa-exclamation-triangle",
    IDLE: "fa-clock",
}


@dataclass(frozen=True)
class Badge:
    """``word`` for people, ``tone`` one of ok, busy, failed, warning and idle; ``mark`` an icon of its own."""

    word: str
    tone: str
    mark: str = ""

    @property
    def icon(self) -> str:
        """The icon's class in Font Awesome, which Horizon ships."""
        return self.mark or _ICONS[self.tone]


_REQUEST = {
    "QUEUED": Badge(_("Queued"), IDLE),
    "RUNNING": Badge(_("Running"), BUSY),
    "STALLED": Badge(_("Stalled"), WARNING),
    "CANCELLING": Badge(_("Cancelling"), BUSY),
    "REVERTING": Badge(_("Rolling back"), BUSY),
    "PARTIAL": Badge(_("Partly done"), WARNING),
    "SUCCEEDED": Badge(_("Succeeded"), OK),
    "FAILED": Badge(_("Failed"), FAILED),
    "CANCELLED": Badge(_("Cancelled"), IDLE, "fa-ban"),
    "NEEDS_ATTENTION": Badge(_("Needs attention"), WARNING),
}

_NODE = {
    "active": Badge(_("Active"), OK),
    "deploying": Badge(_("Deploying"), BUSY),
    "wait call-back": Badge(_("Waiting for the node"), BUSY),
    "deploy failed": Badge(_("Deploy failed"), FAILED),
    "deploy complete": Badge(_("Deployed"), BUSY),
    "deleting": Badge(_("Deleting"), BUSY),
    "cleaning": Badge(_("Cleaning"), BUSY),
    "clean wait": Badge(_("Cleaning"), BUSY),
    "clean failed": Badge(_("Clean failed"), FAILED),
    "rescue": Badge(_("Rescue"), WARNING),
    "error": Badge(_("Error"), FAILED),
    "available": Badge(_("Available"), IDLE),
}


def of_request(state) -> Badge:
    """The badge of a request's state, an ``orchestration.api.State`` or its name."""
    name = str(getattr(state, "value", state)).upper()
    return _REQUEST.get(name) or Badge(name.capitalize(), IDLE)


def request_states() -> list[tuple[str, str]]:
    """All states of requests, as choices of a filter."""
    return [(name, badge.word) for name, badge in _REQUEST.items()]


def of_node(provision_state: str, maintenance: bool = False) -> Badge:
    """The badge of a bare metal node's provision state."""
    if maintenance:
        return Badge(_("Maintenance"), WARNING)
    return _NODE.get(provision_state) or Badge(provision_state.capitalize(), BUSY)


def of_stack(status: str) -> Badge:
    """The badge of a Heat status such as ``CREATE_IN_PROGRESS``."""
    action, _separator, rest = status.partition("_")
    words = {
        "CREATE": (_("Creating"), _("Created"), _("Create failed")),
        "UPDATE": (_("Updating"), _("Updated"), _("Update failed")),
        "DELETE": (_("Deleting"), _("Deleted"), _("Delete failed")),
    }.get(action, (_("In progress"), _("Complete"), _("Failed")))
    if rest == "COMPLETE":
        return Badge(words[1], IDLE if action == "DELETE" else OK)
    if rest == "FAILED":
        return Badge(words[2], FAILED)
    return Badge(words[0], BUSY) if status else Badge(_("Planned"), IDLE)
