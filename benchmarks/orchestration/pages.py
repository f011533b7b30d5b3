"""A page's poll of a request's state where nothing is new: a 304, through all of Horizon's middleware."""

import time
from unittest import mock

from benchmarks.orchestration.harness import PERSON, database

POLLS = 200


def measure(url):
    """Polls per second of one process, and processor milliseconds of each."""
    import django  # noqa: PLC0415 - Horizon's settings take seconds to load

    django.setup()
    from tests.fakes import FakeCloud  # noqa: PLC0415
    from tests.panels.conftest import signed_in  # noqa: PLC0415
    from tripleo_ui.orchestration import api  # noqa: PLC0415

    with database(url), mock.patch("openstack_auth.utils.get_project_list", return_value=[]):
        request = api.submit("test.files", PERSON, {"thing": "polled"})
        client = signed_in(FakeCloud().catalog(), ["member"])
        path = f"/infrastructure/requests/{request.id}/status/"
        headers = {"If-None-Match": client.get(path)["ETag"]}
        answers = {client.get(path, headers=headers).status_code}
        wall, processor = time.perf_counter(), time.process_time()
        for _poll in range(POLLS):
            client.get(path, headers=headers)
        wall, processor = time.perf_counter() - wall, time.process_time() - processor
    assert answers == {304}
    return {
        "polls_per_second": round(POLLS / wall),
        "poll_processor_ms": {"value": round(1000 * processor / POLLS, 2), "goal": 3},
    }
