"""What the cloud offers a plan: flavors, images, free nodes, and what the deployed overcloud has already.

All are asked at once, one bounded call each; what fails is said, and the page works on without it.
"""

from dataclasses import dataclass

from tripleo_ui.planning.plan import Plan
from tripleo_ui.services import fanout
from tripleo_ui.services import nodes as ironic
from tripleo_ui.services.errors import NotFound, ServiceError
from tripleo_ui.services.glance import Image
from tripleo_ui.services.heat_records import Stack
from tripleo_ui.services.nova import Flavor


@dataclass(frozen=True)
class Supplies:
    """Answers of the services; None stands for a part whose service failed, with the error in ``failures``.

    ``nodes`` are all, of whatever state; ``stack`` is that of the deployed overcloud with its outputs.
    """

    flavors: tuple[Flavor, ...] | None
    images: tuple[Image, ...] | None
    nodes: tuple[ironic.Node, ...] | None
    stack: Stack | None
    failures: tuple[ServiceError, ...]

    @property
    def free(self) -> dict[str, int]:
        """Nodes that are free now and match, by flavor."""
        if self.nodes is None or self.flavors is None:
            return {}
        bare = [flavor for flavor in self.flavors if flavor.bare_metal]
        return {name: supply.free for name, supply in ironic.supply(self.nodes, bare).items()}

    def owned(self, plan: Plan) -> dict[str, int]:
        """Servers that the deployed overcloud has for each role of a plan, by the role's namespace.

        They are the length of the stack's output ``<Role>Servers``, with the version in its name where a plan has
        two versions of a role.
        """
        outputs = self.stack.outputs if self.stack else {}
        found = {}
        for each in plan.roles:
            servers = outputs.get(f"{each.role.namespace}Servers", outputs.get(f"{each.role.name}Servers"))
            if isinstance(servers, list):
                found[each.role.namespace] = len(servers)
        return found

    @property
    def totals(self) -> dict[str, int] | None:
        """How many nodes are free, in use, in maintenance, and in all."""
        if self.nodes is None:
            return None
        states = ironic.counts(self.nodes)
        return {
            "free": sum(node.free for node in self.nodes),
            "active": states["active"],
            "maintenance": states["maintenance"],
            "all": len(self.nodes),
        }


def ask(cloud, plan_name: str = "") -> Supplies:
    """Ask Nova, Glance, Ironic and, for a plan that may be deployed, Heat: at most four calls at 1000 nodes or less.

    Args:
        cloud: the services.
        plan_name: the stored plan whose stack may exist; empty for a new plan.
    """
    calls = {"flavors": cloud.nova.flavors, "images": cloud.glance.images, "nodes": cloud.nodes.list}
    if plan_name:
        calls["stack"] = lambda: deployed(cloud, plan_name)
    answers = fanout.gather(calls)
    failures = tuple(answer for answer in answers.values() if isinstance(answer, ServiceError))
    good = fanout.successes(answers)
    return Supplies(
        flavors=good.get("flavors"),
        images=good.get("images"),
        nodes=good.get("nodes"),
        stack=good.get("stack"),
        failures=failures,
    )


def deployed(cloud, name: str) -> Stack | None:
    """The stack of that name with its outputs, or None where nothing is deployed.

    Raises:
        ServiceError: Heat did not answer.
    """
    try:
        return cloud.heat.get(name, outputs=True)
    except NotFound:
        return None
