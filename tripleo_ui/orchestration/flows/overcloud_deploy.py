"""Deploys a plan: from its files in Swift to a complete stack, a new one or the one that is there.

Files never enter our database: each step that needs them reads the revision that was submitted from Swift.

A stack that failed is kept, so that its reason can be looked at and a retry goes on from it; only a cancelled request
takes back the stack that it made.
"""

import time
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from tripleo_ui.orchestration.context import CREATED, FOREIGN
from tripleo_ui.orchestration.flows.overcloud_step import STACK, OvercloudStep
from tripleo_ui.orchestration.transitions import update
from tripleo_ui.planning import checks
from tripleo_ui.planning.plan import PlanRole
from tripleo_ui.services.errors import Conflict, ServiceError
from tripleo_ui.services.heat import TAG
from tripleo_ui.services.heat_records import Resource, Stack
from tripleo_ui.services.matching import shortage
from tripleo_ui.services.nodes import Node
from tripleo_ui.services.nova import Flavor

#: Stack events that one look puts on the timeline at most.
EVENTS_PER_LOOK = 20
#: Tries to delete a stack that a cancelled request leaves.
DELETIONS = 3


class Validate(OvercloudStep):
    """The plan must be one that can be deployed."""

    operation = "validate plan"

    def run(self) -> None:
        problems = [problem.message for problem in checks.check(self.plan()) if problem.level == checks.ERROR]
        if problems:
            raise ServiceError("planning", self.operation, " ".join(problems), next_step="Edit the plan.")
        self.stack()


class Images(OvercloudStep):
    """Each role's image must be in Glance."""

    operation = "find images"

    def run(self) -> None:
        known = {name for image in self.context.cloud.glance.images() for name in (image.id, image.name)}
        missing = sorted({each.image for each in self.plan().roles if each.count and each.image} - known)
        if missing:
            cause = f"there is no active image {', '.join(missing)}"
            raise ServiceError("glance", self.operation, cause, next_step="Upload it, or choose another image.")


class Nodes(OvercloudStep):
    """There must be a flavor for each role, and nodes for all of them at once; a role keeps those that it has."""

    operation = "find nodes"

    def run(self) -> None:
        flavors = {name: flavor for flavor in self.context.cloud.nova.flavors() for name in (flavor.id, flavor.name)}
        plan = self.plan()
        roles = [each for each in plan.roles if each.count and each.flavor]
        missing = sorted({each.flavor for each in roles} - set(flavors))
        if missing:
            cause = f"there is no flavor {', '.join(missing)}"
            raise ServiceError("nova", self.operation, cause, next_step="Choose another flavor.")
        bare = {each.flavor: flavors[each.flavor] for each in roles if flavors[each.flavor].bare_metal}
        if bare:
            self._check({plan.group(each): each for each in roles if each.flavor in bare}, bare)

    def _check(self, roles: Mapping[str, PlanRole], flavors: Mapping[str, Flavor]) -> None:
        nodes = self.context.cloud.nodes.list()
        held = self._held(nodes)
        wanted: Counter[str] = Counter()
        for group, each in roles.items():
            own = held.get(group, [])
            kept = [node for node in own if node.fits(flavors[each.flavor])][: each.count]
            wanted[each.flavor] += each.count - len(kept)
            own[:] = [node for node in own if node not in kept]
        # What roles give back is taken again by the same update.
        given_back = [node for own in held.values() for node in own]
        found = shortage(wanted, flavors, [*(node for node in nodes if node.free), *given_back])
        if found:
            raise ServiceError(
                "ironic", self.operation, str(found), next_step="Free or add nodes, or lower the number."
            )

    def _held(self, nodes: Iterable[Node]) -> dict[str, list[Node]]:
        """The nodes that servers of the stack are on, by the group that they are in, in the order of its members."""
        stack = self.stack()
        if stack is None:
            return {}
        by_server = {node.instance_id: node for node in nodes if node.instance_id}
        servers = [item for item in self.heat.resources(stack) if item.type == "OS::Nova::Server"]
        found: dict[str, list[Node]] = {}
        for item in sorted(servers, key=lambda item: [(len(part), part) for part in item.path]):
            if node := by_server.get(item.physical_id):
                found.setdefault(item.path[0], []).append(node)
        return found


class Files(OvercloudStep):
    """Heat must take the templates."""

    operation = "validate templates"

    def run(self) -> None:
        self.heat.validate(self.package())


class Preview(OvercloudStep):
    """What will change, as Heat sees it; it is on the timeline, and it is the total that progress is shown of."""

    operation = "preview stack"

    def run(self) -> None:
        heat, stack = self.heat, self.stack()
        if stack is None or stack.status == "CREATE_FAILED":
            resources = heat.preview(f"{self.plan_name}-preview", self.package())
            counts = Counter({"created": len(resources)})
        else:
            counts = Counter(change.action for change in heat.preview_update(stack, self.package()))
        told = ", ".join(f"{number} {action}" for action, number in sorted(counts.items()) if number)
        self.context.note(f"Heat will have resources {told}." if told else "Nothing will change.", dict(counts))
        self.context.progress("", 0, sum(counts.values()) - counts["deleted"])


