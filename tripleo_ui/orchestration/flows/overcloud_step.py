"""What the steps of an overcloud's deployment and undeployment share."""

from tripleo_ui.orchestration.context import FOREIGN, INTENT
from tripleo_ui.orchestration.step import Step
from tripleo_ui.planning import hot
from tripleo_ui.planning.plan import Plan
from tripleo_ui.services.errors import Conflict, NotFound
from tripleo_ui.services.heat import TAG, Heat
from tripleo_ui.services.heat_records import Stack
from tripleo_ui.services.heat_secrets import Secrets

STACK = ("heat", "stack")


class OvercloudStep(Step):
    """The plan of a request, its files and its stack."""

    service = "heat"

    @property
    def plan_name(self) -> str:
        """The plan's name, which is its stack's too."""
        return str(self.context.request.params["plan"])

    @property
    def tag(self) -> str:
        """The mark of this request's try on a stack."""
        return f"{TAG}:{self.context.request.id}:{self.context.request.attempt}"

    def files(self) -> dict[str, str]:
        """The plan's files as they were submitted.

        Raises:
            Conflict: the plan was saved since.
        """
        cache = self.context.cache
        if "files" not in cache:
            store = self.context.cloud.plans
            wanted = str(self.context.request.params.get("etag") or "")
            revision = int(wanted.split("-", maxsplit=1)[0]) if wanted else None
            stored = store.read(self.plan_name, revision)
            if wanted and stored.info.etag != wanted:
                raise Conflict(
                    "swift",
                    "read plan",
                    f"the plan {self.plan_name} is not the one that was submitted",
                    next_step="Review the plan and deploy it again.",
                )
            cache["files"] = dict(stored.files)
        found: dict[str, str] = cache["files"]
        return found

    def package(self) -> dict[str, str]:
        """The files under the names that Heat looks for."""
        return hot.for_heat(self.files())

    def plan(self) -> Plan:
        """The plan that the files hold."""
        return hot.parse(self.files())

    @property
    def heat(self) -> Heat:
        """Heat, whose reasons come without the plan's secrets: they go to the timeline and into errors."""
        cache = self.context.cache
        if "heat" not in cache:
            cache["heat"] = self.context.cloud.heat.hiding(Secrets(self._packages))
        found: Heat = cache["heat"]
        return found

    def _packages(self) -> list[dict[str, str]] | None:
        try:
            return [self.files()]
        except (NotFound, Conflict):
            return None

    def stack(self) -> Stack | None:
        """The plan's stack; None where there is none.

        Raises:
            Conflict: the stack of that name is somebody else's.
        """
        stack: Stack | None = self.heat.find(self.plan_name)
        if stack is not None and TAG not in stack.tags:
            entry = self.context.entry(*STACK, self.plan_name)
            if entry is not None and entry.state == INTENT:
                self.context.settle(entry, FOREIGN, stack.id)
            raise Conflict(
                "heat",
                "find stack",
                f"a stack named {self.plan_name} exists that was not made here",
                next_step="Deploy the plan under another name; this stack is left as it is.",
            )
        return stack
