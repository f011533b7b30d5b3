"""The conductor: claims requests, carries them out, and leaves them so that another one can go on at any moment."""

import logging
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from tripleo_ui.config import settings
from tripleo_ui.orchestration import boards, logs
from tripleo_ui.orchestration.boards import Claim
from tripleo_ui.orchestration.context import Context, SuspendedError
from tripleo_ui.orchestration.errors import Fenced
from tripleo_ui.orchestration.execution import carry_out
from tripleo_ui.orchestration.records import Request
from tripleo_ui.orchestration.store.engine import reading
from tripleo_ui.orchestration.transitions import load

LOG = logging.getLogger(__name__)
IDLE_SECONDS = 0.5


class Conductor:
    """One process's worth of work on requests.

    ``cloud_of`` makes the services' clients for a request, from its trust. ``chores`` are what else it does, each with
    the seconds between two times.
    """

    def __init__(
        self,
        name: str,
        cloud_of: Callable[[Request], Any],
        chores: Iterable[tuple[float, Callable[[], Any]]] = (),
    ) -> None:
        self.name = name
        self.board = boards.configured()
        self._cloud_of = cloud_of
        self._chores = [Chore(seconds, work) for seconds, work in chores]
        self._running: dict[str, Context] = {}
        self._guard = threading.Lock()
        self._stop = threading.Event()

    def run(self, *, once: bool = False) -> None:
        """Work until ``stop`` is called; with ``once`` until nothing is left to do."""
        helpers = [
            threading.Thread(target=target, name=name, daemon=True)
            for name, target in (("leases", self._renew), ("chores", self._do_chores))
        ]
        for helper in helpers:
            helper.start()
        with ThreadPoolExecutor(settings.workers, thread_name_prefix="request") as pool:
            while not self._stop.is_set():
                self._attempt(lambda: self._claim(pool))
                if once and not self._running and not self.board.waiting(1):
                    break
                self._stop.wait(IDLE_SECONDS)
            self.stop()
        for helper in helpers:
            helper.join()
        self.board.close()

    def stop(self) -> None:
        """End soon: running steps stop at their next look, and their requests are free for others."""
        self._stop.set()
        with self._guard:
            for context in self._running.values():
                context.stop.set()

    def _attempt(self, work: Callable[[], Any]) -> None:
        """Outlive a database that is away for a while."""
        try:
            work()
        except Exception:
            LOG.exception("the database or the board could not be used; trying again")

    def _claim(self, pool: ThreadPoolExecutor) -> None:
        """Fill the free workers, none of the projects taking more than its share of them."""
        while not self._stop.is_set():
            with self._guard:
                mine = set(self._running)
                held = Counter(context.claim.project_id for context in self._running.values())
            free = settings.workers - len(mine)
            full = [project for project, number in held.items() if number >= most_of_one_project()]
            found = [each for each in self.board.waiting(free, full) if each not in mine] if free > 0 else []
            # One at a time: each claim may fill its project.
            claim = next(
                filter(None, (self.board.claim(each, self.name, settings.lease_seconds) for each in found)), None
            )
            if claim is None:
                return
            self._begin(pool, claim)

    def _begin(self, pool: ThreadPoolExecutor, claim: Claim) -> None:
        try:
            context = self._context(claim)
        except Exception:
            self.board.release(claim)
            raise
        with self._guard:
            self._running[claim.request_id] = context
        pool.submit(self._work, context)

    def _context(self, claim: Claim) -> Context:
        with reading() as connection:
            request = load(connection, claim.request_id)
        return Context(
            claim=claim,
            request=request,
            cloud=self._cloud_of(request),
            poll_seconds=settings.poll_seconds,
            deadline_seconds=settings.step_deadline_seconds,
            phase=request.phase,
        )

    def _do_chores(self) -> None:
        while not self._stop.wait(IDLE_SECONDS):
            for chore in self._chores:
                if chore.due():
                    self._attempt(chore.work)

    def _renew(self) -> None:
        """Extend all leases well before they end; who has lost one must stop."""
        while not self._stop.wait(settings.lease_seconds / 3):
            with self._guard:
                contexts = list(self._running.values())
            for context in contexts:
                with logs.bound(request_id=context.claim.request_id, conductor=self.name):
                    self._renew_lease(context)

    def _renew_lease(self, context: Context) -> None:
        request_id = context.claim.request_id
        if time.monotonic() > context.overdue_at:
            LOG.error("request %s: %s hangs; another try may have it", request_id, context.phase)
            context.stop.set()
            return
        try:
            held = self.board.renew(context.claim, settings.lease_seconds)
        except Exception:
            LOG.exception("request %s: the lease could not be renewed", request_id)
            return
        if not held:
            context.stop.set()

    def _work(self, context: Context) -> None:
        request_id = context.claim.request_id
        with logs.bound(request_id=request_id, conductor=self.name):
            try:
                carry_out(context)
            except (Fenced, SuspendedError):
                LOG.info("request %s: left to another conductor", request_id)
            except Exception:
                LOG.exception("request %s: could not be carried out", request_id)
            finally:
                # The lease goes first: until then this conductor must not take the request again.
                self._attempt(lambda: self.board.release(context.claim))
                with self._guard:
                    self._running.pop(request_id, None)


def most_of_one_project() -> int:
    """Workers that the requests of one project may have: never all of them, where there are several."""
    workers: int = settings.workers
    share: float = settings.project_share
    return max(1, min(workers - 1, round(workers * share)))


class Chore:
    """Something that is done now and then."""

    def __init__(self, seconds: float, work: Callable[[], Any]) -> None:
        self.work = work
        self._seconds = seconds
        self._next = 0.0

    def due(self) -> bool:
        """Whether it is time, which begins the next wait."""
        if time.monotonic() < self._next:
            return False
        self._next = time.monotonic() + self._seconds
        return True
