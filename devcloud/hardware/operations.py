"""What every interface of the hardware type does first: read the knobs, take its time, fail if it is told to."""

import random
import time
import typing
from collections.abc import Callable

from ironic.common import exception, states

from devcloud.hardware import inventory, knobs
from devcloud.hardware.sensors import Machine

Task = typing.Any  # ironic.conductor.task_manager.TaskManager
Failure = Callable[[str], Exception]


def read_knobs(task: Task) -> knobs.Knobs:
    """Return the knobs of the task's node.

    Raises:
        InvalidParameterValue: a knob has a value that cannot be.
    """
    try:
        read = knobs.read(task.node.driver_info)
        inventory.kind_of(read.kind, task.node.resource_class)
    except ValueError as error:
        raise exception.InvalidParameterValue(err=str(error)) from error
    return read


def begin(task: Task, operation: str, failure: Failure = exception.IronicException, slow: bool = True) -> None:
    """Take the time that an operation takes, and fail if the node's knobs say so.

    Args:
        task: the conductor's task.
        operation: one of ``knobs.OPERATIONS``.
        failure: makes the exception of a text.
        slow: whether the operation takes the node's delay.
    """
    read = read_knobs(task)
    if slow:
        pause(read)
    if operation in read.failing:
        raise failure(f"the simulated machine {task.node.name or task.node.uuid} was told to fail: {operation}")


def pause(read: knobs.Knobs) -> None:
    """Wait as long as an operation of a node takes."""
    time.sleep(random.uniform(*read.delay))  # noqa: S311 - a simulation


def machine(task: Task) -> Machine:
    """Return what the node's sensor readings follow from."""
    node = task.node
    return Machine(
        uuid=node.uuid,
        powered=node.power_state == states.POWER_ON,
        busy=node.provision_state == states.ACTIVE,
        heat=read_knobs(task).heat,
    )


class Described:
    """What the interfaces share: their properties, and a validation that reads the knobs."""

    def get_properties(self) -> dict[str, str]:
        """Return name → description of the properties of ``driver_info``."""
        return knobs.PROPERTIES

    def validate(self, task: Task) -> None:
        """Read the knobs.

        Raises:
            InvalidParameterValue: a knob has a value that cannot be.
        """
        read_knobs(task)
