"""The states of a request, and which event leads from one to another."""

from enum import StrEnum

from automaton import exceptions, machines


class State(StrEnum):
    """Where a request is."""

    QUEUED = "QUEUED"
    RUNNING = "RUNNING"
    STALLED = "STALLED"
    CANCELLING = "CANCELLING"
    REVERTING = "REVERTING"
    PARTIAL = "PARTIAL"
    SUCCEEDED = "SUCCEEDED"
    FAILED = "FAILED"
    CANCELLED = "CANCELLED"
    NEEDS_ATTENTION = "NEEDS_ATTENTION"


TRANSITIONS: dict[State, dict[str, State]] = {
    State.QUEUED: {"start": State.RUNNING, "cancel": State.CANCELLED, "expire": State.FAILED},
    State.RUNNING: {
        "succeed": State.SUCCEEDED,
        "partial": State.PARTIAL,
        "fail": State.REVERTING,
        "cancel": State.CANCELLING,
        "stall": State.STALLED,
    },
    State.STALLED: {"start": State.RUNNING, "cancel": State.CANCELLING, "fail": State.REVERTING},
    State.CANCELLING: {"fail": State.REVERTING, "succeed": State.SUCCEEDED, "partial": State.PARTIAL},
    State.REVERTING: {
        "reverted": State.FAILED,
        "reverted_cancel": State.CANCELLED,
        "revert_fail": State.NEEDS_ATTENTION,
    },
    State.PARTIAL: {"retry": State.QUEUED, "rollback": State.REVERTING},
    State.SUCCEEDED: {},
    State.FAILED: {"retry": State.QUEUED},
    State.CANCELLED: {"retry": State.QUEUED},
    State.NEEDS_ATTENTION: {"rollback": State.REVERTING},
}

#: A conductor has work with these.
ACTIVE = frozenset({State.QUEUED, State.RUNNING, State.STALLED, State.CANCELLING, State.REVERTING})
#: The locks of a request are free again in these.
ENDED = frozenset({State.SUCCEEDED, State.PARTIAL, State.FAILED, State.CANCELLED})

_PERSONS = {"cancel": "cancel", "retry": "retry", "rollback": "rollback"}


class IllegalTransitionError(Exception):
    """An event that does nothing in the state the request is in."""


def _machine() -> machines.FiniteMachine:
    machine = machines.FiniteMachine()
    for state, events in TRANSITIONS.items():
        machine.add_state(state, terminal=not events)
    for state, events in TRANSITIONS.items():
        for event, target in events.items():
            machine.add_transition(state, target, event)
    machine.default_start_state = State.QUEUED
    machine.freeze()
    return machine


_MACHINE = _machine()


def after(state: State, event: str) -> State:
    """The state that an event leads to.

    Raises:
        IllegalTransitionError: it leads nowhere from there.
    """
    machine = _MACHINE.copy()
    try:
        machine.initialize(state)
        machine.process_event(event)
    except (exceptions.NotFound, exceptions.InvalidState) as error:
        raise IllegalTransitionError(f"a request that is {state} takes no {event}") from error
    return State(machine.current_state)


def is_active(state: State) -> bool:
    """Whether a conductor works on it, or will."""
    return state in ACTIVE


def actions(state: State) -> frozenset[str]:
    """What a person may do: a subset of cancel, retry, rollback."""
    return frozenset(_PERSONS[event] for event in TRANSITIONS[state] if event in _PERSONS)
