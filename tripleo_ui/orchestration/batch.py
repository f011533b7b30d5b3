"""Many things at once within one step: intents first, in one transaction; results on the way; stop, drain, tell.

TaskFlow's parallel engine spends six to ten milliseconds of one thread on each task; a pool in one task spends none.
"""

import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextvars import copy_context
from typing import Any

from tripleo_ui.orchestration.context import CREATED, DELETED, Context, Thing
from tripleo_ui.orchestration.records import Entry

THREADS = 20
#: Results that are written together, and the longest time that one waits for others, in seconds.
TOGETHER = 20
_LONGEST = 0.25


def make_all(
    context: Context, things: Sequence[Thing], make: Callable[[Entry], str], threads: int = THREADS
) -> list[Entry]:
    """Make things that the ledger does not have as created yet, many at a time.

    Args:
        context: the step's.
        things: (service, kind, name) of each.
        make: makes, or adopts, what an entry stands for, in a thread, and answers its external id. It must find what
            an earlier try made.
        threads: how many at once.

    Returns:
        The entries of all things, in their order.

    Raises:
        What ``make`` raised first, after what was under way has ended and is in the ledger; what was not begun is
        left. Likewise CancelledError, SuspendedError and Fenced.
    """
    entries = context.intents(things)
    left = [entry for entry in entries if entry.state != CREATED]
    _run(context, left, len(entries), make, CREATED, context.check, threads)
    known = {entry.seq: entry for entry in context.entries()}
    return [known[entry.seq] for entry in entries]


def undo_all(context: Context, entries: Iterable[Entry], undo: Callable[[Entry], None], threads: int = THREADS) -> None:
    """Take back what entries stand for, many at a time; ``undo`` bears that it is gone, or was never made.

    All of them are tried, whatever fails.

    Raises:
        What ``undo`` raised first.
    """
    left = [entry for entry in entries if entry.state != DELETED]
    failures: list[Exception] = []

    def tried(entry: Entry) -> str | None:
        try:
            undo(entry)
        except Exception as error:  # noqa: BLE001 - whatever it is, the others are tried
            failures.append(error)
            return None
        return ""

    _run(context, left, 0, tried, DELETED, context.fence, threads)
    if failures:
        raise failures[0]


def _run(
    context: Context,
    entries: Sequence[Entry],
    total: int,
    work: Callable[[Entry], str | None],
    state: str,
    check: Callable[[], None],
    threads: int,
) -> None:
    """Carry out and settle; ``check`` raises where no more may be begun."""
    waiting = iter(entries)
    running: dict[Future[str | None], Entry] = {}
    settled = _Settled(context, state, max(0, total - len(entries)), total)
    failure: BaseException | None = None
    with ThreadPoolExecutor(max(1, min(threads, len(entries))), thread_name_prefix="batch") as pool:
        while True:
            while failure is None and len(running) < 2 * threads and (entry := next(waiting, None)):
                running[pool.submit(copy_context().run, work, entry)] = entry
            if not running:
                break
            done, _rest = wait(running, timeout=_LONGEST, return_when=FIRST_COMPLETED)
            for future in done:
                entry = running.pop(future)
                raised = future.exception()
                if raised is not None:
                    failure = failure or raised
                elif (made := future.result()) is not None:
                    settled.add(entry, made)
            try:
                settled.write_when_due(last=not running)
                if failure is None:
                    check()
            except Exception as error:  # noqa: BLE001 - raised once nothing runs any more
                failure = failure or error
            if failure is not None:
                _withdraw(running)
    settled.write()
    if failure is not None:
        raise failure


def _withdraw(running: dict[Future[Any], Entry]) -> None:
    for future in [future for future in running if future.cancel()]:
        del running[future]


class _Settled:
    """Results that are not in the ledger yet."""

    def __init__(self, context: Context, state: str, before: int, total: int) -> None:
        self._context = context
        self._state = state
        self._done = before
        self._total = total
        self._held: list[tuple[Entry, str, str]] = []
        self._since = time.monotonic()

    def add(self, entry: Entry, external_id: str) -> None:
        if not self._held:
            self._since = time.monotonic()
        self._held.append((entry, self._state, external_id))

    def write_when_due(self, *, last: bool) -> None:
        if last or len(self._held) >= TOGETHER or time.monotonic() - self._since > _LONGEST:
            self.write()

    def write(self) -> None:
        if not self._held:
            return
        self._done += len(self._held)
        numbers = (self._done, self._total) if self._total else None
        self._context.settle_many(self._held, progress=numbers)
        self._held = []
