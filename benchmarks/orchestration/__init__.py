"""What the orchestrator costs, beside its goals: flows, batches, submits, polls, recovery, a long queue."""

import contextlib
import logging
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from benchmarks.orchestration import batches, flows, pages, queue, recovery, taskflow_peer
from tests.servers import database_of, postgresql

_PARTS: dict[str, Callable[[str], dict[str, Any]]] = {
    "flows": flows.measure,
    "taskflow": taskflow_peer.measure,
    "batch": batches.measure,
    "queue": queue.measure,
    "recovery": recovery.measure,
}


def measure() -> dict[str, Any]:
    """The figures for SQLite and PostgreSQL; ``goal`` is what one of them is held against, where there is such."""
    logging.disable(logging.CRITICAL)
    result: dict[str, Any] = {name: {} for name in _PARTS}
    for engine, databases in (("sqlite", _sqlite), ("postgresql", _postgresql)):
        try:
            with databases() as database:
                for name, part in _PARTS.items():
                    with database() as url:
                        result[name][engine] = part(url)
        except pytest.skip.Exception as absent:
            result[engine] = f"not measured: {absent}"
    with _sqlite() as database, database() as url:
        result["pages"] = pages.measure(url)
    return result


@contextlib.contextmanager
def _sqlite() -> Iterator[Callable[[], contextlib.AbstractContextManager[str]]]:
    @contextlib.contextmanager
    def database() -> Iterator[str]:
        with tempfile.TemporaryDirectory() as folder:
            yield f"sqlite:///{Path(folder) / 'bench.sqlite'}"

    yield database


@contextlib.contextmanager
def _postgresql() -> Iterator[Callable[[], contextlib.AbstractContextManager[str]]]:
    with postgresql() as server:
        yield lambda: database_of(server)
