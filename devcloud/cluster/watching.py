"""Watches: what changes, as it changes."""

import asyncio
import contextlib
import typing
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass

from devcloud.cluster import errors, views
from devcloud.cluster.clock import Clock
from devcloud.cluster.entries import Entry, dump
from devcloud.cluster.history import ADDED, Matches
from devcloud.cluster.resources import Resource
from devcloud.cluster.store import Store
from devcloud.cluster.views import Form

_BOOKMARK_SECONDS = 10.0
_LONGEST_SECONDS = 1800.0
_INITIAL_EVENTS_END = "k8s.io/initial-events-end"


@dataclass
class Watch:
    """One watch.

    Attributes:
        store: whose objects.
        clock: dates rows.
        resource: which kind.
        matches: what is seen of it.
        form: how objects are shown.
        query: what the client asked for.
    """

    store: Store
    clock: Clock
    resource: Resource
    matches: Matches
    form: Form
    query: Mapping[str, str]

    async def events(self) -> AsyncIterator[bytes]:
        """Yield lines, several at once where several changes came together, until the time is over."""
        try:
            async for lines in self._lines():
                yield lines
        except errors.ApiError as error:
            yield _line("ERROR", dump(error.status()))

    async def _lines(self) -> AsyncIterator[bytes]:
        version = self._start()
        initial = self.query.get("sendInitialEvents") == "true"
        if initial or self.query.get("resourceVersion", "0") in {"", "0"}:
            version = self.store.version
            found = [entry for entry in self.store.all(self.resource.stored) if self.matches(entry)]
            yield b"".join(_line(ADDED, self._shown(entry)) for entry in found)
            if initial:
                yield self._bookmark(version, {_INITIAL_EVENTS_END: "true"})
        wanted = float(self.query.get("timeoutSeconds") or 0) or _LONGEST_SECONDS
        end = asyncio.get_running_loop().time() + wanted
        changed = asyncio.Event()
        forget = self.store.history.on_change(self.resource.stored, changed.set)
        try:
            async for lines in self._follow(version, changed, end):
                yield lines
        finally:
            forget()

    def _start(self) -> int:
        """Return the version to go on from.

        Raises:
            ApiError: 400, it is none; 504, it is one that is yet to come.
        """
        try:
            version = int(self.query.get("resourceVersion") or 0)
        except ValueError as error:
            raise errors.bad_request(f'Invalid value: "{self.query["resourceVersion"]}"') from error
        if version > self.store.version:
            message = f"Too large resource version: {version}, current: {self.store.version}"
            cause = {"reason": "ResourceVersionTooLarge", "message": "Too large resource version", "field": ""}
            raise errors.ApiError(504, "Timeout", message, {"causes": [cause], "retryAfterSeconds": 1})
        return version

    async def _follow(self, version: int, changed: asyncio.Event, end: float) -> AsyncIterator[bytes]:
        loop = asyncio.get_running_loop()
        bookmarks = self.query.get("allowWatchBookmarks") in {"1", "true", "True"}
        while (left := end - loop.time()) > 0:
            changed.clear()
            changes = self.store.history.since(self.resource.stored, version)
            seen = [(kind, change.entry) for change in changes if (kind := change.seen_as(self.matches))]
            if changes:
                version = changes[-1].version
            if seen:
                yield b"".join(_line(kind, self._shown(entry)) for kind, entry in seen)
                continue
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(changed.wait(), min(left, _BOOKMARK_SECONDS))
                continue
            # Nothing of this kind is on its way: the watcher has seen everything up to now.
            version = max(version, self.store.version)
            if bookmarks:
                yield self._bookmark(version)

    def _shown(self, entry: Entry) -> bytes:
        return views.one(self.resource, entry, self.form, self.clock.now())

    def _bookmark(self, version: int, annotations: dict[str, str] | None = None) -> bytes:
        metadata: dict[str, typing.Any] = {"resourceVersion": str(version), "creationTimestamp": None}
        if annotations:
            metadata["annotations"] = annotations
        content = {"kind": self.resource.kind, "apiVersion": self.resource.api_version, "metadata": metadata}
        return _line("BOOKMARK", dump(content))


def _line(kind: str, content: bytes) -> bytes:
    return b'{"type":"' + kind.encode() + b'","object":' + content + b"}\n"
