"""The states that instances go through while they are made."""

from enum import StrEnum

from tripleo_ui.orchestration.states import State


class InstanceState(StrEnum):
    """In their order."""

    VALIDATING = "VALIDATING"
    HOST_RESERVED = "HOST_RESERVED"
    PORTS_RESERVED = "PORTS_RESERVED"
    VOLUMES_RESERVED = "VOLUMES_RESERVED"
    SPEC_BUILT = "SPEC_BUILT"
    BUILDING = "BUILDING"
    ACTIVE = "ACTIVE"


#: The state that was reached when a phase begins.
_BEFORE = {
    "validate": InstanceState.VALIDATING,
    "reserve_hosts": InstanceState.VALIDATING,
    "reserve_ports": InstanceState.HOST_RESERVED,
    "reserve_volumes": InstanceState.PORTS_RESERVED,
    "build_specification": InstanceState.VOLUMES_RESERVED,
    "build": InstanceState.BUILDING,
}


def of(phase: str, request_state: State) -> InstanceState:
    """The last state that a request of ``instance.create`` has reached.

    While it is taken back it is the state before the phase that is being undone.
    """
    if request_state in {State.SUCCEEDED, State.PARTIAL}:
        return InstanceState.ACTIVE
    found = _BEFORE.get(phase, InstanceState.VALIDATING)
    if found is InstanceState.BUILDING and request_state is State.REVERTING:
        return InstanceState.SPEC_BUILT
    return found
