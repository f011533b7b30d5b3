"""One request that makes instances: its states, why they are where they are, what was made."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from django.urls import reverse
from django.utils.translation import gettext as _

from tripleo_ui.orchestration import api
from tripleo_ui.orchestration.instances.request import parse
from tripleo_ui.panels.requests import reading
from tripleo_ui.services.cloud import Cloud
from tripleo_ui.services.nova import Server
from tripleo_ui.web import chain, failures, paging
from tripleo_ui.web.badges import FAILED, IDLE, OK, WARNING, Badge
from tripleo_ui.web.failures import Part

from . import machine, servers

WORKFLOW = "instance.create"


@dataclass(frozen=True)
class Made:
    """A thing that the request made or was about to make; ``url`` is its page in Horizon, or empty."""

    kind: str
    name: str
    id: str
    badge: Badge
    detail: str = ""
    url: str = ""


@dataclass(frozen=True)
class Hosts:
    """Hosts with a number of instances each, and the reason in a sentence."""

    names: tuple[str, ...]
    instances: int
    why: str


class Found(reading.Found):
    """One request with all that its page shows; ``cloud`` is asked for the servers' states, in one call."""

    def __init__(self, request: reading.Found, cloud: Cloud, query: Mapping[str, str]):
        super().__init__(request.request.requester.project_id, request.request.id, request.part)
        self._cloud = cloud
        self._query = query

    @cached_property
    def chain(self) -> str:
        """The states as a drawing."""
        events, entries = self.happened.value or (), self.ledger.value or ()
        return chain.draw(machine.chain(self.request, events, entries))

    @cached_property
    def asked(self):
        """What was asked for, as ``instances.request.InstanceRequest``."""
        return parse(self.request.params)[0]

    @cached_property
    def servers(self) -> Part:
        """Nova's servers by id, as far as the ledger knows of any."""
        ids = [entry.external_id for entry in self._servers if entry.external_id]
        if not ids:
            return Part({})
        calls = {"servers": lambda: {server.id: server for server in self._cloud.nova.servers(ids)}}
        return failures.gather(calls)["servers"]

    @property
    def _servers(self) -> list[api.Entry]:
        return [entry for entry in self.ledger.value or () if entry.kind == "server"]

    @cached_property
    def page(self) -> paging.Page:
        """A page of what was made: servers first, then ports, volumes and claims."""
        order = {"server": 0, "port": 1, "volume": 2, "allocation": 3}
        entries = sorted(self.ledger.value or (), key=lambda entry: (order.get(entry.kind, len(order)), entry.seq))
        page = paging.numbered(entries, self._query)
        known = self.servers.value
        hosts = {each["instance"]: each["host"] for each in self._outputs.get("hosts") or ()}
        rows = [_made(entry, known, hosts.get(entry.name, "")) for entry in page.items]
        return paging.Page(rows, page.total, page.first, page.last, page.previous_url, page.next_url)

    @property
    def why(self) -> list["Hosts"]:
        """Why these hosts and no others; those that have none for the same reason are told together."""
        told = [Hosts((each["host"],), each["instances"], each["why"]) for each in self._outputs.get("why") or ()]
        chosen = [each for each in told if each.instances]
        others: dict[str, tuple[str, ...]] = {}
        for each in told:
            if not each.instances:
                others[each.why] = (*others.get(each.why, ()), *each.names)
        return chosen + [Hosts(names, 0, why) for why, names in others.items()]

    @property
    def _outputs(self) -> Mapping:
        return self.request.outputs or {}

    @cached_property
    def left(self) -> list[str]:
        """The ids of servers that are there and may be deleted."""
        if self.active:
            return []
        known = self.servers.value
        made = [entry.external_id for entry in self._servers if entry.state == "CREATED"]
        return [each for each in made if known is None or each in known]

    @property
    def delete_url(self) -> str:
        """The page that deletes all of them, or an empty string."""
        return delete_url(self.left) if self.left else ""


def delete_url(ids: Iterable[str]) -> str:
    """The page that asks before it deletes these servers."""
    query = "&".join(f"server={each}" for each in ids)
    return f"{reverse('horizon:infrastructure:instances:delete')}?{query}"


def _made(entry: api.Entry, known: Mapping[str, Server] | None, host: str) -> Made:
    kinds = {"server": _("Server"), "port": _("Port"), "volume": _("Volume"), "allocation": _("Claim")}
    kind = kinds.get(entry.kind, entry.kind.capitalize())
    where = _("on %(host)s") % {"host": host} if host else ""
    if entry.kind != "server":
        return Made(kind, entry.name, entry.external_id, _badge(entry), where if entry.kind == "allocation" else "")
    server = (known or {}).get(entry.external_id)
    if server is None:
        gone = entry.state == "CREATED" and known is not None
        return Made(kind, entry.name, entry.external_id, Badge(_("Gone"), IDLE) if gone else _badge(entry), where)
    said = ", ".join(filter(None, [where, *servers.addresses(server), server.fault]))
    return Made(kind, entry.name, server.id, servers.badge(server), said, servers.url(server.id))


def _badge(entry):
    released = _("Released") if entry.kind == "allocation" else _("Taken back")
    return {
        "INTENT": Badge(_("Begun"), IDLE),
        "CREATED": Badge(_("Made"), OK),
        "DELETED": Badge(released, IDLE, "fa-undo"),
        "FOREIGN": Badge(_("Not its own"), WARNING),
    }.get(entry.state) or Badge(entry.state.capitalize(), FAILED)
