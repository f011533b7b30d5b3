"""A workflow for the orchestrator's tests: five steps that make files, and fail, hang or wait as they are told.

Its cloud is a folder. A step makes a file named after request and phase, and adopts one that is there; how often each
step's body ran is counted in a log beside it, by process.
"""

import os
import time
from pathlib import Path

from tripleo_ui.orchestration.step import Step
from tripleo_ui.orchestration.workflows import Workflow
from tripleo_ui.services.errors import ServiceError, Unavailable

PHASES = ("one", "two", "three", "four", "five")


class Folder:
    """The cloud of these tests."""

    def __init__(self, path):
        self.path = Path(path)
        self.keystone = self

    def delete_trust(self, trust_id):
        (self.path / f"trust-{trust_id}.deleted").touch()

    def told(self, phase, what):
        """Whether a test told a phase to fail, to be away, or to hang: it put a file there."""
        return (self.path / f"{phase}.{what}").exists()

    def log(self, request_id, *words):
        with (self.path / f"{request_id}.log").open("a") as log:
            log.write(f"{os.getpid()} {' '.join(words)}\n")

    def made(self, request_id):
        return sorted(path.suffix[1:] for path in self.path.glob(f"{request_id}.made.*"))


class Make(Step):
    operation = "make file"

    @property
    def file(self):
        return self.context.cloud.path / f"{self.context.request.id}.made.{self.phase}"

    def run(self):
        cloud, request_id = self.context.cloud, self.context.request.id
        cloud.log(request_id, "start", self.phase)
        if cloud.told(self.phase, "away"):
            raise Unavailable("folder", self.operation, "it is away")
        entry = self.context.intent("folder", "file", self.phase)
        time.sleep(0.01)
        if self.file.exists():
            cloud.log(request_id, "adopt", self.phase)
        else:
            self.file.touch()
            cloud.log(request_id, "make", self.phase)
        time.sleep(0.01)
        self.context.settle(entry, "CREATED", str(self.file))
        for _round in self.poll_until():
            if not cloud.told(self.phase, "slow"):
                break
        if cloud.told(self.phase, "fail"):
            raise ServiceError("folder", self.operation, f"{self.phase} was told to fail", "req-folder")

    def undo(self):
        cloud = self.context.cloud
        cloud.log(self.context.request.id, "undo", self.phase)
        if cloud.told(self.phase, "stuck"):
            raise ServiceError("folder", "remove file", "it does not go")
        entry = self.context.entry("folder", "file", self.phase)
        if entry is not None:
            self.file.unlink(missing_ok=True)
            self.context.settle(entry, "DELETED")


def _problems(params):
    return [] if params.get("thing") else ["A thing is needed."]


WORKFLOWS = (
    Workflow(
        name="test.files",
        version=1,
        steps=dict.fromkeys(PHASES, "tests.workflow:Make"),
        problems=_problems,
        target=lambda requester, params: f"thing:{requester.project_id}:{params['thing']}",
        title=lambda params: f"Make {params['thing']}",
    ),
)
