"""The contributor guide's workflow does what the guide says: adopts, undoes exactly, tells what is missing."""

import json
import threading
from importlib.metadata import EntryPoint

import pytest

from examples.workflows import announce
from tests.fakes import FakeCloud
from tests.orchestration import OPERATOR, database, running, wait_for  # noqa: F401
from tripleo_ui.orchestration import api, workflows
from tripleo_ui.orchestration.context import SuspendedError
from tripleo_ui.orchestration.states import State
from tripleo_ui.services.swift import Container

PARAMS = {"title": "tea", "text": "Tea is at four.", "boards": ["kitchen", "lab", "yard"]}


@pytest.fixture
def cloud(database, monkeypatch):  # noqa: F811
    """The services in memory; the workflow is known by its package's entry point."""
    entry = EntryPoint("announce", "examples.workflows.announce", workflows.GROUP)
    monkeypatch.setattr(workflows, "entry_points", lambda group: [entry] if group == entry.group else [])
    workflows._all.cache_clear()
    fake = FakeCloud()
    fake.swift.containers["announcements"] = {"meta": {}, "objects": {}}
    return fake


def submit(**changes):
    return api.submit("example.announce", OPERATOR, PARAMS | changes)


def objects(fake):
    """The content of each object that is there."""
    found = fake.swift.containers["announcements"]["objects"]
    return {name: versions[-1]["content"] for name, versions in found.items() if versions[-1]["content"] is not None}


def put(fake, name, content=b"somebody else's"):
    fake.swift.containers["announcements"]["objects"].setdefault(name, []).append(
        {"id": f"by-hand-{name}", "content": content, "etag": "x"}
    )


def ledger(request):
    return {entry.name: entry.state for entry in api.ledger(request.id, "p1")}


def test_it_announces_on_each_board(cloud):
    request = submit()

    with running(cloud.cloud()):
        found = wait_for(request, State.SUCCEEDED)

    assert sorted(objects(cloud)) == ["kitchen/tea", "lab/tea", "yard/tea"]
    assert json.loads(objects(cloud)["lab/tea"]) == {"by": "olga", "request": request.id, "text": "Tea is at four."}
    assert found.outputs == {"announced": ["kitchen/tea", "lab/tea", "yard/tea"]}
    assert set(ledger(request).values()) == {"CREATED"}


def test_a_name_that_is_taken_fails_it_and_only_its_own_objects_go(cloud):
    put(cloud, "yard/tea")
    put(cloud, "lab/coffee")
    request = submit()

    with running(cloud.cloud()):
        found = wait_for(request, State.FAILED)

    assert "yard/tea already" in found.error["cause"]
    assert sorted(objects(cloud)) == ["lab/coffee", "yard/tea"]
    assert ledger(request) == {"kitchen/tea": "DELETED", "lab/tea": "DELETED", "yard/tea": "FOREIGN"}


def test_what_a_conductor_wrote_and_did_not_say_is_adopted(cloud, monkeypatch):
    written, conductors, stopped = Container.write_once, [], threading.Event()

    def last_act(self, name, content):
        written(self, name, content)
        conductors[0].stop()
        stopped.set()
        raise SuspendedError

    monkeypatch.setattr(Container, "write_once", last_act)
    with running(cloud.cloud()) as conductor:
        conductors.append(conductor)
        request = submit(boards=["lab"])
        assert stopped.wait(20)
    assert list(objects(cloud)) == ["lab/tea"]
    assert ledger(request) == {"lab/tea": "INTENT"}
    monkeypatch.setattr(Container, "write_once", written)

    with running(cloud.cloud(), "conductor-2"):
        wait_for(request, State.SUCCEEDED)

    assert ledger(request) == {"lab/tea": "CREATED"}
    assert len(cloud.swift.containers["announcements"]["objects"]["lab/tea"]) == 1


def test_a_board_that_is_written_over_is_missing_and_stays_when_the_rest_is_taken_back(cloud, monkeypatch):
    confirm = announce.Confirm.run

    def run(step):
        put(cloud, "lab/tea")
        return confirm(step)

    monkeypatch.setattr(announce.Confirm, "run", run)
    request = submit()

    with running(cloud.cloud()):
        found = wait_for(request, State.PARTIAL)
        assert "lab/tea" in found.message
        assert found.outputs == {"announced": ["kitchen/tea", "yard/tea"]}
        api.rollback(request.id, OPERATOR)
        wait_for(request, State.FAILED)

    assert objects(cloud) == {"lab/tea": b"somebody else's"}


def test_two_requests_never_write_the_same_object(cloud):
    request = submit()

    with pytest.raises(api.Locked) as refused:
        submit(boards=["attic", "lab"])

    assert refused.value.holder.id == request.id
    submit(boards=["attic"])


def test_all_problems_are_told_at_once(cloud):
    with pytest.raises(api.Invalid) as refused:
        submit(title="Tea!", text=" ", boards=["lab", "No board"])

    assert [problem.split(":")[0] for problem in refused.value.problems] == ["title", "text", "boards"]


def test_a_form_asks_for_no_secret():
    workflow = announce.WORKFLOWS[0]
    secret = announce.Parameter("password", hidden=True)

    with pytest.raises(ValueError, match="no secrets"):
        workflows.Workflow(**vars(workflow) | {"form": (*workflow.form, secret)})
