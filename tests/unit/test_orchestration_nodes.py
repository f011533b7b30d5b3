"""Whether a deployment finds nodes for all of its roles, before anything is made."""

from types import SimpleNamespace

import pytest

from tests.unit.planning import build
from tripleo_ui.orchestration.flows.overcloud_deploy import Nodes
from tripleo_ui.planning import hot
from tripleo_ui.planning.plan import Plan
from tripleo_ui.services.errors import ServiceError
from tripleo_ui.services.heat import TAG
from tripleo_ui.services.heat_records import Resource, Stack
from tripleo_ui.services.nodes import Node
from tripleo_ui.services.nova import Flavor

TRAITS = {"control": frozenset({"BIG"}), "compute": frozenset()}


def node(name, traits=(), server=""):
    state = "active" if server else "available"
    return Node(name, name, "node", frozenset(traits), state, "power off", instance_id=server)


def check(controllers, computes, nodes, members=None):
    """Run the step; ``members`` are the servers of the stack, by group."""
    roles = tuple(
        build.plan_role(name, count, flavor=flavor)
        for name, count, flavor in (("Controller", controllers, "control"), ("Compute", computes, "compute"))
    )
    resources = [
        Resource("server", "OS::Nova::Server", "", "", server, (group, str(at), "server"))
        for group, servers in (members or {}).items()
        for at, server in enumerate(servers)
    ]
    stack = Stack("s", "overcloud", "CREATE_COMPLETE", tags=(TAG,)) if members else None
    heat = SimpleNamespace(find=lambda _name: stack, resources=lambda _stack: resources)
    heat.hiding = lambda _secrets: heat
    flavors = [Flavor(name, name, 1, 1, 1, "CUSTOM_NODE", traits) for name, traits in TRAITS.items()]
    cloud = SimpleNamespace(
        heat=heat,
        nova=SimpleNamespace(flavors=lambda: flavors),
        nodes=SimpleNamespace(list=lambda: nodes),
    )
    files = hot.compose(Plan("overcloud", roles=roles))
    request = SimpleNamespace(params={"plan": "overcloud"})
    context = SimpleNamespace(cloud=cloud, cache={"files": files}, request=request, deadline_seconds=9)
    Nodes("nodes", context).run()


def test_two_roles_do_not_count_on_the_same_node():
    check(1, 1, [node("a", ["BIG"]), node("b")])
    with pytest.raises(
        ServiceError, match=r"3 nodes of flavors compute \(2\) and control \(1\) are wanted together and 2"
    ):
        check(1, 2, [node("a", ["BIG"]), node("b")])


def test_a_role_keeps_its_nodes_and_needs_only_more():
    members = {"Controller": ["c0"], "Compute": ["n0"]}
    mine = [node("a", ["BIG"], "c0"), node("b", ["BIG"], "n0")]
    check(1, 1, mine, members)
    check(1, 2, [*mine, node("c")], members)
    with pytest.raises(ServiceError, match="1 nodes of flavor control are wanted and 0 are free"):
        check(2, 1, [*mine, node("c")], members)


def test_what_a_role_gives_back_another_may_take():
    members = {"Controller": ["c0"], "Compute": ["n0", "n1"]}
    mine = [node("a", ["BIG"], "c0"), node("b", [], "n0"), node("c", ["BIG"], "n1")]
    check(2, 1, mine, members)
    with pytest.raises(ServiceError, match="flavor control"):
        check(2, 2, mine, members)


def test_a_node_of_somebody_else_is_not_free():
    with pytest.raises(ServiceError, match="2 nodes of flavor compute are wanted and 1 are free"):
        check(0, 2, [node("a"), node("b", [], "x")], {"Compute": []})
