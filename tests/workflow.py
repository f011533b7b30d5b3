"""Workflows for the orchestrator's tests: they make files, and fail, hang or wait as they are told.

Their cloud is a folder. A thing is a file that has the request's id in it, as its mark; a thing of one's own that is
there is adopted, another one is left alone. What each process did is in a log of the request.
"""

import os
import time
import uuid
from pathlib import Path

from tripleo_ui.orchestration import batch
from tripleo_ui.orchestration.step import Step
from tripleo_ui.orchestration.workflows import Workflow
from tripleo_ui.services.errors import ServiceError, Unavailable

PHASES = ("one", "two", "three", "four", "five")
#: Things that a batch makes.
MANY = 200


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

    def file(self, request_id, name):
        return self.path / f"{request_id}.made.{name}"

    def ensure(self, request_id, name):
        """Make a thing, or adopt it; answers its path."""
        path = self.file(request_id, name)
        marked = self.path / f"{uuid.uuid4()}.new"
        marked.write_text(request_id)
        try:
            path.hardlink_to(marked)
        except FileExistsError:
            if path.read_text() != request_id:
                raise ServiceError("folder", "make file", f"{name} is somebody else's") from None
            self.log(request_id, "adopt", name)
        else:
            self.log(request_id, "make", name)
        finally:
            marked.unlink()
        return str(path)

    def remove(self, request_id, name):
        """Remove a thing, if it is there and the request's."""
        path = self.file(request_id, name)
        if path.exists() and path.read_text() == request_id:
            path.unlink(missing_ok=True)
            self.log(request_id, "remove", name)


class Make(Step):
    operation = "make file"

    def told(self, what):
        """Whether this phase was told so, in the cloud for all requests, or in the params for this one."""
        return self.context.cloud.told(self.phase, what) or self.context.request.params.get(what) == self.phase

    def run(self):
        cloud, request_id = self.context.cloud, self.context.request.id
        cloud.log(request_id, "start", self.phase)
        if self.told("away"):
            raise Unavailable("folder", self.operation, "it is away")
        entry = self.context.intent("folder", "file", self.phase)
        time.sleep(0.01)
        made = cloud.ensure(request_id, self.phase)
        time.sleep(0.01)
        self.context.settle(entry, "CREATED", made)
        self.hang()
        for _round in self.poll_until():
            if not cloud.told(self.phase, "slow"):
                break
        if self.told("fail"):
            raise ServiceError("folder", self.operation, f"{self.phase} was told to fail", "req-folder")

    def hang(self):
        """A call that does not answer, and that nothing interrupts."""
        while self.context.cloud.told(self.phase, "hang"):
            time.sleep(0.01)

    def undo(self):
        cloud, request_id = self.context.cloud, self.context.request.id
        cloud.log(request_id, "undo", self.phase)
        if self.told("stuck"):
            raise ServiceError("folder", "remove file", "it does not go")
        entry = self.context.entry("folder", "file", self.phase)
        if entry is not None:
            cloud.remove(request_id, self.phase)
            self.context.settle(entry, "DELETED")


class MakeMany(Step):
    operation = "make files"

    def run(self):
        request_id = self.context.request.id
        things = [("folder", "file", f"thing-{number:03}") for number in range(MANY)]
        batch.make_all(self.context, things, lambda entry: self._slowly(self.context.cloud.ensure, request_id, entry))

    def undo(self):
        request_id = self.context.request.id
        remove = self.context.cloud.remove
        batch.undo_all(self.context, self.context.entries(), lambda entry: self._slowly(remove, request_id, entry))

    def _slowly(self, call, request_id, entry):
        time.sleep(0.02)
        return call(request_id, entry.name)


def _problems(params):
    return [] if params.get("thing") else ["A thing is needed."]


def _workflow(name, steps):
    return Workflow(
        name=name,
        version=1,
        steps=steps,
        problems=_problems,
        target=lambda requester, params: f"thing:{requester.project_id}:{params['thing']}",
        title=lambda params: f"Make {params['thing']}",
    )


WORKFLOWS = (
    _workflow("test.files", dict.fromkeys(PHASES, "tests.workflow:Make")),
    _workflow("test.batch", {"many": "tests.workflow:MakeMany"}),
)
