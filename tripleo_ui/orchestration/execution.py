"""Carries out one claimed request: runs, resumes or takes back its flow, and makes its last move."""

import logging
import time
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any
from uuid import UUID, uuid5

from taskflow import engines
from taskflow import exceptions as taskflow_errors
from taskflow.patterns import linear_flow
from taskflow.persistence import models

from tripleo_ui.config import settings
from tripleo_ui.orchestration import persistence, trusts, workflows
from tripleo_ui.orchestration.context import CREATED, INTENT, Context, SuspendedError
from tripleo_ui.orchestration.errors import Fenced, NotAllowed
from tripleo_ui.orchestration.records import Request
from tripleo_ui.orchestration.states import State
from tripleo_ui.orchestration.step import Step
from tripleo_ui.orchestration.store.engine import engine, reading
from tripleo_ui.orchestration.transitions import load

LOG = logging.getLogger(__name__)
#: TaskFlow's states of a flow that has nothing more to run.
_ENDED = frozenset({"SUCCESS", "FAILURE"})
#: A request that no conductor can work on, each of them dying at it, is given up after so many takeovers of one try.
MOST_CLAIMS = 50


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
    _finish(context, _run(context, definition))


@dataclass(frozen=True)
class _Outcome:
    """How a flow ended: ``left`` says what could not be taken back, ``missing`` what a partial result lacks."""

    left: str = ""
    missing: str = ""


def _run(context: Context, definition: workflows.Workflow) -> _Outcome:
    """Run or resume the flow. Whatever a step raised is on the request already."""
    steps = [_step(phase, where, context, definition) for phase, where in definition.steps.items()]
    records = persistence.backend(engine(settings.database_url), context.fence)
    book, detail = _records(records, context.request)
    if context.request.state is State.REVERTING and detail.state in _ENDED:
        return _Outcome(left=_undo(context, steps))
    if detail.state in {"SUCCESS", "REVERTED"}:
        return _outcome(detail)  # The conductor before went down just ahead of the request's last move.
    flow = linear_flow.Flow(f"{definition.name}-{definition.version}").add(*steps)
    runner = engines.load(flow, flow_detail=detail, book=book, backend=records, engine="serial")
    try:
        runner.run()
    except (Fenced, SuspendedError):
        raise
    except taskflow_errors.StorageFailure as error:
        raise SuspendedError from error
    except taskflow_errors.WrappedFailure as wrapped:
        _reraise_suspension(context, list(wrapped))
    except Exception as error:
        if context.stop.is_set():
            raise SuspendedError from error
        LOG.info("request %s: %s", context.request.id, error)
    detail = _records(records, context.request)[1]
    stuck = _stuck(detail)
    if stuck:
        # TaskFlow stops at the first undo that fails; what the other phases made goes nevertheless.
        return _Outcome(left=_undo(context, [step for step in steps if step.phase not in stuck], stuck))
    return _outcome(detail)


def _outcome(detail: models.FlowDetail) -> _Outcome:
    missing = [atom.results for atom in detail if atom.state == "SUCCESS" and isinstance(atom.results, str)]
    return _Outcome(missing=" ".join(missing))


def _stuck(detail: models.FlowDetail) -> dict[str, str]:
    """The phases that could not be taken back, and why."""
    return {atom.name: atom.revert_failure.exception_str for atom in detail if atom.state == "REVERT_FAILURE"}


def _step(phase: str, where: str, context: Context, definition: workflows.Workflow) -> Step:
    module, _, name = where.partition(":")
    deadline = definition.deadlines.get(phase, settings.step_deadline_seconds)
    made: Step = getattr(import_module(module), name)(phase, context, deadline)
    return made


def _undo(context: Context, steps: list[Step], stuck: Mapping[str, str] | None = None) -> str:
    """Take back everything once more: each step knows from the ledger what is left. Answers what stays, and why."""
    failures = dict(stuck or {})
    for step in reversed(steps):
        try:
            step.revert()
        except (Fenced, SuspendedError):
            raise
        except Exception as error:
            LOG.exception("request %s: %s could not be taken back", context.request.id, step.phase)
            failures[step.phase] = str(error)
    return " ".join(f"{phase}: {why}" for phase, why in failures.items())


def _reraise_suspension(context: Context, failures: list[Any]) -> None:
    for failure in failures:
        if failure.check(Fenced, SuspendedError, taskflow_errors.StorageFailure):
            raise SuspendedError
        LOG.info("request %s: %s", context.request.id, failure.exception_str)
    if context.stop.is_set():
        raise SuspendedError


def _records(records: Any, request: Request) -> tuple[models.LogBook, models.FlowDetail]:
    """TaskFlow's book and flow of this try, made at the first claim: their ids follow from the request's."""
    book_id = persistence.book_id(request.id)
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


def _finish(context: Context, outcome: _Outcome) -> None:
    """The last move, from the state in which the flow has left the request."""
    with reading() as connection:
        context.request = load(connection, context.claim.request_id)
    state = context.request.state
    if state in {State.RUNNING, State.CANCELLING, State.STALLED}:
        if state is State.STALLED:
            context.move("start", "The service is back.", error=None)
        trusts.drop(context)
        if outcome.missing:
            context.move("partial", outcome.missing, error=None, phase="")
        else:
            context.move("succeed", "Done.", error=None, phase="")
    elif state is State.REVERTING and outcome.left:
        context.move("revert_fail", f"Not everything could be taken back. {outcome.left}")
    elif state is State.REVERTING:
        trusts.drop(context)
        if context.request.cancel_requested:
            context.move("reverted_cancel", "Cancelled.", error=None)
        else:
            context.move("reverted", context.request.message)


def _give_up(context: Context) -> None:
    cause = "every conductor that took the request stopped at it"
    _fail(context, cause, "Look at the conductors' logs, then try again.")


def _unknown(context: Context) -> None:
    cause = f"this conductor does not know {context.request.workflow} version {context.request.version}"
    _fail(context, cause, "Upgrade the conductors, then try again.")


def _fail(context: Context, cause: str, next_step: str) -> None:
    """End a request whose flow cannot be run: what it made stays, so then it needs attention and keeps its locks."""
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
        if any(entry.state in {INTENT, CREATED} and entry.kind != "trust" for entry in context.entries()):
            context.move("revert_fail", f"Nothing could be taken back: {cause}.")
        else:
            context.move("reverted_cancel" if context.request.cancel_requested else "reverted", cause)
    except NotAllowed:
        LOG.exception("request %s: could not be failed", context.request.id)
