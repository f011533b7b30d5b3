"""A cloud in one file, for conductors that are killed: what it made outlives the process that asked for it.

It has the methods of ``tripleo_ui.services`` that flows call, and knobs for latency, faults and failing stacks, which a
test turns from another process while conductors run.
"""

import json
import sqlite3
import time
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from tripleo_ui.services.errors import Conflict, NotFound, ServiceError, Unavailable
from tripleo_ui.services.glance import Image
from tripleo_ui.services.heat import TAG, Change, Event, Resource, Stack
from tripleo_ui.services.nodes import Node
from tripleo_ui.services.nova import Flavor
from tripleo_ui.services.plan_records import PlanInfo, StoredPlan

_SCHEMA = """
CREATE TABLE IF NOT EXISTS knobs (name TEXT PRIMARY KEY, value TEXT);
CREATE TABLE IF NOT EXISTS calls (seq INTEGER PRIMARY KEY, who TEXT, operation TEXT, target TEXT);
CREATE TABLE IF NOT EXISTS plans (name TEXT PRIMARY KEY, etag TEXT, files TEXT);
CREATE TABLE IF NOT EXISTS stacks (name TEXT PRIMARY KEY, id TEXT, action TEXT, ends REAL, failure TEXT, tags TEXT);
"""
MEMBERS = 3


class Simulation:
    """The file, as a test sees it."""

    def __init__(self, path: Path | str) -> None:
        self.path = Path(path)
        with self.open() as file:
            file.executescript("PRAGMA journal_mode=WAL;" + _SCHEMA)

    @contextmanager
    def open(self) -> Iterator[sqlite3.Connection]:
        """A connection in a transaction that writes."""
        connection = sqlite3.connect(self.path, timeout=30, isolation_level=None)
        connection.execute("PRAGMA synchronous=OFF")
        try:
            connection.execute("BEGIN IMMEDIATE")
            yield connection
            if connection.in_transaction:
                connection.execute("COMMIT")
        finally:
            connection.close()

    def turn(self, **knobs: Any) -> None:
        """Set knobs: ``latency`` and ``duration`` in seconds, ``failure`` is why stacks fail, ``faults`` see below.

        ``faults`` maps an operation ("heat.create") to ``[kind, how often]``: "refuse" before it takes effect, "lose"
        the answer after it did, "error", or "hang", which is slow and then lost. "delete.end" makes deletions fail.
        """
        with self.open() as file:
            for name, value in knobs.items():
                file.execute("REPLACE INTO knobs VALUES (?, ?)", (name, json.dumps(value)))

    def knob(self, name: str, default: Any) -> Any:
        """The value of a knob."""
        with self.open() as file:
            row = file.execute("SELECT value FROM knobs WHERE name = ?", (name,)).fetchone()
        return default if row is None else json.loads(row[0])

    def store_plan(self, name: str, files: Mapping[str, str], etag: str = "1-first") -> None:
        """Put a plan there."""
        with self.open() as file:
            file.execute("REPLACE INTO plans VALUES (?, ?, ?)", (name, etag, json.dumps(dict(files))))

    def store_stack(self, name: str, tags: tuple[str, ...] = (), failure: str = "") -> str:
        """Put a stack there that is complete, or failed; answers its id."""
        stack_id = str(uuid.uuid4())
        with self.open() as file:
            row = (name, stack_id, "CREATE", 0.0, failure, json.dumps(tags))
            file.execute("INSERT INTO stacks VALUES (?, ?, ?, ?, ?, ?)", row)
        return stack_id

    def calls(self, operation: str, target: str = "") -> list[str]:
        """Who called an operation, in order; only calls that came through."""
        with self.open() as file:
            query = "SELECT who FROM calls WHERE operation = ? AND (? IN ('', target)) ORDER BY seq"
            return [row[0] for row in file.execute(query, (operation, target))]

    def stacks(self) -> dict[str, Stack]:
        """All stacks that are there, by name."""
        with self.open() as file:
            rows = file.execute("SELECT * FROM stacks").fetchall()
        return {row[0]: stack for row in rows if (stack := _stack(row)) is not None}

    def take_fault(self, operation: str) -> str:
        """The fault that this call meets, which is one fewer for the next ones."""
        with self.open() as file:
            row = file.execute("SELECT value FROM knobs WHERE name = 'faults'").fetchone()
            faults = json.loads(row[0]) if row else {}
            kind, times = faults.get(operation, ("", 0))
            if times <= 0:
                return ""
            faults[operation] = [kind, times - 1]
            file.execute("REPLACE INTO knobs VALUES ('faults', ?)", (json.dumps(faults),))
        return str(kind)


