"""The workflows that can be asked for, by name and version: a request that is under way keeps its version."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from types import ModuleType
from typing import Any

from tripleo_ui.orchestration.records import Requester
from tripleo_ui.planning.parameters import Parameter

#: Packages add modules of theirs with entry points of this group.
GROUP = "tripleo_ui.workflows"
#: Our modules that define workflows; each has a tuple ``WORKFLOWS``.
MODULES = ("tripleo_ui.orchestration.flows.overcloud", "tripleo_ui.orchestration.flows.instance")


def gettext_noop(words: str) -> str:
    """Mark words for translators; pages translate them when they show them."""
    return words


@dataclass(frozen=True)
class Workflow:
    """A workflow as requests need it. ``steps`` names "module:class" of each phase's step, loaded by conductors only.

    ``problems`` says what is wrong with params, a sentence each; one that begins with a field's name and ": " is shown
    at that field. ``target`` is what the request is about, ``title`` what a person reads.
    ``locks`` names what nobody else may work on meanwhile; where it is missing that is the target alone.
    ``label`` and ``phase_labels`` are words for the workflow and its phases; ``deadlines`` are seconds of phases.
    ``form`` has a field for each param that a person types in: a workflow that has one can be started from the page of
    requests, by members of the project who have one of ``roles``, or by all of them where it names none.
    """

    name: str
    version: int
    steps: Mapping[str, str]
    problems: Callable[[Mapping[str, Any]], list[str]]
    target: Callable[[Requester, Mapping[str, Any]], str]
    title: Callable[[Mapping[str, Any]], str]
    locks: Callable[[Requester, Mapping[str, Any]], tuple[str, ...]] | None = None
    label: str = ""
    phase_labels: Mapping[str, str] = field(default_factory=dict)
    deadlines: Mapping[str, float] = field(default_factory=dict)
    form: tuple[Parameter, ...] = ()
    roles: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        if any(parameter.hidden for parameter in self.form):
            raise ValueError(f"{self.name}: a form asks for no secrets, since params are stored")

    def locked(self, requester: Requester, params: Mapping[str, Any]) -> tuple[str, ...]:
        """The names of what the request locks."""
        return self.locks(requester, params) if self.locks else (self.target(requester, params),)

    @property
    def phases(self) -> tuple[str, ...]:
        """The names of its phases, in their order."""
        return tuple(self.steps)


def _modules() -> Iterator[ModuleType]:
    yield from map(import_module, MODULES)
    for entry in entry_points(group=GROUP):
        yield entry.load()


@cache
def _all() -> dict[tuple[str, int], Workflow]:
    return {(workflow.name, workflow.version): workflow for module in _modules() for workflow in module.WORKFLOWS}


def newest() -> list[Workflow]:
    """The newest version of each workflow, by name."""
    found = {workflow.name: workflow for _key, workflow in sorted(_all().items())}
    return list(found.values())


def latest(name: str) -> Workflow | None:
    """The newest version of a workflow, or None."""
    return next((workflow for workflow in newest() if workflow.name == name), None)


def exact(name: str, version: int) -> Workflow | None:
    """That version of a workflow, or None."""
    return _all().get((name, version))
