"""Makes things, also when the request to make one is sent twice."""

import typing
from collections.abc import Callable

from openstack import exceptions

_REFUSALS = (exceptions.ConflictException, exceptions.BadRequestException)


def make(create: Callable[[], typing.Any], find: Callable[[], typing.Any]) -> typing.Any:
    """Make something that was not there, and return it.

    A request whose answer was lost is sent again, and then refused for what the first one made. So a refusal is no
    failure when the thing can be found.

    Raises:
        HttpException: it was refused, and it is not there.
    """
    try:
        return create()
    except _REFUSALS:
        found = find()
        if found is None:
            raise
        return found
