"""Several calls at once, so that a page waits for the slowest and not for the sum."""

from collections.abc import Callable, Hashable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import Any, TypeVar

from tripleo_ui.services.errors import ServiceError

Key = TypeVar("Key", bound=Hashable)

# Measured: eight threads take most of the gain, and no service is flooded by one page.
LIMIT = 8


def gather(calls: Mapping[Key, Callable[[], Any]], limit: int = LIMIT) -> dict[Key, Any]:
    """Make the calls, at most ``limit`` at a time; each has its own timeouts.

    Returns:
        For each key the call's result, or the ``ServiceError`` that it raised: one part that fails takes no other
        with it.
    """
    if not calls:
        return {}
    with ThreadPoolExecutor(min(limit, len(calls))) as pool:
        futures = {key: pool.submit(copy_context().run, _attempt, call) for key, call in calls.items()}
        return {key: future.result() for key, future in futures.items()}


def _attempt(call: Callable[[], Any]) -> Any:
    try:
        return call()
    except ServiceError as error:
        return error


def successes(results: Mapping[Key, Any]) -> dict[Key, Any]:
    """Those of ``gather``'s results that are no errors."""
    return {key: value for key, value in results.items() if not isinstance(value, ServiceError)}


def required(results: Mapping[Key, Any]) -> Mapping[Key, Any]:
    """The results of ``gather`` where no part may be missing.

    Raises:
        ServiceError: the first of them that failed.
    """
    for result in results.values():
        if isinstance(result, ServiceError):
            raise result
    return results
