"""Many things at once within a step: each is in the ledger before it is made, and after."""

import threading
import time

import pytest

from tests.orchestration import OPERATOR, database, submit  # noqa: F401
from tripleo_ui.orchestration import api, batch, boards
from tripleo_ui.orchestration.context import CancelledError, Context, SuspendedError
from tripleo_ui.services.errors import ServiceError

pytestmark = pytest.mark.usefixtures("database")
THINGS = [("neutron", "port", f"port-{number}") for number in range(50)]


def take(request, owner="conductor"):
    claim = boards.configured().claim(request.id, owner, 60)
    return Context(claim, api.get(request.id, "p1"), cloud=None, poll_seconds=0.01, deadline_seconds=30)


@pytest.fixture
def context():
    taken = take(submit())
    taken.move("start", "Started.")
    return taken


def states(context):
    return [entry.state for entry in context.entries()]


class World:
    """What was made, by how many threads at once at most."""

    def __init__(self, fails=()):
        self.made, self.calls, self.most, self._now = {}, [], 0, 0
        self._fails, self._guard = fails, threading.Lock()

    def make(self, entry):
        with self._guard:
            self.calls.append(entry.name)
            self._now += 1
            self.most = max(self.most, self._now)
        time.sleep(0.005)
        with self._guard:
            self._now -= 1
            if entry.name in self._fails:
                raise ServiceError("neutron", "create port", f"{entry.name} was told to fail")
            self.made[entry.name] = f"id-{entry.name}"
        return self.made[entry.name]

    def remove(self, entry):
        with self._guard:
            self.calls.append(entry.name)
            if entry.name in self._fails:
                raise ServiceError("neutron", "delete port", f"{entry.name} stays")
            self.made.pop(entry.name, None)


def test_all_are_made_once_at_once_and_in_the_ledger(context):
    world = World()
    entries = batch.make_all(context, THINGS, world.make, threads=10)

    assert [(entry.name, entry.external_id, entry.state) for entry in entries] == [
        (name, f"id-{name}", "CREATED") for _service, _kind, name in THINGS
    ]
    assert sorted(world.calls) == sorted(name for _service, _kind, name in THINGS)
    assert 5 <= world.most <= 10
    assert (context.request.done, context.request.total) == (50, 50)


def test_intents_are_written_before_anything_is_made(context):
    seen = []

    def make(entry):
        seen.append(len(context.entries()))
        return entry.name

    batch.make_all(context, THINGS, make)
    assert set(seen) == {50}


def test_what_an_earlier_try_made_is_not_made_again(context):
    world = World(fails={"port-20"})
    with pytest.raises(ServiceError, match="port-20 was told to fail"):
        batch.make_all(context, THINGS, world.make, threads=4)
    made = set(world.made)
    assert {entry.name for entry in context.entries() if entry.state == "CREATED"} == made
    assert 20 <= len(made) < 40

    again = World()
    batch.make_all(context, THINGS, again.make)
    assert set(again.made) == {name for _service, _kind, name in THINGS} - made
    assert states(context) == ["CREATED"] * 50


@pytest.mark.parametrize("stop", ["cancel", "suspend"])
def test_no_more_are_begun_once_it_must_stop(context, stop):
    world = World()

    def make(entry):
        if len(world.calls) == 10:
            if stop == "cancel":
                api.cancel(context.request.id, OPERATOR)
            else:
                context.stop.set()
        return world.make(entry)

    with pytest.raises(CancelledError if stop == "cancel" else SuspendedError):
        batch.make_all(context, THINGS, make, threads=2)
    assert 10 <= len(world.calls) < 40
    assert {entry.name for entry in context.entries() if entry.state == "CREATED"} == set(world.made)


def test_lost_lease_writes_nothing_more(context):
    from tripleo_ui.orchestration.errors import Fenced

    world = World()

    def make(entry):
        if len(world.calls) == 10:
            boards.configured().release(context.claim)
            boards.configured().claim(context.request.id, "another", 60)
        return world.make(entry)

    with pytest.raises(Fenced):
        batch.make_all(context, THINGS, make, threads=2)
    assert states(context).count("CREATED") < len(world.made) < 40


def test_undo_tries_all_and_says_what_stays(context):
    world = World()
    batch.make_all(context, THINGS, world.make)
    stuck = World(fails={"port-3", "port-30"})
    stuck.made = dict(world.made)
    with pytest.raises(ServiceError, match="stays"):
        batch.undo_all(context, context.entries(), stuck.remove)
    assert set(stuck.made) == {"port-3", "port-30"}
    assert {entry.name for entry in context.entries() if entry.state != "DELETED"} == {"port-3", "port-30"}

    free = World()
    batch.undo_all(context, context.entries(), free.remove)
    assert sorted(free.calls) == ["port-3", "port-30"]
    assert states(context) == ["DELETED"] * 50


def test_nothing_is_a_batch_too(context):
    assert batch.make_all(context, [], World().make) == []
    batch.undo_all(context, [], World().remove)