def _stack(row: tuple[Any, ...]) -> Stack | None:
    name, stack_id, action, ends, failure, tags = row
    going = time.time() < ends
    if action == "DELETE" and not going and not failure:
        return None
    status = "IN_PROGRESS" if going else "FAILED" if failure else "COMPLETE"
    reason = "" if going else failure
    return Stack(stack_id, name, f"{action}_{status}", reason, tags=tuple(json.loads(tags)), outputs={"Servers": []})


class SimulatedCloud:
    """The services; ``who`` is the conductor that calls them."""

    def __init__(self, path: Path | str, who: str) -> None:
        self.simulation = Simulation(path)
        self.who = who
        self.heat = _Heat(self)
        self.plans = _Plans(self)
        self.glance = SimpleNamespace(images=self._images)
        self.nova = SimpleNamespace(flavors=self._flavors)
        self.nodes = SimpleNamespace(list=self._nodes)
        self.keystone = SimpleNamespace(delete_trust=self._delete_trust)

    @contextmanager
    def call(self, operation: str, target: str = "") -> Iterator[None]:
        """What each call goes through; its body is what takes effect."""
        half = self.simulation.knob("latency", 0.0) / 2
        fault = self.simulation.take_fault(operation)
        service = operation.split(".", maxsplit=1)[0]
        time.sleep(half)
        if fault == "refuse":
            raise Unavailable(service, operation, "no connection to the service")
        if fault == "error":
            raise ServiceError(service, operation, "the service is broken", "req-1", 500, "Mend it.")
        yield
        with self.simulation.open() as file:
            row = (self.who, operation, target)
            file.execute("INSERT INTO calls (who, operation, target) VALUES (?, ?, ?)", row)
        time.sleep(half)
        if fault == "hang":
            time.sleep(self.simulation.knob("hang", 0.5))
        if fault in {"lose", "hang"}:
            raise Unavailable(service, operation, "the service did not answer in time")

    def _images(self) -> tuple[Image, ...]:
        with self.call("glance.images"):
            names = self.simulation.knob("images", ["overcloud-control"])
        return tuple(Image(name, name, 1024) for name in names)

    def _flavors(self) -> tuple[Flavor, ...]:
        with self.call("nova.flavors"):
            names = self.simulation.knob("flavors", ["baremetal-control"])
        traits = frozenset({"CUSTOM_CONTROL"})
        return tuple(Flavor(name, name, 4, 8192, 100, "CUSTOM_CONTROL", traits) for name in names)

    def _nodes(self) -> tuple[Node, ...]:
        with self.call("ironic.nodes"):
            number = self.simulation.knob("nodes", 3)
        traits = frozenset({"CUSTOM_CONTROL"})
        return tuple(
            Node(f"n{index}", f"node-{index}", "control", traits, "available", "power off") for index in range(number)
        )

    def _delete_trust(self, trust: str) -> None:
        with self.call("keystone.delete_trust", trust):
            pass


class _Plans:
    def __init__(self, cloud: SimulatedCloud) -> None:
        self._cloud = cloud

    def read(self, name: str, revision: int | None = None) -> StoredPlan:
        with self._cloud.call("swift.read", name), self._cloud.simulation.open() as file:
            row = file.execute("SELECT etag, files FROM plans WHERE name = ?", (name,)).fetchone()
        if row is None:
            raise NotFound("swift", "read plan", f"there is no plan {name}", status=404)
        return StoredPlan(PlanInfo(name, revision or 1, row[0]), json.loads(row[1]))

    def delete(self, name: str) -> None:
        with self._cloud.call("swift.delete", name), self._cloud.simulation.open() as file:
            file.execute("DELETE FROM plans WHERE name = ?", (name,))


