"""Plans in Swift: one container for each, its files versioned, and no other copy anywhere.

A plan's files lie at their plain names. A save writes those that changed, as new versions, and then one manifest under
the next revision's number, which must not exist yet: that write is the commit. A manifest names the version of each
file, so that a reader who follows it sees the old plan or the new one and never a mixture.

Swift evaluates ``If-None-Match: *`` on PUT and no other precondition, and it looks before it writes: two PUTs within
the same few milliseconds can both pass. So whoever has written waits until such a race is over and reads the manifest
again; the last write is what stays, and only the one who wrote it has saved. Everybody else gets a conflict. The wait
grows with the time that the write took, since a Swift that is slow keeps such a race open for longer.
"""

import json
import time
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime
from hashlib import md5
from typing import Any
from uuid import uuid4

from tripleo_ui.services import plan_names
from tripleo_ui.services.errors import Conflict, NotFound, ServiceError, Unavailable
from tripleo_ui.services.fanout import gather, required, successes
from tripleo_ui.services.plan_records import Page, PlanConflict, PlanInfo, StoredPlan, changes, info_of
from tripleo_ui.services.rest import Rest
from tripleo_ui.services.swift import Container, Version, containers

KIND = "tripleo-ui-kind"
REVISIONS = f"{plan_names.OURS}revisions/"
KEEP = 50
PRUNED = 5
SETTLE_SECONDS = 0.3


