"""Announces a text on boards: an object in Swift for each board. The contributor guide explains each part."""

import json
import re
from collections.abc import Mapping
from typing import Any

from tripleo_ui.orchestration.batch import make_all, undo_all
from tripleo_ui.orchestration.context import FOREIGN
from tripleo_ui.orchestration.records import Entry, Requester
from tripleo_ui.orchestration.step import Step
from tripleo_ui.orchestration.transitions import update
from tripleo_ui.orchestration.workflows import Workflow
from tripleo_ui.orchestration.workflows import gettext_noop as _
from tripleo_ui.planning.constraints import Constraint
from tripleo_ui.planning.parameters import Parameter
from tripleo_ui.services.errors import NotFound, ServiceError
from tripleo_ui.services.rest import Rest
from tripleo_ui.services.swift import Container

CONTAINER = "announcements"
_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
_MOST = 100


# -- the tasks


class _Announcing(Step):
    """What both tasks know."""

    service = "swift"

    @property
    def swift(self) -> Rest:
        """The project's object storage."""
        rest: Rest = self.context.cloud.rest("swift", "object-store")
        return rest

    @property
    def container(self) -> Container:
        """Where announcements are."""
        return Container(self.swift, CONTAINER)

    @property
    def content(self) -> bytes:
        """The object's content; the request's id in it is how a later look knows the object for its own."""
        request = self.context.request
        said = {"text": request.params["text"], "by": request.requester.user_name, "request": request.id}
        return json.dumps(said, sort_keys=True).encode()

    def is_ours(self, name: str) -> bool:
        """Whether the object is there, and is the one that this request wrote."""
        try:
            content, _etag = self.container.read(name)
        except NotFound:
            return False
        return bool(content == self.content)


class Write(_Announcing):
    """Write the objects, many at a time."""

    operation = "write announcement"

    def run(self) -> None:
        """Make what the ledger does not have as made; an earlier run may have got anywhere."""
        self.swift.call("create container", "PUT", f"/{CONTAINER}")  # One that is there is no error.
        names = _objects(self.context.request.params)
        make_all(self.context, [(self.service, "object", name) for name in names], self.make)

    def make(self, entry: Entry) -> str:
        """Write one object, or adopt it where an earlier run wrote it and had no time to say so."""
        if self.container.write_once(entry.name, self.content) is None and not self.is_ours(entry.name):
            self.context.settle(entry, FOREIGN)
            cause = f"there is an announcement {entry.name} already"
            raise ServiceError(self.service, self.operation, cause, next_step="Choose another title.")
        return entry.name

    def undo(self) -> None:
        """Delete what this request wrote, and nothing else."""
        undo_all(self.context, [entry for entry in self.context.entries() if entry.state != FOREIGN], self.unmake)

    def unmake(self, entry: Entry) -> None:
        """Delete one object; one that was never written, or that somebody replaced, is not this request's."""
        if self.is_ours(entry.name):
            self.container.delete(entry.name)


class Confirm(_Announcing):
    """Read the objects as readers will, until all are there."""

    operation = "read announcement"

    def run(self) -> str | None:
        """Look; a board that somebody wrote over meanwhile is what a result in part lacks."""
        names = _objects(self.context.request.params)
        missing = [name for name in names if not self.is_ours(name)]
        there = [name for name in names if name not in missing]
        self.context.write(lambda connection, request: update(connection, request, outputs={"announced": there}))
        return f"Written over by somebody else: {', '.join(missing)}." if missing else None


# -- what is asked for


def _objects(params: Mapping[str, Any]) -> list[str]:
    return [f"{board}/{params['title']}" for board in dict.fromkeys(params["boards"])]


def _problems(params: Mapping[str, Any]) -> list[str]:
    found = []
    if not _NAME.fullmatch(str(params.get("title", ""))):
        found.append("title: Up to 40 small letters, digits and dashes.")
    if not str(params.get("text", "")).strip():
        found.append("text: There is nothing to announce.")
    boards = params.get("boards")
    if not isinstance(boards, list) or not 0 < len(boards) <= _MOST:
        found.append(f"boards: From 1 to {_MOST} names.")
    else:
        found += [f"boards: “{each}” is no name of a board." for each in boards if not _NAME.fullmatch(str(each))]
    return found


def _target(requester: Requester, params: Mapping[str, Any]) -> str:
    return f"announcement:{requester.project_id}:{requester.region}:{params['title']}"


def _locks(requester: Requester, params: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(f"announcement:{requester.project_id}:{requester.region}:{name}" for name in _objects(params))


# -- the factory, its phases and its form

WORKFLOWS = (
    Workflow(
        name="example.announce",
        version=1,
        label=_("Announce"),
        steps={"write": f"{__name__}:Write", "confirm": f"{__name__}:Confirm"},
        phase_labels={"write": _("Write the announcements"), "confirm": _("Read them again")},
        deadlines={"confirm": 60.0},
        form=(
            Parameter("title", label=_("Title"), description=_("What the announcement is stored under.")),
            Parameter("text", label=_("Text"), constraints=(Constraint("length", {"max": 2000}),)),
            Parameter("boards", "comma_delimited_list", label=_("Boards"), default=["everybody"]),
        ),
        problems=_problems,
        target=_target,
        locks=_locks,
        title=lambda params: f"Announce {params['title']}",
    ),
)