class _Heat:
    def __init__(self, cloud: SimulatedCloud) -> None:
        self._cloud = cloud

    def _row(self, name: str) -> tuple[Any, ...] | None:
        with self._cloud.simulation.open() as file:
            row: tuple[Any, ...] | None = file.execute("SELECT * FROM stacks WHERE name = ?", (name,)).fetchone()
        return row if row and _stack(row) else None

    def _ends(self) -> float:
        return time.time() + float(self._cloud.simulation.knob("duration", 0.2))

    def _begin(self, name: str, action: str, tags: tuple[str, ...] | None = None) -> None:
        if action == "DELETE":
            failure = self._cloud.simulation.take_fault("delete.end") and "Build of instance aborted"
        else:
            failure = self._cloud.simulation.knob("failure", "")
        values = (action, self._ends(), failure, name)
        with self._cloud.simulation.open() as file:
            file.execute("UPDATE stacks SET action = ?, ends = ?, failure = ? WHERE name = ?", values)
            if tags is not None:
                file.execute("UPDATE stacks SET tags = ? WHERE name = ?", (json.dumps(tags), name))

    def hiding(self, secrets: Any) -> "_Heat":
        return self

    def validate(self, files: Mapping[str, str]) -> dict[str, Any]:
        with self._cloud.call("heat.validate"):
            return {name: {} for name in files}

    def preview(self, name: str, files: Mapping[str, str]) -> tuple[Resource, ...]:
        with self._cloud.call("heat.preview", name):
            return _resources("INIT_COMPLETE", MEMBERS)

    def preview_update(self, stack: Stack, files: Mapping[str, str]) -> tuple[Change, ...]:
        with self._cloud.call("heat.preview_update", stack.name):
            return (Change("updated", "Controller", "OS::Heat::ResourceGroup"),)

    def find(self, name: str) -> Stack | None:
        with self._cloud.call("heat.find", name):
            row = self._row(name)
        return _stack(row) if row else None

    def get(self, name: str, *, outputs: bool = False) -> Stack:
        stack = self.find(name)
        if stack is None:
            raise NotFound("heat", "show stack", f"there is no stack {name}", status=404)
        return stack

    def create(self, name: str, files: Mapping[str, str], tags: Any = (), timeout_mins: int = 240) -> str:
        with self._cloud.call("heat.create", name):
            if self._row(name) is not None:
                raise Conflict("heat", "create stack", f"the stack {name} exists", status=409)
            stack_id = str(uuid.uuid4())
            failure = self._cloud.simulation.knob("failure", "")
            row = (name, stack_id, "CREATE", self._ends(), failure, json.dumps([TAG, *tags]))
            with self._cloud.simulation.open() as file:
                file.execute("REPLACE INTO stacks VALUES (?, ?, ?, ?, ?, ?)", row)
        return stack_id

    def update(self, stack: Stack, files: Mapping[str, str], tags: Any = ()) -> None:
        with self._cloud.call("heat.update", stack.name):
            self._begin(stack.name, "UPDATE", (TAG, *tags))

    def delete(self, stack: Stack) -> None:
        with self._cloud.call("heat.delete", stack.name):
            self._begin(stack.name, "DELETE")

    def cancel(self, stack: Stack, *, rollback: bool = False) -> None:
        with self._cloud.call("heat.cancel", stack.name):
            self._begin(stack.name, "ROLLBACK" if rollback else "UPDATE")

    def resources(self, stack: Stack, depth: int = 5) -> tuple[Resource, ...]:
        with self._cloud.call("heat.resources", stack.name):
            return _resources(stack.status, MEMBERS, stack.reason)

    def events(self, stack: Stack, limit: int = 20, depth: int = 5) -> tuple[Event, ...]:
        with self._cloud.call("heat.events", stack.name):
            return (Event(f"{stack.id}-{stack.status}", "", stack.name, stack.status, stack.reason),)

    def failure(self, stack: Stack, resources: tuple[Resource, ...] = ()) -> Resource | None:
        return next((item for item in reversed(resources) if item.failed), None)


def _resources(status: str, number: int, reason: str = "") -> tuple[Resource, ...]:
    """A group, its member and that one's server, each in the one before."""
    names = ("Controller", "0", "server")[:number]
    kinds = ("OS::Heat::ResourceGroup", "Tuskar::Controller-1", "OS::Nova::Server")
    return tuple(
        Resource(name, kind, status, reason, f"id-{name}", names[: index + 1])
        for index, (name, kind) in enumerate(zip(names, kinds, strict=False))
    )
