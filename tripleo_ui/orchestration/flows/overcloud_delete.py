"""Undeploys: deletes a plan's stack, then the plan where that is wanted, and the trusts that both needed.

Heat deletes what it made with a trust of its own, which was delegated from the one that the deployment had. So that
one lives as long as the stack, and goes here.
"""

from tripleo_ui.orchestration import trusts
from tripleo_ui.orchestration.flows.overcloud_step import OvercloudStep
from tripleo_ui.services.errors import ServiceError


class Find(OvercloudStep):
    """The stack must be one that was made here."""

    operation = "find stack"

    def run(self) -> None:
        stack = self.stack()
        wanted = self.context.request.params.get("stack_id")
        if stack is not None and wanted and stack.id != wanted:
            cause = f"the stack {self.plan_name} is another one than the one to delete"
            raise ServiceError("heat", self.operation, cause, next_step="Look at it again.")


class Delete(OvercloudStep):
    """Start the deletion; a stack that is gone or goes already needs none."""

    operation = "delete stack"

    def run(self) -> None:
        stack = self.stack()
        if stack is None:
            self.context.note("There is no stack.")
            return
        self.context.cache["resources"] = len(self.heat.resources(stack))
        if stack.status != "DELETE_IN_PROGRESS":
            self.heat.delete(stack)
            self.context.note("Heat deletes the stack.", {"stack": stack.id})


class Wait(OvercloudStep):
    """Follow the stack until it is gone."""

    operation = "delete stack"

    def run(self) -> None:
        heat = self.heat
        for _round in self.poll_until():
            stack = self.stack()
            if stack is None:
                total = self.context.request.total
                self.context.progress("The stack is gone.", total, total)
                return
            resources = heat.resources(stack)
            total = max(self.context.cache.get("resources", 0), len(resources), self.context.request.total)
            left = sum(item.status != "DELETE_COMPLETE" for item in resources)
            self.context.progress(f"{stack.status}, {left} resources are left.", total - left, total)
            if stack.failed:
                deepest = heat.failure(stack, resources)
                cause = f"{' → '.join(deepest.path)}: {deepest.reason}" if deepest else stack.reason
                raise ServiceError("heat", self.operation, cause, next_step="Mend the cause, then retry.")


class DeletePlan(OvercloudStep):
    """Delete the plan with its history, where that was asked for."""

    operation = "delete plan"

    def run(self) -> None:
        if self.context.request.params.get("delete_plan"):
            self.context.cloud.plans.delete(self.plan_name)
            self.context.note("The plan is deleted.")


class Trusts(OvercloudStep):
    """Take back the trusts of the requests that made the stack; this one's own goes last, by the conductor."""

    operation = "delete trusts"

    def run(self) -> None:
        for trust in trusts.of_target(self.context):
            if trust != self.context.request.trust_id:
                self.context.cloud.keystone.delete_trust(trust)
                trusts.forget(trust)
