"""Stored plans that drafts change. Steps read them often, so a few are kept in memory, without their secrets."""

import threading
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import replace

from tripleo_ui.planning import hot
from tripleo_ui.planning.plan import Plan, parameters

_KEPT = 16
_plans: OrderedDict[tuple[str, str, str, str], Plan] = OrderedDict()
_lock = threading.Lock()


def read(request, cloud, origin: Mapping) -> Plan:
    """The revision that a draft began with, without the values of hidden parameters.

    Args:
        request: whose plan; another person never gets what is kept for this one.
        cloud: the services.
        origin: the draft's origin: ``plan``, ``revision``, ``etag``.

    Raises:
        ServiceError: Swift did not answer, or the plan is gone.
    """
    key = (request.user.id, request.user.project_id, origin["plan"], origin["etag"])
    with _lock:
        if key in _plans:
            _plans.move_to_end(key)
            return _plans[key]
    plan = without_secrets(with_secrets(cloud, origin))
    with _lock:
        _plans[key] = plan
        while len(_plans) > _KEPT:
            _plans.popitem(last=False)
    return plan


def with_secrets(cloud, origin: Mapping) -> Plan:
    """The revision that a draft began with, complete; for saving it again, never to be kept.

    Raises:
        ServiceError: Swift did not answer, or the revision is gone.
    """
    return hot.parse(cloud.plans.read(origin["plan"], origin["revision"]).files)


def origin_of(info) -> dict:
    """What a draft remembers of the stored plan that it changes."""
    return {"plan": info.name, "revision": info.revision, "etag": info.etag}


def without_secrets(plan: Plan) -> Plan:
    """The plan with the values of its hidden parameters dropped."""
    hidden = {item.name for item in parameters(plan) if item.hidden}
    values = {name: value for name, value in plan.parameters.items() if name not in hidden}
    return replace(plan, parameters=values)


def forget() -> None:
    """Drop everything that is kept; for tests."""
    with _lock:
        _plans.clear()
