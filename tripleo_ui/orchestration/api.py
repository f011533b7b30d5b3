"""The orchestrator as pages, commands and APIs use it. No call here waits for a workflow or for another service."""

import hashlib
import time
import uuid
from collections.abc import Mapping
from typing import Any

import sqlalchemy as sa

from tripleo_ui.orchestration import admission, trusts, workflows
from tripleo_ui.orchestration.audit import export
from tripleo_ui.orchestration.errors import (
    Invalid,
    KeyReused,
    Locked,
    NotAllowed,
    NotFound,
    OrchestrationError,
)
from tripleo_ui.orchestration.posting import lock, post
from tripleo_ui.orchestration.queries import by_key, events, find, get, ledger, newest, newest_by_target, revision
from tripleo_ui.orchestration.records import Entry, Event, Page, Request, Requester, request_of
from tripleo_ui.orchestration.states import State, is_active
from tripleo_ui.orchestration.store.engine import reading, writing
from tripleo_ui.orchestration.store.tables import REQUESTS
from tripleo_ui.orchestration.transitions import By, load, move, record
from tripleo_ui.orchestration.workflows import Workflow

__all__ = [
    "Entry",
    "Event",
    "Invalid",
    "KeyReused",
    "Locked",
    "NotAllowed",
    "NotFound",
    "OrchestrationError",
    "Page",
    "Request",
    "Requester",
    "State",
    "Workflow",
    "actions",
    "by_key",
    "cancel",
    "definition",
    "definitions",
    "events",
    "export",
    "find",
    "get",
    "is_active",
    "ledger",
    "newest",
    "newest_by_target",
    "retry",
    "revision",
    "rollback",
    "submit",
    "target_of",
]


def submit(
    workflow: str,
    requester: Requester,
    params: Mapping[str, Any],
    *,
    trust_id: str = "",
    key: str = "",
    title: str = "",
    priority: int = 0,
) -> Request:
    """Ask for a workflow: request, lock, first event and job are written in one transaction.

    Args:
        workflow: its registered name.
        requester: who asks, and for which project.
        params: what the workflow needs; something that is or looks like a secret is refused.
        trust_id: the Keystone trust that lets the conductor act for the requester.
        key: an idempotency key; the same key with the same content answers the request that is there.
        title: what a person calls it; the workflow has one of its own.
        priority: -1, 0 or 1; a step is worth ten minutes of waiting.

    Raises:
        Invalid: an unknown workflow, or params, key or priority that cannot be used; all problems at once.
        Locked: another request works on the same target.
        KeyReused: the key belongs to a request with another content.
    """
    definition = workflows.latest(workflow)
    problems = definition.problems(params) if definition else [f"There is no workflow {workflow}."]
    problems += admission.problems(params, key, priority)
    if definition is None or problems:
        raise Invalid(problems)
    target = definition.target(requester, params)
    if unfit := admission.unfit((target, *definition.locked(requester, params))):
        raise Invalid(unfit)
    digest = hashlib.sha256(admission.body([workflow, dict(params)]).encode()).hexdigest()
    with writing() as connection:
        if key and (known := _keyed(connection, requester.project_id, key, digest)):
            return known
        request_id = str(uuid.uuid4())
        now = time.time()
        row = {
            "id": request_id,
            "workflow": workflow,
            "version": definition.version,
            "title": admission.title(title or definition.title(params)),
            "target": target,
            "params": dict(params),
            "idempotency_key": key or None,
            "body_hash": digest,
            "priority": priority,
            "trust_id": trust_id,
            "state": State.QUEUED,
            "phase": "",
            "phases": list(definition.phases),
            "done": 0,
            "total": 0,
            "message": "Waiting for a conductor.",
            "error": None,
            "outputs": {},
            "attempt": 1,
            "cancel_requested": False,
            "revision": 1,
            "created_at": now,
            "updated_at": now,
            **vars(requester),
        }
        try:
            with connection.begin_nested():
                connection.execute(sa.insert(REQUESTS).values(row))
        except sa.exc.IntegrityError:
            # The same key came twice at the same moment.
            if key and (known := _keyed(connection, requester.project_id, key, digest)):
                return known
            raise
        request = load(connection, request_id)
        lock(connection, request)
        post(connection, request)
        record(connection, request_id, "submit", State.QUEUED, "", "Requested.", By.person(requester))
        return request


