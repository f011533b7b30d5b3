"""Which request is taken next: by age and priority, and no project takes all workers."""

import threading

import pytest

from tests.orchestration import OPERATOR, OTHER, database, folder, submit, wait_for  # noqa: F401
from tripleo_ui import config
from tripleo_ui.orchestration import api, boards, conductor
from tripleo_ui.orchestration.api import State
from tripleo_ui.orchestration.posting import PRIORITY_SECONDS
from tripleo_ui.orchestration.store.engine import writing
from tripleo_ui.orchestration.store.tables import JOBS

pytestmark = pytest.mark.usefixtures("database")


def waiting(limit=10, full=()):
    return boards.configured().waiting(limit, full)


def age(request, seconds):
    with writing() as connection:
        connection.execute(JOBS.update().where(JOBS.c.request_id == request.id).values(rank=JOBS.c.rank - seconds))


def test_higher_priority_comes_first_and_equal_ones_by_age():
    low, first, second, high = (
        submit(f"lamp-{number}", priority=priority) for number, priority in enumerate((-1, 0, 0, 1))
    )
    assert waiting() == [high.id, first.id, second.id, low.id]
    assert [request.priority for request in (low, high)] == [-1, 1]


def test_old_request_overtakes_however_many_urgent_ones_come():
    old = submit("old", priority=-1)
    urgent = [submit(f"urgent-{number}", priority=1) for number in range(5)]
    age(old, 2 * PRIORITY_SECONDS + 1)
    assert waiting()[0] == old.id
    assert set(waiting()[1:]) == {request.id for request in urgent}


def test_retry_waits_from_then_on(folder):  # noqa: F811
    first = submit("first")
    api.cancel(first.id, OPERATOR)
    second = submit("second")
    api.retry(first.id, OPERATOR)
    assert waiting() == [second.id, first.id]


def test_projects_that_have_enough_are_passed_over():
    mine = [submit(f"lamp-{number}") for number in range(3)]
    theirs = submit("lamp", requester=OTHER)
    assert waiting(2) == [mine[0].id, mine[1].id]
    assert waiting(2, ["p1"]) == [theirs.id]


@pytest.mark.parametrize(("workers", "share", "most"), [(16, 0.5, 8), (4, 1.0, 3), (4, 0.1, 1), (1, 1.0, 1)])
def test_share_of_one_project_never_is_all_workers(monkeypatch, workers, share, most):
    quick = config.Settings(workers=workers, project_share=share)
    monkeypatch.setitem(config.settings.__dict__, "_values", quick)
    assert conductor.most_of_one_project() == most


def test_project_with_many_requests_leaves_workers_to_others(folder):  # noqa: F811
    (folder.path / "one.slow").touch()
    many = [submit(f"lamp-{number}") for number in range(6)]
    made = conductor.Conductor("busy", lambda _request: folder)
    thread = threading.Thread(target=made.run)
    thread.start()
    try:
        for request in many[:2]:
            wait_for(request, State.RUNNING)
        late = submit("late", requester=OTHER)
        wait_for(late, State.RUNNING)
        assert [api.get(request.id, "p1").state for request in many] == [State.RUNNING] * 2 + [State.QUEUED] * 4
        (folder.path / "one.slow").unlink()
        for request in (*many, late):
            wait_for(request, State.SUCCEEDED)
    finally:
        made.stop()
        thread.join(20)
