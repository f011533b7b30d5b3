"""What Heat and Ironic say about an overcloud, as roles and members."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

from tripleo_ui.planning.roles import default_roles
from tripleo_ui.services.heat_records import Event, Resource, Stack
from tripleo_ui.services.nodes import Node
from tripleo_ui.web import badges, svg
from tripleo_ui.web.badges import Badge

GROUP = "OS::Heat::ResourceGroup"
SERVER = "OS::Nova::Server"
# Where Ironic says less than Heat: a node that is taken but not yet worked on is "available" still.
_SETTLED = frozenset({"active", "available"})


@dataclass(frozen=True)
class Member:
    """One server of a role; what is not known yet is empty, ``node`` is None."""

    role: str
    index: str
    name: str
    badge: Badge
    server_id: str = ""
    address: str = ""
    node: Node | None = None


@dataclass(frozen=True)
class Role:
    """A role with its members, by index."""

    name: str
    members: tuple[Member, ...]


def roles(
    resources: Iterable[Resource], nodes: Mapping[str, Node] | None = None, outputs: Mapping | None = None
) -> tuple[Role, ...]:
    """The roles of a stack.

    Args:
        resources: all resources of the stack, nested ones too.
        nodes: Ironic's nodes by server id; None where they are not known.
        outputs: the stack's outputs, from which names and addresses come.
    """
    known = tuple(resources)
    names = [item.name for item in known if item.type == GROUP and len(item.path) == 1]
    by_member: dict[tuple[str, str], list[Resource]] = {}
    for item in known:
        if len(item.path) > 1 and item.path[0] in names:
            by_member.setdefault((item.path[0], item.path[1]), []).append(item)
    return tuple(
        Role(name, tuple(_members(name, by_member, nodes or {}, _facts(name, outputs or {}))))
        for name in sorted(names, key=_rank)
    )


def _rank(name):
    """The default roles in their own order, then all others by name."""
    known = [role.name for role in default_roles()]
    return (known.index(name) if name in known else len(known), name)


def happened(events: Iterable[Event], resources: Iterable[Resource]) -> list[tuple[str, Event]]:
    """Events, each with the place of its resource in the overcloud: "Compute / 0 / server"."""
    holders = {item.physical_id: item.path for item in resources if item.physical_id}
    return [(" / ".join(_place(event, holders)), event) for event in events]


def _place(event, holders):
    holder = holders.get(event.stack_id, ())
    # A nested stack's own event has the stack's generated name, which its holder's path says better.
    if holder and event.physical_id == event.stack_id:
        return holder
    return (*holder, event.resource)


def _facts(role, outputs):
    """Name and address by server id, as far as Heat has resolved them."""
    ids = outputs.get(f"{role}Servers") or ()
    names = outputs.get(f"{role}Names") or ()
    addresses = outputs.get(f"{role}Addresses") or ()
    padded = zip(ids, _padded(names, len(ids)), _padded(addresses, len(ids)), strict=False)
    return {server: (name or "", address or "") for server, name, address in padded}


def _padded(values, length):
    return [*values, *[""] * (length - len(values))]


def _members(role, by_member, nodes, facts):
    found = [(index, items) for (name, index), items in by_member.items() if name == role]
    for index, items in sorted(found, key=lambda pair: (len(pair[0]), pair[0])):
        server_id = next((item.physical_id for item in items if item.type == SERVER), "")
        name, address = facts.get(server_id, ("", ""))
        node = nodes.get(server_id)
        yield Member(role, index, name or f"{role} {index}", _badge(items, node), server_id, address, node)


def _badge(items, node):
    """The worst that Heat says, unless Ironic knows more about what is under way."""
    if any(item.failed for item in items):
        return Badge(_("Failed"), badges.FAILED)
    if node is not None and (node.maintenance or node.provision_state not in _SETTLED):
        return badges.of_node(node.provision_state, node.maintenance)
    under_way = [item.status for item in items if item.status.endswith("_IN_PROGRESS")]
    if any(status.startswith("DELETE") for status in under_way):
        return Badge(_("Deleting"), badges.BUSY)
    if under_way:
        runs = node is not None and node.provision_state == "active"
        return Badge(_("Configuring") if runs else _("Starting"), badges.BUSY)
    if all(_is_complete(item) for item in items):
        return Badge(_("Active"), badges.OK)
    return Badge(_("Waiting"), badges.IDLE)


def drawing(name: str, badge: Badge, found: Iterable[Role]) -> svg.Drawing:
    """The overcloud as ``web.svg`` draws it."""
    return svg.Drawing(
        name,
        badge,
        tuple(
            svg.Group(
                role.name,
                tuple(
                    svg.Node(member.name, member.badge, member.node.name if member.node else "")
                    for member in role.members
                ),
            )
            for role in found
        ),
    )


def planned(name: str, counts: Iterable[tuple[str, int]]) -> svg.Drawing:
    """A plan that is not deployed, drawn with the nodes that it asks for."""
    waiting = Badge(_("Planned"), badges.IDLE)
    groups = (
        svg.Group(role, tuple(svg.Node(f"{role} {index}", waiting) for index in range(count))) for role, count in counts
    )
    return svg.Drawing(name, waiting, tuple(groups))


def tally(resources: Iterable[Resource]) -> tuple[int, int]:
    """How many of a stack's resources are complete, and how many there are."""
    known = tuple(resources)
    return sum(map(_is_complete, known)), len(known)


def _is_complete(resource):
    """Heat calls a resource that it has yet to begin with INIT_COMPLETE."""
    return resource.status.endswith("_COMPLETE") and not resource.status.startswith(("INIT", "DELETE"))


def shown_outputs(stack: Stack) -> list[tuple[str, object]]:
    """A stack's outputs by name, without those that are still unknown or empty."""
    return [(name, value) for name, value in sorted(stack.outputs.items()) if value not in (None, "", [], {})]
