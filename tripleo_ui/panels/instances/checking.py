"""All that is wrong with a form at once: with its shape, and with what the services say about the rest."""

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from tripleo_ui.orchestration.instances import checks
from tripleo_ui.orchestration.instances.request import parse
from tripleo_ui.orchestration.instances.shape import Problem
from tripleo_ui.services.cloud import Cloud

# In the place of what has the wrong shape, so that the rest can be checked meanwhile.
_HARMLESS = {
    "name": "unnamed",
    "count": 1,
    "min_count": 1,
    "flavor": "?",
    "image": "?",
    "network": "?",
    "fixed_ip": "",
    "size": 1,
    "security_groups": [],
}


def problems(params: Mapping[str, Any], cloud: Cloud) -> tuple[Problem, ...]:
    """What is wrong with the params of ``instance.create``, by field; the conductor checks the same once more.

    Raises:
        ServiceError: a service that has to be asked did not answer.
    """
    request, shape = parse(params)
    if request is None:
        request, _left = parse(_mended(params, shape))
    if request is None:
        return shape
    wrong = {problem.field for problem in shape}
    found = checks.check(request, cloud).problems
    return (*shape, *(problem for problem in found if problem.field not in wrong))


def _mended(params, shape):
    """The params with something harmless wherever that is possible."""
    mended = deepcopy(dict(params))
    for problem in shape:
        *path, name = problem.field.split(".")
        place: Any = mended
        for key in path:
            place = place[int(key)] if isinstance(place, list) else place[key]
        if name in _HARMLESS:
            place[name] = _HARMLESS[name]
    return mended
