"""The workflows that can be asked for, by name and version: a request that is under way keeps its version."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any

from tripleo_ui.orchestration.records import Requester

#: Modules that define workflows; each has a tuple ``WORKFLOWS``.
MODULES = ("tripleo_ui.orchestration.flows.overcloud",)


@dataclass(frozen=True)
class Workflow:
    """A workflow as requests need it. ``steps`` names "module:class" of each phase's step, loaded by conductors only.

    ``problems`` says what is wrong with params, ``target`` what is locked, ``title`` what a person reads.
    """

    name: str
    version: int
    steps: Mapping[str, str]
    problems: Callable[[Mapping[str, Any]], list[str]]
    target: Callable[[Requester, Mapping[str, Any]], str]
    title: Callable[[Mapping[str, Any]], str]

    @property
    def phases(self) -> tuple[str, ...]:
        """The names of its phases, in their order."""
        return tuple(self.steps)


@cache
def _all() -> dict[tuple[str, int], Workflow]:
    return {
        (workflow.name, workflow.version): workflow for name in MODULES for workflow in import_module(name).WORKFLOWS
    }


def latest(name: str) -> Workflow | None:
    """The newest version of a workflow, or None."""
    versions = [workflow for (known, _version), workflow in _all().items() if known == name]
    return max(versions, key=lambda workflow: workflow.version, default=None)


def exact(name: str, version: int) -> Workflow | None:
    """That version of a workflow, or None."""
    return _all().get((name, version))
