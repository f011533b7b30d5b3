"""The state model: what is written down, and nothing else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, precondition, rule

from tripleo_ui.orchestration import states
from tripleo_ui.orchestration.states import State

EVENTS = sorted({event for events in states.TRANSITIONS.values() for event in events})


@given(st.sampled_from(State), st.sampled_from(EVENTS))
def test_only_what_is_written_down_is_possible(state, event):
    if event in states.TRANSITIONS[state]:
        assert states.after(state, event) is states.TRANSITIONS[state][event]
    else:
        with pytest.raises(states.IllegalTransitionError, match=state):
            states.after(state, event)


def test_every_state_is_reached_and_only_success_is_final():
    reached = {State.QUEUED, *(target for events in states.TRANSITIONS.values() for target in events.values())}
    assert reached == set(State)
    assert [state for state in State if not states.TRANSITIONS[state]] == [State.SUCCEEDED]


def test_every_state_is_active_or_ended_or_waits_for_a_person():
    assert set(State) == states.ACTIVE | states.ENDED | {State.NEEDS_ATTENTION}
    assert not states.ACTIVE & states.ENDED


@pytest.mark.parametrize(
    ("state", "actions"),
    [
        (State.QUEUED, {"cancel"}),
        (State.RUNNING, {"cancel"}),
        (State.STALLED, {"cancel"}),
        (State.CANCELLING, set()),
        (State.REVERTING, set()),
        (State.PARTIAL, {"retry", "rollback"}),
        (State.SUCCEEDED, set()),
        (State.FAILED, {"retry"}),
        (State.CANCELLED, {"retry"}),
        (State.NEEDS_ATTENTION, {"rollback"}),
    ],
)
def test_actions_of_a_person(state, actions):
    assert states.actions(state) == actions


class Life(RuleBasedStateMachine):
    """Any sequence of possible events keeps the promises."""

    def __init__(self):
        super().__init__()
        self.state = State.QUEUED

    @precondition(lambda self: not states.TRANSITIONS[self.state])
    @rule(event=st.sampled_from(EVENTS))
    def nothing_more(self, event):
        with pytest.raises(states.IllegalTransitionError):
            states.after(self.state, event)

    @precondition(lambda self: states.TRANSITIONS[self.state])
    @rule(data=st.data())
    def step(self, data):
        event = data.draw(st.sampled_from(sorted(states.TRANSITIONS[self.state])))
        before, self.state = self.state, states.after(self.state, event)
        if self.state is State.FAILED:
            assert before in {State.REVERTING, State.QUEUED}, "nothing fails without being taken back"
        if before is State.NEEDS_ATTENTION:
            assert self.state is State.REVERTING, "what is left is taken back first"
        if self.state is State.CANCELLED:
            assert before in {State.QUEUED, State.REVERTING}


TestLife = Life.TestCase