class PlanStore:
    """The plans of one project."""

    def __init__(self, rest: Rest, prefix: str) -> None:
        self._rest = rest
        self._prefix = prefix

    def list(self, limit: int = 20, marker: str = "") -> Page:
        """A page of plans by name, each as it is now; containers that are no plans are left out.

        Two calls for each plan of the page, eight at a time.
        """
        names = containers(self._rest, self._prefix, limit + 1, self._prefix + marker if marker else "")
        plans = [name.removeprefix(self._prefix) for name in names[:limit]]
        found = gather({name: lambda name=name: self._look(name) for name in plans})
        required({key: info for key, info in found.items() if not isinstance(info, NotFound)})
        items = tuple(info for info in successes(found).values() if info)
        return Page(items, plans[-1] if len(names) > limit else "")

    def names(self, limit: int = 1000) -> tuple[str, ...]:
        """Names of what may be plans, in one call; ``info`` tells of each whether it is one."""
        return tuple(name.removeprefix(self._prefix) for name in containers(self._rest, self._prefix, limit))

    def info(self, name: str) -> PlanInfo:
        """The plan as it is now, without its files' content.

        Raises:
            NotFound: there is no such plan.
        """
        info = self._look(name)
        if info is None:
            raise NotFound("swift", "read plan", f"there is no plan {name}", status=404)
        return info

    def read(self, name: str, revision: int | None = None) -> StoredPlan:
        """The plan with its files, now or as of an older revision.

        Raises:
            NotFound: there is no such plan, or no such revision any more.
        """
        container = self._container(name)
        info = self.info(name) if revision is None else self._manifest(container, name, revision)
        texts = gather({file: lambda f=file, v=v: container.read(f, v.id)[0] for file, v in info.files.items()})
        return StoredPlan(info, {file: text.decode() for file, text in required(texts).items()})

    def history(self, name: str, limit: int = 20) -> tuple[PlanInfo, ...]:
        """The plan's revisions, newest first."""
        container = self._container(name)
        numbers = [_number(found) for found in container.names(REVISIONS, limit)]
        found = gather({n: lambda n=n: self._manifest(container, name, n) for n in numbers})
        gone = {n for n, info in found.items() if isinstance(info, NotFound)}
        return tuple(required({n: info for n, info in found.items() if n not in gone}).values())

    def save(
        self,
        name: str,
        files: Mapping[str, str],
        *,
        description: str = "",
        author: str = "",
        etag: str | None = None,
    ) -> PlanInfo:
        """Store a plan's files as its next revision.

        Args:
            name: the plan's name.
            files: all of its files, ``{file name: text}``.
            description: what the plan is for.
            author: who saves it, for the history.
            etag: that of the plan as the caller read it; None for a plan that must not exist yet.

        Raises:
            PlanConflict: the plan is not the one that was read, or exists already.
            ServiceError: a file's name is impossible, or Swift failed; then the plan is what it was.
        """
        container = self._container(name)
        plan_names.check_files(files)
        current, last = self._current(container, name, "save plan")
        if (current.etag if current else None) != etag:
            raise self._conflict(container, name, current, etag)
        if current is None:
            container.create({KIND: "plan"})
        known = current.files if current else {}
        versions = self._write(container, files, known)
        # Numbers go on where a deletion broke off and left manifests: the newest is always that of the last save.
        number = last + 1
        manifest = {
            "revision": number,
            "save_id": uuid4().hex,
            "description": description,
            "author": author,
            "updated_at": datetime.now(UTC).isoformat(timespec="seconds"),
            "files": {file: version.as_dict() for file, version in sorted(versions.items())},
        }
        winner = self._commit(container, name, manifest)
        if winner.save_id != manifest["save_id"]:
            self._show(container, winner, versions)
            raise self._conflict(container, name, winner, etag)
        # The plan is saved: what cannot be tidied now does not undo that.
        with suppress(ServiceError):
            required(gather({gone: lambda gone=gone: container.delete(gone) for gone in set(known) - set(files)}))
            self._prune(container, name, number - KEEP)
        return winner

    def delete(self, name: str, etag: str | None = None) -> None:
        """Delete a plan with its whole history; one that is gone already is no error.

        Raises:
            PlanConflict: ``etag`` is given and the plan has changed.
        """
        container = self._container(name)
        current, _last = self._current(container, name, "delete plan")
        if etag is not None and current is not None and current.etag != etag:
            raise self._conflict(container, name, current, etag)
        if current is None and not self._leftover(container):
            return
        # From here on no reader takes it for a plan, whatever becomes of the deletion.
        container.mark({KIND: "deleted"})
        while versions := container.versions():
            required(gather({item: lambda item=item: container.delete(*_addressed(item)) for item in versions}))
        while names := container.names(""):
            required(gather({item: lambda item=item: container.delete(item) for item in names}))
        container.remove()

    def rename(self, name: str, new_name: str) -> None:
        """Refuse: a plan's name is its stack's, and Heat renames none."""
        raise Conflict(
            "swift",
            "rename plan",
            f"the plan {name} cannot become {new_name}: its stack has the same name",
            next_step="Save a copy under the new name, and delete this one when it is not deployed.",
        )

    def _container(self, name: str) -> Container:
        return Container(self._rest, plan_names.container_name(self._prefix, name))

    def _look(self, name: str) -> PlanInfo | None:
        """The newest revision; None for a container that is no plan.

        Raises:
            NotFound: there is no container.
        """
        container = self._container(name)
        metadata, last = container.last(REVISIONS)
        if metadata.get(KIND) != "plan" or last is None:
            return None
        return self._manifest(container, name, _number(last))

    def _current(self, container: Container, name: str, operation: str) -> tuple[PlanInfo | None, int]:
        """What a save replaces, None where the name is free; and the last number that a revision has, or 0.

        Raises:
            Conflict: a container of that name belongs to somebody else.
        """
        try:
            metadata, last = container.last(REVISIONS)
        except NotFound:
            return None, 0
        if KIND not in metadata:
            raise Conflict(
                "swift",
                operation,
                f"the container {container.name} is no plan",
                next_step="Choose another name.",
            )
        number = _number(last) if last else 0
        return (self._manifest(container, name, number) if last and metadata[KIND] == "plan" else None), number

    def _leftover(self, container: Container) -> bool:
        """Whether a plan is only half deleted or half made."""
        try:
            return KIND in container.last(REVISIONS)[0]
        except NotFound:
            return False

    def _manifest(self, container: Container, name: str, number: int) -> PlanInfo:
        try:
            content, etag = container.read(_revision(number))
        except NotFound as error:
            cause = f"the plan {name} has no revision {number}"
            raise NotFound("swift", "read plan", cause, error.request_id, 404, "Look at the list of plans.") from error
        return info_of(name, json.loads(content), etag)

    def _commit(self, container: Container, name: str, manifest: Mapping[str, Any]) -> PlanInfo:
        """Write the manifest unless there is one; answers the one that holds."""
        number = manifest["revision"]
        start = time.monotonic()
        try:
            written = container.write_once(_revision(number), json.dumps(manifest, indent=1).encode())
        except Unavailable:
            # Perhaps only the answer was lost.
            with suppress(NotFound):
                return self._manifest(container, name, number)
            raise
        if written:
            time.sleep(max(SETTLE_SECONDS, 2 * (time.monotonic() - start)))
        return self._manifest(container, name, number)

    def _write(
        self, container: Container, files: Mapping[str, str], known: Mapping[str, Version]
    ) -> dict[str, Version]:
        """Write what changed; answers the version of every file."""
        encoded = {file: text.encode() for file, text in files.items()}
        same = {file: known[file] for file, content in encoded.items() if _same(known.get(file), content)}
        changed = {file: content for file, content in encoded.items() if file not in same}
        written = gather({file: lambda f=file, c=content: container.write(f, c) for file, content in changed.items()})
        return same | required(written)

    def _show(self, container: Container, winner: PlanInfo, touched: Mapping[str, Version]) -> None:
        """After a lost race, bring the winner's versions back to the files' plain names."""
        lost = {file for file, version in touched.items() if winner.files.get(file) != version}
        for file in sorted(lost):
            if file in winner.files:
                container.promote(file, winner.files[file].id)
            else:
                container.delete(file)

    def _conflict(self, container: Container, name: str, current: PlanInfo | None, etag: str | None) -> PlanConflict:
        base: Mapping[str, Version] = {}
        if etag:
            try:
                base = self._manifest(container, name, int(etag.split("-")[0])).files
            except (NotFound, ValueError):
                base = {}
        return PlanConflict(name, current, changes(base, current.files if current else {}))

    def _prune(self, container: Container, name: str, number: int) -> None:
        """Forget the revisions up to a number, and the versions that only they used.

        Mostly that is one; after cleanups that failed it is more, of which a save forgets some.
        """
        with suppress(NotFound):
            kept = set(self._manifest(container, name, number + 1).files.values()) if number > 0 else set()
            for old in range(number, max(0, number - PRUNED), -1):
                unused = set(self._manifest(container, name, old).files.items())
                for file, version in unused:
                    if version not in kept:
                        container.delete(file, version.id)
                container.delete(_revision(old))


def _revision(number: int) -> str:
    return f"{REVISIONS}{number:08d}"


def _number(name: str) -> int:
    return int(name.removeprefix(REVISIONS))


def _same(version: Version | None, content: bytes) -> bool:
    """Whether a stored version has this content; Swift's ETag is the MD5 of an object."""
    return version is not None and version.etag == md5(content, usedforsecurity=False).hexdigest()


def _addressed(item: tuple[str, str]) -> tuple[str, str]:
    name, version = item
    return name, "" if version == "null" else version
