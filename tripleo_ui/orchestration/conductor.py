"""The conductor: claims requests, carries them out, and leaves them so that another one can go on at any moment."""

import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from typing import Any
from uuid import UUID, uuid5

from taskflow import engines
from taskflow import exceptions as taskflow_errors
from taskflow.patterns import linear_flow
from taskflow.persistence import models

from tripleo_ui.config import settings
from tripleo_ui.orchestration import api, board, persistence, workflows
from tripleo_ui.orchestration.board import Claim
from tripleo_ui.orchestration.context import Context, SuspendedError
from tripleo_ui.orchestration.errors import Fenced, NotAllowed
from tripleo_ui.orchestration.records import Request
from tripleo_ui.orchestration.states import State
from tripleo_ui.orchestration.step import Step
from tripleo_ui.orchestration.store.engine import engine, reading
from tripleo_ui.orchestration.transitions import load
from tripleo_ui.services.errors import ServiceError

LOG = logging.getLogger(__name__)
IDLE_SECONDS = 0.5
#: TaskFlow's states of a flow that has nothing more to run.
_ENDED = frozenset({"SUCCESS", "FAILURE"})
_EXPIRY_EVERY = 60.0
#: A request that no conductor can work on, each of them dying at it, is given up after so many takeovers of one try.
MOST_CLAIMS = 50


class Conductor:
    """One process's worth of work on requests.

    ``cloud_of`` makes the services' clients for a request, from its trust.
    """

    def __init__(self, name: str, cloud_of: Callable[[Request], Any]) -> None:
        self.name = name
        self._cloud_of = cloud_of
        self._running: dict[str, Context] = {}
        self._guard = threading.Lock()
        self._stop = threading.Event()

    def run(self, *, once: bool = False) -> None:
        """Work until ``stop`` is called; with ``once`` until nothing is left to do."""
        renewer = threading.Thread(target=self._renew, name="leases", daemon=True)
        renewer.start()
        expired_at = 0.0
        with ThreadPoolExecutor(settings.workers, thread_name_prefix="request") as pool:
            while not self._stop.is_set():
                if time.monotonic() - expired_at > _EXPIRY_EVERY:
                    expired_at = time.monotonic()
                    self._attempt(lambda: api.expire(settings.queue_expiry_seconds))
                self._attempt(lambda: self._claim(pool))
                if once and not self._running and not board.waiting(1):
                    break
                self._stop.wait(IDLE_SECONDS)
            self.stop()
        renewer.join()

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
            LOG.exception("the database could not be used; trying again")

    def _claim(self, pool: ThreadPoolExecutor) -> None:
        free = settings.workers - len(self._running)
        for request_id in board.waiting(free) if free > 0 else ():
            if request_id in self._running:
                continue
            claim = board.claim(request_id, self.name, settings.lease_seconds)
            if claim is not None:
                context = self._context(claim)
                with self._guard:
                    self._running[request_id] = context
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

    def _renew(self) -> None:
        """Extend all leases well before they end; who has lost one must stop."""
        while not self._stop.wait(settings.lease_seconds / 3):
            with self._guard:
                contexts = list(self._running.values())
            for context in contexts:
                if time.monotonic() > context.overdue_at:
                    LOG.error("request %s: %s hangs; another try may have it", context.claim.request_id, context.phase)
                    context.stop.set()
                    continue
                try:
                    held = board.renew(context.claim, settings.lease_seconds)
                except Exception:
                    LOG.exception("request %s: the lease could not be renewed", context.claim.request_id)
                    continue
                if not held:
                    context.stop.set()

    def _work(self, context: Context) -> None:
        request_id = context.claim.request_id
        try:
            carry_out(context)
        except (Fenced, SuspendedError):
            LOG.info("request %s: left to another conductor", request_id)
        except Exception:
            LOG.exception("request %s: could not be carried out", request_id)
        finally:
            with self._guard:
                self._running.pop(request_id, None)
            self._attempt(lambda: board.release(context.claim))


def carry_out(context: Context) -> None:
    """Take a claimed request to its end, from wherever it is.

    Raises:
        Fenced, SuspendedError: this conductor lost it, or goes down; another one goes on.
    """
    request = context.request
    if request.state is State.QUEUED:
        context.move("start", "Started.", started_at=time.time())
    elif request.state in {State.SUCCEEDED, State.FAILED, State.CANCELLED, State.PARTIAL, State.NEEDS_ATTENTION}:
        return
    else:
        context.note(f"Taken over by {context.claim.owner}.", kind="takeover")
    if context.takeovers() > MOST_CLAIMS:
        _give_up(context)
        return
    definition = workflows.exact(request.workflow, request.version)
    if definition is None:
        _unknown(context)
        return
    left = _run(context, definition)
    _finish(context, left)


