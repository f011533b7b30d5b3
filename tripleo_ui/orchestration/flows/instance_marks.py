"""Things outside that carry a request's mark: found, adopted, made once, and taken back.

Names of ports, volumes and servers are not unique, and an answer may be lost after a thing was made. So the services
are asked for what has the mark before anything is made, and what they say counts more than the ledger.
"""

import time
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from tripleo_ui.orchestration.batch import make_all
from tripleo_ui.orchestration.context import CREATED, DELETED, INTENT, Context, Thing
from tripleo_ui.orchestration.records import Entry
from tripleo_ui.orchestration.transitions import update
from tripleo_ui.services.breaker import CircuitOpen
from tripleo_ui.services.errors import Conflict, NotFound, ServiceError, Unavailable
from tripleo_ui.services.fanout import gather

#: How long after a call that nobody answered its thing may still appear, in seconds.
LATE_SECONDS = 15.0
#: How long something may stay that was asked to go, and after how many looks it is asked again.
GOING_SECONDS = 180.0
ASK_AGAIN = 10
_THREADS = 20
_BUSY = 400


@dataclass(frozen=True)
class Kind:
    """A kind of thing: how the marked ones are listed, and how one is deleted."""

    service: str
    name: str
    marked: Callable[[Any, str], tuple[Any, ...]]
    delete: Callable[[Any, str], None]

    def thing(self, name: str) -> Thing:
        """The ledger's words for one of them."""
        return self.service, self.name, name

    def entries(self, context: Context) -> list[Entry]:
        """The ledger's entries of this kind."""
        return [entry for entry in context.entries() if (entry.service, entry.kind) == (self.service, self.name)]


PORT = Kind(
    "neutron",
    "port",
    lambda cloud, request: tuple(cloud.neutron.marked(request)),
    lambda cloud, port: cloud.neutron.delete_port(port),
)
VOLUME = Kind(
    "cinder",
    "volume",
    lambda cloud, request: tuple(cloud.cinder.marked(request)),
    lambda cloud, volume: cloud.cinder.delete(volume),
)
SERVER = Kind(
    "nova",
    "server",
    lambda cloud, request: tuple(cloud.nova.marked(request)),
    lambda cloud, server: cloud.nova.delete(server),
)


def adopt(context: Context, kind: Kind, names: Iterable[str]) -> dict[str, str]:
    """Make the ledger say what is there of these names, and delete what is there twice.

    Returns:
        The ids of what is there, by name.
    """
    wanted = list(names)
    suspect(context, kind.name, [entry for entry in kind.entries(context) if entry.name in wanted])
    entries = context.intents([kind.thing(name) for name in wanted])
    marked: dict[str, list[str]] = {}
    for thing in kind.marked(context.cloud, context.request.id):
        marked.setdefault(thing.name, []).append(thing.id)
    found: dict[str, str] = {}
    changes = []
    doubles: list[str] = []
    for entry in entries:
        ids = marked.get(entry.name, [])
        if ids:
            kept = entry.external_id if entry.external_id in ids else ids[0]
            found[entry.name] = kept
            doubles += [each for each in ids if each != kept]
            if (entry.state, entry.external_id) != (CREATED, kept):
                changes.append((entry, CREATED, kept))
        elif entry.state != INTENT:
            changes.append((entry, INTENT, ""))
    if changes:
        context.settle_many(changes)
    for double in doubles:
        kind.delete(context.cloud, double)
        context.note(f"A second {kind.name} was there after a lost answer; it is deleted.", {kind.name: double})
    return found


def make_marked(context: Context, things: Sequence[Thing], make: Callable[[Entry], str]) -> None:
    """Make things, many at a time, and remember when one was not answered for: it may appear a little later.

    Raises:
        What ``make`` raised first, and what ``make_all`` does.
    """

    def made(entry: Entry) -> str:
        try:
            return make(entry)
        except Unavailable as error:
            if not isinstance(error, CircuitOpen):
                context.cache["late"] = time.time() + LATE_SECONDS
            raise

    try:
        make_all(context, things, made)
    except Exception:
        if until := context.cache.get("late"):
            expect_late(context, until)
        raise


def expect_late(context: Context, until: float) -> None:
    """Remember, for other conductors too, until when things may appear; in seconds since 1970."""
    context.cache["late"] = until
    context.write(lambda connection, request: update(connection, request, outputs={**request.outputs, "late": until}))


def suspect(context: Context, kind: str, entries: Iterable[Entry]) -> None:
    """Expect late things of a kind, the first time that this conductor looks at it.

    It took the request over; what the one before asked for and never heard of may be under way still.
    """
    looked = context.cache.setdefault("looked", set())
    if kind not in looked and any(entry.state == INTENT for entry in entries) and "late" not in context.cache:
        expect_late(context, time.time() + LATE_SECONDS)
    looked.add(kind)


def late(context: Context) -> float:
    """Until when things may appear that were asked for, in seconds since 1970; 0 where all calls were answered."""
    return float(max(context.cache.get("late", 0.0), context.request.outputs.get("late", 0.0)))


def await_late(context: Context) -> None:
    """Wait until nothing can appear any more."""
    while (left := late(context) - time.time()) > 0:
        context.fence()
        context.sleep(min(left, context.poll_seconds))


def remove(context: Context, kind: Kind, names: Collection[str] | None = None) -> None:
    """Delete what has the mark, of these names or all, and wait until it is gone. What has no mark stays.

    Raises:
        ServiceError: something does not go.
    """
    entries = [entry for entry in kind.entries(context) if names is None or entry.name in names]
    ids = {entry.external_id for entry in entries}
    suspect(context, kind.name, entries)
    until = time.monotonic() + GOING_SECONDS
    looks, refused = 0, None
    while True:
        context.fence()
        marked = kind.marked(context.cloud, context.request.id)
        things = [thing for thing in marked if names is None or thing.name in names or thing.id in ids]
        if not things and time.time() >= late(context):
            break
        if refused or looks % ASK_AGAIN == 0:
            refused = _ask(context, kind, [thing.id for thing in things])
        if things and time.monotonic() >= until:
            raise refused or _stays(kind, things)
        if things:
            context.progress(f"Taking back: {len(things)} of {kind.service}'s {kind.name}s are left.")
        looks = looks + 1 if things else 0
        context.sleep(context.poll_seconds)
    left = [(entry, DELETED, "") for entry in entries if entry.state != DELETED]
    if left:
        context.settle_many(left)


def _ask(context: Context, kind: Kind, ids: Iterable[str]) -> ServiceError | None:
    """Ask all of them to go; answers why one does not yet.

    Raises:
        ServiceError: one may not be deleted, or the service is away.
    """
    answers = gather({each: partial(kind.delete, context.cloud, each) for each in ids}, _THREADS)
    busy: ServiceError | None = None
    for answer in answers.values():
        if isinstance(answer, NotFound):
            continue
        if isinstance(answer, ServiceError) and is_busy(answer):
            busy = answer
        elif isinstance(answer, ServiceError):
            raise answer
    return busy


def is_busy(error: ServiceError) -> bool:
    """Whether a thing may be deleted later: Cinder calls a volume that is being detached a bad request."""
    return isinstance(error, Conflict) or error.status == _BUSY


def _stays(kind: Kind, things: Iterable[Any]) -> ServiceError:
    left = ", ".join(f"{thing.name} ({thing.status})" for thing in things)
    return ServiceError(
        kind.service, f"delete {kind.name}", f"these do not go: {left}", next_step="Look at them, then roll back again."
    )