class Create(OvercloudStep):
    """Start the stack's creation or update, once however often this runs."""

    operation = "create stack"

    def run(self) -> None:
        context = self.context
        entry = context.intent(*STACK, self.plan_name)
        stack = self.stack()
        if stack is not None and self.tag in stack.tags:
            context.note("The stack is there already: an earlier conductor started it.", {"stack": stack.id})
        elif stack is None:
            stack_id = self.heat.create(self.plan_name, self.package(), tags=[self.tag])
            context.settle(entry, CREATED, stack_id)
            context.note("Heat creates the stack.", {"stack": stack_id})
            return
        elif stack.in_progress:
            cause = f"the stack is {stack.status} already"
            raise Conflict("heat", "update stack", cause, next_step="Wait until that has ended, then retry.")
        else:
            self.heat.update(stack, self.package(), tags=[*_kept(stack), self.tag])
            context.note("Heat updates the stack.", {"stack": stack.id})
        if entry.state != CREATED:
            context.settle(entry, CREATED, stack.id)

    def undo(self) -> None:
        """Only a cancelled request takes its stack back, and only one that itself created it."""
        context = self.context
        entry = context.entry(*STACK, self.plan_name)
        if not context.request.cancel_requested or entry is None or entry.state == FOREIGN:
            return
        stack = self.heat.find(self.plan_name)
        if stack is None or self.tag not in stack.tags:
            return
        if stack.status.startswith("UPDATE_"):
            if stack.in_progress:
                self.heat.cancel(stack, rollback=True)
                self._settled(gone=False)
            return
        self.heat.delete(stack)
        self._settled(gone=True)
        context.settle(entry, "DELETED")

    def _settled(self, *, gone: bool) -> None:
        """Wait until Heat is done with it, without looking whether it was cancelled: it was."""
        context = self.context
        until = time.monotonic() + context.deadline_seconds
        tries = DELETIONS
        while True:
            stack = self.heat.find(self.plan_name)
            if stack is None or (not stack.in_progress and not gone):
                return
            if stack.status == "DELETE_FAILED":
                tries -= 1
                if tries <= 0:
                    cause = stack.reason or "the stack could not be deleted"
                    raise ServiceError("heat", "delete stack", cause, next_step="Roll back again.")
                # A server that Nova was still building fails its first deletion and bears the next.
                self.heat.delete(stack)
            if time.monotonic() >= until:
                cause = f"the stack is {stack.status} still"
                raise ServiceError("heat", "take back stack", cause, next_step="Look at what it waits for.")
            context.progress(f"Taking back the stack: {stack.status}.")
            context.sleep(context.poll_seconds)


class Wait(OvercloudStep):
    """Follow the stack to its end; what happens in it is on the timeline."""

    operation = "deploy stack"

    def run(self) -> None:
        heat = self.heat
        for _round in self.poll_until():
            stack = self.stack()
            if stack is None:
                raise ServiceError("heat", self.operation, "the stack is gone", next_step="Retry to create it anew.")
            resources = heat.resources(stack)
            self._show(stack, resources)
            if stack.failed:
                raise self._failure(stack, resources)
            if not stack.in_progress:
                return

    def _show(self, stack: Stack, resources: tuple[Resource, ...]) -> None:
        done = sum(item.status.endswith("_COMPLETE") and item.status != "INIT_COMPLETE" for item in resources)
        seen: set[str] = self.context.cache.setdefault("events", set())
        events = [event for event in self.heat.events(stack, EVENTS_PER_LOOK) if event.id not in seen]
        for event in reversed(events):
            seen.add(event.id)
            if event.status.endswith("_FAILED") or event.resource == stack.name:
                told = f"{event.resource}: {event.status}"
                self.context.note(f"{told}: {event.reason}" if event.reason else told, kind="stack")
        last = f"{events[0].resource}: {events[0].status}" if events else self.context.request.message
        self.context.progress(last, done, max(len(resources), self.context.request.total))

    def _failure(self, stack: Stack, resources: tuple[Resource, ...]) -> ServiceError:
        deepest = self.heat.failure(stack, resources)
        if deepest is None:
            cause = stack.reason or stack.status
        else:
            cause = f"{' → '.join(deepest.path)}: {deepest.reason or deepest.status}"
        return ServiceError("heat", self.operation, cause, next_step="Mend the cause, then retry: the stack is kept.")


class Outputs(OvercloudStep):
    """The stack's outputs must resolve; they stay in Heat."""

    operation = "read outputs"

    def run(self) -> None:
        stack = self.heat.get(self.plan_name, outputs=True)
        outputs: dict[str, Any] = {"stack_id": stack.id, "stack_status": stack.status}
        self.context.write(lambda connection, request: update(connection, request, outputs=outputs, done=request.total))
        self.context.note(f"Complete, with {len(stack.outputs)} outputs.", {"outputs": sorted(stack.outputs)})


def _kept(stack: Stack) -> list[str]:
    """The stack's other tags that are not ours."""
    return [tag for tag in stack.tags if not tag.startswith(TAG)]