def _run(context: Context, definition: workflows.Workflow) -> str:
    """Run or resume the flow; answers why something could not be taken back, or an empty text.

    Whatever a step raised is on the request already.
    """
    steps = [_step(phase, where, context) for phase, where in definition.steps.items()]
    records = persistence.backend(engine(settings.database_url), context.fence)
    book, detail = _records(records, context.request)
    if context.request.state is State.REVERTING and detail.state in _ENDED:
        return _undo(context, steps)
    if detail.state in {"SUCCESS", "REVERTED"}:
        return ""  # The conductor before went down just ahead of the request's last move.
    flow = linear_flow.Flow(f"{definition.name}-{definition.version}").add(*steps)
    runner = engines.load(flow, flow_detail=detail, book=book, backend=records, engine="serial")
    try:
        runner.run()
    except (Fenced, SuspendedError):
        raise
    except taskflow_errors.WrappedFailure as wrapped:
        _reraise_suspension(context, list(wrapped))
    except Exception as error:
        if context.stop.is_set():
            raise SuspendedError from error
        LOG.info("request %s: %s", context.request.id, error)
    return _left(_records(records, context.request)[1])


def _left(detail: models.FlowDetail) -> str:
    for atom in detail:
        if atom.state == "REVERT_FAILURE":
            return f"{atom.name}: {atom.revert_failure.exception_str}"
    return ""


def _step(phase: str, where: str, context: Context) -> Step:
    module, _, name = where.partition(":")
    made: Step = getattr(import_module(module), name)(phase, context)
    return made


def _undo(context: Context, steps: list[Step]) -> str:
    """Take back everything once more, after a flow that had ended: each step knows from the ledger what is left."""
    for step in reversed(steps):
        try:
            step.revert()
        except (Fenced, SuspendedError):
            raise
        except Exception as error:
            LOG.exception("request %s: %s could not be taken back", context.request.id, step.phase)
            return f"{step.phase}: {error}"
    return ""


def _reraise_suspension(context: Context, failures: list[Any]) -> None:
    for failure in failures:
        if failure.check(Fenced, SuspendedError):
            raise SuspendedError
        LOG.info("request %s: %s", context.request.id, failure.exception_str)
    if context.stop.is_set():
        raise SuspendedError


def _records(records: Any, request: Request) -> tuple[models.LogBook, models.FlowDetail]:
    """TaskFlow's book and flow of this try, made at the first claim: their ids follow from the request's."""
    book_id = str(uuid5(UUID(request.id), "book"))
    flow_id = str(uuid5(UUID(request.id), f"attempt-{request.attempt}"))
    connection = records.get_connection()
    try:
        book = connection.get_logbook(book_id)
    except taskflow_errors.NotFound:
        book = models.LogBook(request.workflow, uuid=book_id)
    detail = book.find(flow_id)
    if detail is None:
        detail = models.FlowDetail(f"{request.workflow}-{request.version}", flow_id)
        book.add(detail)
        connection.save_logbook(book)
        detail = connection.get_logbook(book_id).find(flow_id)
    return book, detail


def _finish(context: Context, left: str) -> None:
    """The last move, from the state in which the flow has left the request."""
    with reading() as connection:
        context.request = load(connection, context.claim.request_id)
    state = context.request.state
    if state in {State.RUNNING, State.CANCELLING, State.STALLED}:
        if state is State.STALLED:
            context.move("start", "The service is back.", error=None)
        _drop_trust(context)
        context.move("succeed", "Done.", error=None, phase="")
    elif state is State.REVERTING and left:
        context.move("revert_fail", f"Not everything could be taken back. {left}")
    elif state is State.REVERTING:
        _drop_trust(context)
        if context.request.cancel_requested:
            context.move("reverted_cancel", "Cancelled.", error=None)
        else:
            context.move("reverted", context.request.message)


def _drop_trust(context: Context) -> None:
    """Delete the request's trust, unless a stack that it made lives on and Heat needs it; a retry makes a new one."""
    entry = context.entry("heat", "stack", str(context.request.params.get("plan")))
    if not context.request.trust_id or (entry is not None and entry.state == "CREATED"):
        return
    try:
        context.cloud.keystone.delete_trust(context.request.trust_id)
    except ServiceError as error:
        LOG.warning("request %s: its trust could not be deleted: %s", context.request.id, error)
        return
    context.trust_deleted(context.request.trust_id)


def _give_up(context: Context) -> None:
    _fail(context, "every conductor that took the request stopped at it", "Look at the conductors' logs, then retry.")


def _unknown(context: Context) -> None:
    cause = f"this conductor does not know {context.request.workflow} version {context.request.version}"
    _fail(context, cause, "Upgrade the conductors, then retry.")


def _fail(context: Context, cause: str, next_step: str) -> None:
    error = {
        "service": "orchestrator",
        "operation": "carry out",
        "cause": cause,
        "next_step": next_step,
        "request_id": "",
    }
    try:
        if context.request.state is not State.REVERTING:
            context.move("fail", cause, error=error)
        context.move("reverted_cancel" if context.request.cancel_requested else "reverted", cause)
    except NotAllowed:
        LOG.exception("request %s: could not be failed", context.request.id)