def target_of(workflow: str, requester: Requester, params: Mapping[str, Any]) -> str:
    """The name of what a request would lock.

    Raises:
        Invalid: an unknown workflow.
    """
    definition = workflows.latest(workflow)
    if definition is None:
        raise Invalid([f"There is no workflow {workflow}."])
    return definition.target(requester, params)


def definition(workflow: str, version: int = 0) -> Workflow | None:
    """A workflow by its name: that version, or the newest; None where there is none."""
    return workflows.exact(workflow, version) if version else workflows.latest(workflow)


def definitions() -> list[Workflow]:
    """The newest version of each workflow, by name."""
    return workflows.newest()


def actions(request: Request) -> frozenset[str]:
    """What may be done with it now: a subset of cancel, retry, rollback."""
    return request.actions


def cancel(request_id: str, requester: Requester) -> Request:
    """Ask the request to stop: at once when it only waits, else as soon as its conductor reads it.

    Raises:
        NotFound, NotAllowed
    """
    with writing() as connection:
        request = load(connection, request_id, requester.project_id, lock=True)
        if request.cancel_requested and request.active:
            return request
        told = "Cancelled." if request.state is State.QUEUED else "Asked to cancel."
        move(connection, request, "cancel", told, By.person(requester), cancel_requested=True)
        return load(connection, request_id)


def retry(request_id: str, requester: Requester, trust_id: str = "") -> Request:
    """Try again what failed, was cancelled or was done in part; the locks are taken anew.

    Raises:
        NotFound, NotAllowed, Locked
    """
    with writing() as connection:
        request = load(connection, request_id, requester.project_id, lock=True)
        move(
            connection,
            request,
            "retry",
            "Waiting for a conductor.",
            By.person(requester),
            attempt=request.attempt + 1,
            cancel_requested=False,
            error=None,
            phase="",
            done=0,
            total=0,
            **_trust(connection, request, trust_id),
        )
        lock(connection, request)
        post(connection, request)
        return load(connection, request_id)


def rollback(request_id: str, requester: Requester, trust_id: str = "") -> Request:
    """Take back what is left of a request that was done in part, or whose undo failed.

    Raises:
        NotFound, NotAllowed, Locked
    """
    with writing() as connection:
        request = load(connection, request_id, requester.project_id, lock=True)
        changes = _trust(connection, request, trust_id)
        move(connection, request, "rollback", "Taking back what is left.", By.person(requester), **changes)
        if request.state is State.PARTIAL:
            lock(connection, request)
        post(connection, request)
        return load(connection, request_id)


def expire(older_than: float) -> list[str]:
    """Fail the requests that nobody started within that many seconds; answers their ids."""
    before = time.time() - older_than
    late = (REQUESTS.c.state == State.QUEUED, REQUESTS.c.updated_at < before)
    error = {
        "service": "orchestrator",
        "operation": "start",
        "cause": "no conductor took the request in time",
        "next_step": "Check that a conductor runs, then retry.",
        "request_id": "",
    }
    with reading() as connection:
        found = connection.execute(sa.select(REQUESTS.c.id).where(*late)).scalars().all()
    return [request_id for request_id in found if _expire(request_id, before, error)]


def _expire(request_id: str, before: float, error: Mapping[str, str]) -> bool:
    with writing() as connection:
        request = load(connection, request_id, lock=True)
        if request.state is not State.QUEUED or request.updated_at.timestamp() >= before:
            return False  # A conductor has just come, or a retry.
        move(connection, request, "expire", "No conductor took it in time.", error=error)
    return True


def _trust(connection: sa.Connection, request: Request, trust_id: str) -> dict[str, Any]:
    if request.trust_id and trust_id not in {"", request.trust_id}:
        trusts.keep(connection, request)
    return {"trust_id": trust_id} if trust_id else {}


def _keyed(connection: sa.Connection, project_id: str, key: str, digest: str) -> Request | None:
    query = sa.select(REQUESTS).where(REQUESTS.c.project_id == project_id, REQUESTS.c.idempotency_key == key)
    row = connection.execute(query).mappings().first()
    if row is None:
        return None
    if row["body_hash"] != digest:
        raise KeyReused("the same key was used for a request with another content")
    return request_of(row)
