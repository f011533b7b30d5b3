"""Whatever people, two conductors and time do with requests, in whichever order, the promises hold."""

import contextlib
import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, invariant, multiple, rule

from tests.orchestration import OPERATOR, set_up, submit
from tripleo_ui.orchestration import api, boards, states
from tripleo_ui.orchestration.context import Context
from tripleo_ui.orchestration.errors import Fenced, Locked, NotAllowed
from tripleo_ui.orchestration.states import State
from tripleo_ui.orchestration.store.engine import reading, writing
from tripleo_ui.orchestration.store.tables import JOBS, LOCKS, REQUESTS

CONDUCTORS = st.sampled_from(["a", "b"])
PERSONS = {"cancel": api.cancel, "retry": api.retry, "rollback": api.rollback}
#: What only a conductor does.
WORK = sorted({event for events in states.TRANSITIONS.values() for event in events} - set(PERSONS) - {"expire"})


class Life(RuleBasedStateMachine):
    """Requests for three things; the conductors' holds on them, the lost ones too."""

    requests = Bundle("requests")

    def __init__(self):
        super().__init__()
        self._stack = contextlib.ExitStack()
        folder = Path(tempfile.mkdtemp(prefix="tripleo-ui-machine-"))
        self._stack.callback(shutil.rmtree, folder)
        patch = self._stack.enter_context(pytest.MonkeyPatch.context())
        self._stack.enter_context(set_up(patch, folder))
        self.board = boards.configured()
        self.things, self.holds, self.seen = {}, [], {}

    def teardown(self):
        self._stack.close()

    @rule(target=requests, thing=st.sampled_from(["lamp", "chair", "desk"]))
    def submit(self, thing):
        holders = [each for each, of in self.things.items() if of == thing and self.state(each) not in states.ENDED]
        if holders:
            with pytest.raises(Locked) as refused:
                submit(thing)
            assert [refused.value.holder.id] == holders
            return multiple()
        request = submit(thing)
        self.things[request.id] = thing
        return request.id

    @rule(who=CONDUCTORS)
    def claim(self, who):
        for request_id in self.board.waiting(1):
            assert self.state(request_id) in states.ACTIVE
            claim = self.board.claim(request_id, who, 600)
            request = api.get(request_id, "p1")
            self.holds.append(Context(claim, request, cloud=None, poll_seconds=0.01, deadline_seconds=60))

    @rule(request_id=requests, event=st.sampled_from(WORK), late=st.booleans())
    def work(self, request_id, event, late):
        """The owner makes a move, or one who was it before."""
        holds = [each for each in self.holds if each.claim.request_id == request_id]
        if not holds:
            return
        hold = holds[0 if late else -1]
        before, mine = self.state(request_id), self.may_write(hold)
        try:
            hold.move(event, "It moves.")
        except Fenced:
            assert not mine
        except NotAllowed:
            assert mine
            assert event not in states.TRANSITIONS[before]
        else:
            assert mine
            assert self.state(request_id) is states.TRANSITIONS[before][event]

    @rule(request_id=requests, action=st.sampled_from(sorted(PERSONS)))
    def ask(self, request_id, action):
        before = api.get(request_id, "p1")
        try:
            after = PERSONS[action](request_id, OPERATOR)
        except NotAllowed:
            assert action not in before.actions
        except Locked:
            assert before.state in states.ENDED
        else:
            repeated = action == "cancel" and before.cancel_requested and before.active
            assert after.state is (before.state if repeated else states.TRANSITIONS[before.state][action])

    @rule(request_id=requests)
    def lose_lease(self, request_id):
        with writing() as connection:
            connection.execute(JOBS.update().where(JOBS.c.request_id == request_id).values(expires=0.0))

    @rule(request_id=requests)
    def renew_and_release(self, request_id):
        for hold in [each for each in self.holds if each.claim.request_id == request_id]:
            mine = self.may_write(hold)
            assert self.board.renew(hold.claim, 600) is mine
            self.board.release(hold.claim)
            assert not self.may_write(hold)

    @rule()
    def expire(self):
        queued = {each for each in self.things if self.state(each) is State.QUEUED}
        assert set(api.expire(-60)) == queued
        assert {self.state(each) for each in queued} <= {State.FAILED}

    @invariant()
    def promises_hold(self):
        with reading() as connection:
            rows = {row.id: row for row in connection.execute(REQUESTS.select())}
            jobs = {row.request_id: row for row in connection.execute(JOBS.select())}
            locks = sorted(row.request_id for row in connection.execute(LOCKS.select()))
        assert locks == sorted(each for each, row in rows.items() if row.state not in states.ENDED)
        for request_id, row in rows.items():
            assert jobs[request_id].open == (row.state in states.ACTIVE)
            assert (row.finished_at is None) == (row.state in states.ACTIVE)
            self.story_goes_on(row)
            owners = [hold for hold in self.holds if hold.claim.request_id == request_id and self.may_write(hold)]
            assert len(owners) <= 1

    def story_goes_on(self, row):
        """Events are only added, each move begins where the one before ended, and a change is a new revision."""
        events = api.events(row.id, "p1", limit=1000)
        before, told = self.seen.get(row.id, (row, events))
        assert events[: len(told)] == told
        assert [event.seq for event in events] == sorted({event.seq for event in events})
        assert row.revision > before.revision or row == before
        state = State.QUEUED
        for event in events:
            if "to" in event.data:
                assert event.data["from"] == state
                state = states.TRANSITIONS[state][event.kind]
                assert event.data["to"] == event.state == state
        assert row.state == state
        self.seen[row.id] = (row, events)

    def state(self, request_id):
        return api.get(request_id, "p1").state

    def may_write(self, hold):
        try:
            hold.fence()
        except Fenced:
            return False
        return True


TestLife = Life.TestCase
TestLife.settings = settings(
    max_examples=30, stateful_step_count=30, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
