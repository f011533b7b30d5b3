"""Servers of Nova as pages show them: a badge for each state, addresses in one line."""

from collections.abc import Iterable

from django.urls import NoReverseMatch, reverse
from django.utils.translation import gettext_lazy as _

from tripleo_ui.services.nova import Server
from tripleo_ui.web.badges import BUSY, FAILED, IDLE, OK, WARNING, Badge

_STATUS = {
    "ACTIVE": Badge(_("Active"), OK),
    "BUILD": Badge(_("Building"), BUSY),
    "ERROR": Badge(_("Error"), FAILED),
    "SHUTOFF": Badge(_("Off"), IDLE, "fa-power-off"),
    "PAUSED": Badge(_("Paused"), IDLE, "fa-pause-circle"),
    "SUSPENDED": Badge(_("Suspended"), IDLE, "fa-pause-circle"),
    "SHELVED_OFFLOADED": Badge(_("Shelved"), IDLE, "fa-archive"),
    "VERIFY_RESIZE": Badge(_("Waits for a confirmation"), WARNING),
    "RESCUE": Badge(_("Rescue"), WARNING),
    "DELETED": Badge(_("Deleted"), IDLE, "fa-trash"),
}
_DELETING = Badge(_("Deleting"), BUSY)


def statuses() -> list[tuple[str, str]]:
    """The choices of the list's filter, as Nova calls them and in words."""
    return [(name, badge.word) for name, badge in _STATUS.items() if name != "DELETED"]


def badge(server: Server, deleting: bool = False) -> Badge:
    """A server's state; ``deleting`` where a request deletes it that may not have come to it yet."""
    if deleting or server.task == "deleting":
        return _DELETING
    known = _STATUS.get(server.status)
    if server.task and server.status != "BUILD":
        return Badge(_words(server.task), BUSY)
    return known or Badge(_words(server.status), BUSY)


def changes(server: Server) -> bool:
    """Whether its state may change by itself soon."""
    return bool(server.task) or server.status == "BUILD"


def url(server_id: str) -> str:
    """A server's own page in Horizon, with its console and its log; empty where Horizon has no such panel."""
    try:
        return reverse("horizon:project:instances:detail", args=(server_id,))
    except NoReverseMatch:
        return ""


def addresses(server: Server) -> list[str]:
    """All addresses, each once."""
    return list(dict.fromkeys(_flat(server.addresses.values())))


def _flat(groups: Iterable[Iterable[str]]):
    for group in groups:
        yield from group


def _words(name: str) -> str:
    return name.replace("_", " ").lower().capitalize()
