"""Submitting, finding and steering requests; drafts."""

import threading

import pytest
import sqlalchemy as sa

from tests.orchestration import OPERATOR, OTHER, database, submit  # noqa: F401
from tripleo_ui.orchestration import api, boards, drafts
from tripleo_ui.orchestration.api import State
from tripleo_ui.orchestration.store import engine, schema
from tripleo_ui.orchestration.store.tables import LOCKS, REQUESTS
from tripleo_ui.orchestration.transitions import move

pytestmark = pytest.mark.usefixtures("database")


def test_submit_writes_request_event_lock_and_job():
    request = submit(trust_id="t1")

    assert (request.state, request.title, request.target) == (State.QUEUED, "Make lamp", "thing:p1:lamp")
    assert request.phases == ("one", "two", "three", "four", "five")
    assert request.actions == {"cancel"}
    assert [event.kind for event in api.events(request.id, "p1")] == ["submit"]
    assert api.events(request.id, "p1")[0].actor == "olga"
    assert boards.configured().waiting(5) == [request.id]


@pytest.mark.parametrize(("workflow", "params"), [("test.files", {}), ("no.such", {"thing": "x"})])
def test_invalid_request_writes_nothing(workflow, params):
    with pytest.raises(api.Invalid) as refused:
        api.submit(workflow, OPERATOR, params)
    assert refused.value.problems
    assert api.find("p1").total == 0


def test_second_request_on_a_target_names_the_holder():
    first = submit()
    with pytest.raises(api.Locked) as refused:
        submit()

    assert refused.value.holder == first
    assert "olga" in str(refused.value)
    assert first.id in str(refused.value)
    assert submit("chair").state is State.QUEUED
    assert submit(requester=OTHER).state is State.QUEUED


def test_of_many_who_submit_at_once_one_gets_the_lock():
    results = []

    def attempt():
        try:
            results.append(submit())
        except api.Locked as refused:
            results.append(refused)

    threads = [threading.Thread(target=attempt) for _thread in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sum(isinstance(result, api.Request) for result in results) == 1
    assert len(results) == 8


def test_same_key_answers_the_same_request_and_other_content_is_refused():
    first = submit(key="k1")
    assert submit(key="k1").id == first.id
    with pytest.raises(api.KeyReused):
        submit("chair", key="k1")
    assert submit("chair", requester=OTHER, key="k1").id != first.id
    assert api.find("p1").total == 1


def test_other_projects_see_nothing():
    request = submit()
    for call in (
        lambda: api.get(request.id, "p2"),
        lambda: api.revision(request.id, "p2"),
        lambda: api.events(request.id, "p2"),
        lambda: api.ledger(request.id, "p2"),
        lambda: api.cancel(request.id, OTHER),
    ):
        with pytest.raises(api.NotFound):
            call()
    assert api.find("p2").items == ()
    assert api.newest("p2", request.target) is None


def test_queued_request_is_cancelled_at_once_and_its_lock_is_free():
    request = submit()
    assert api.cancel(request.id, OPERATOR).state is State.CANCELLED
    assert boards.configured().waiting(5) == []
    again = submit()
    with pytest.raises(api.Locked):
        api.retry(request.id, OPERATOR)
    assert api.newest("p1", request.target) == again


def test_retry_is_a_new_attempt_with_everything_else_kept():
    request = submit(trust_id="t1")
    api.cancel(request.id, OPERATOR)
    again = api.retry(request.id, OPERATOR, trust_id="t2")

    assert (again.id, again.attempt, again.state, again.trust_id) == (request.id, 2, State.QUEUED, "t2")
    assert not again.cancel_requested
    assert boards.configured().waiting(5) == [request.id]


@pytest.mark.parametrize("action", [api.retry, api.rollback])
def test_action_that_the_state_does_not_allow_is_refused(action):
    request = submit()
    with pytest.raises(api.NotAllowed, match="QUEUED"):
        action(request.id, OPERATOR)


def test_revision_grows_with_every_change():
    request = submit()
    before = api.revision(request.id, "p1")
    api.cancel(request.id, OPERATOR)
    assert api.revision(request.id, "p1") > before


def test_stale_move_is_refused():
    request = submit()
    with engine.writing() as connection:
        move(connection, request, "start", "Started.")
    with pytest.raises(api.NotAllowed, match="meanwhile"), engine.writing() as connection:
        move(connection, request, "start", "Started again.")


def test_find_filters_searches_and_pages():
    made = [submit(f"thing {number}") for number in range(5)]
    api.cancel(made[0].id, OPERATOR)
    first = api.find("p1", limit=2)
    second = api.find("p1", limit=2, marker=first.next_marker)
    third = api.find("p1", limit=2, marker=second.next_marker)

    shown = [item.title for page in (first, second, third) for item in page.items]
    assert shown == [f"Make thing {number}" for number in (4, 3, 2, 1, 0)]
    assert (first.total, third.next_marker) == (5, "")
    assert [item.id for item in api.find("p1", states=["CANCELLED"]).items] == [made[0].id]
    assert [item.id for item in api.find("p1", search="ING 3").items] == [made[3].id]
    assert api.find("p1", search="100%").total == 0
    assert api.find("p1", workflow="test").total == 5
    assert api.find("p1", workflow="tes").total == 0
    assert [item.id for item in api.find("p1", target=made[2].target).items] == [made[2].id]


def test_newest_by_target_is_one_query_for_many(database):  # noqa: F811
    old = submit()
    api.cancel(old.id, OPERATOR)
    new, other = submit(), submit("chair")
    statements = []
    made = engine.engine(database)
    sa.event.listen(made, "before_cursor_execute", lambda *arguments: statements.append(arguments[2]))
    found = api.newest_by_target("p1", [old.target, other.target, "thing:p1:none"])

    assert found == {new.target: new, other.target: other}
    assert sum(statement.startswith("SELECT") for statement in statements) == 1
    assert api.newest_by_target("p1", []) == {}


def test_events_after_a_number_are_only_the_new_ones():
    request = submit()
    first = api.events(request.id, "p1")
    api.cancel(request.id, OPERATOR)
    assert [event.kind for event in api.events(request.id, "p1", after=first[-1].seq)] == ["cancel"]
    assert len(api.events(request.id, "p1", limit=1)) == 1


def test_request_that_nobody_starts_expires_with_a_reason():
    request = submit()
    assert api.expire(3600) == []
    with engine.writing() as connection:
        connection.execute(sa.update(REQUESTS).values(updated_at=0))
    assert api.expire(3600) == [request.id]
    found = api.get(request.id, "p1")
    assert found.state is State.FAILED
    assert "no conductor" in found.error["cause"]
    with engine.reading() as connection:
        assert connection.execute(sa.select(LOCKS)).all() == []


def test_longest_waiting_request_is_first_and_a_claim_is_exclusive():
    made = [submit(f"thing {number}") for number in range(3)]
    assert boards.configured().waiting(5) == [request.id for request in made]
    claim = boards.configured().claim(made[0].id, "a", 30)

    assert boards.configured().claim(made[0].id, "b", 30) is None
    assert boards.configured().waiting(5) == [request.id for request in made[1:]]
    boards.configured().release(claim)
    taken = boards.configured().claim(made[0].id, "b", 30)
    assert taken.epoch == claim.epoch + 1
    assert not boards.configured().renew(claim, 30)
    assert boards.configured().renew(taken, 30)


def test_schema_upgrade_is_safe_to_repeat(database):  # noqa: F811
    assert schema.upgrade() == schema.current() == "0002"
    schema.check()


def test_missing_schema_names_the_command(tmp_path, monkeypatch):
    from tripleo_ui import config

    empty = config.Settings(database_url=f"sqlite:///{tmp_path / 'empty.sqlite'}")
    monkeypatch.setitem(config.settings.__dict__, "_values", empty)
    with pytest.raises(schema.SchemaError, match="orchestration_db upgrade"):
        schema.check()


class TestDrafts:
    def test_saved_draft_loads_for_its_owner_only(self):
        saved = drafts.save("u1", "p1", "plan", "k", {"name": "Größe"})
        assert drafts.load("u1", "p1", "plan", "k") == saved
        for owner in (("u2", "p1", "plan"), ("u1", "p2", "plan"), ("u1", "p1", "other")):
            assert drafts.load(*owner, "k") is None

    def test_second_window_gets_a_conflict_with_what_is_there(self):
        first = drafts.save("u1", "p1", "plan", "k", {"a": 1})
        drafts.save("u1", "p1", "plan", "k", {"a": 2}, revision=first.revision)
        with pytest.raises(drafts.DraftConflict) as conflict:
            drafts.save("u1", "p1", "plan", "k", {"a": 3}, revision=first.revision)
        assert conflict.value.current.data == {"a": 2}

    def test_deleted_draft_is_a_conflict_for_who_still_edits_it(self):
        first = drafts.save("u1", "p1", "plan", "k", {"a": 1})
        drafts.delete("u1", "p1", "plan", "k")
        drafts.delete("u1", "p1", "plan", "k")
        with pytest.raises(drafts.DraftConflict) as conflict:
            drafts.save("u1", "p1", "plan", "k", {"a": 2}, revision=first.revision)
        assert conflict.value.current is None

    def test_list_is_newest_first(self):
        for key in ("a", "b", "c"):
            drafts.save("u1", "p1", "plan", key, {})
        drafts.save("u1", "p1", "plan", "a", {"again": True})
        assert [draft.key for draft in drafts.list("u1", "p1", "plan")] == ["a", "c", "b"]


def test_secrets_are_refused_by_where_they_are(database):  # noqa: F811
    params = {"thing": "lamp", "metadata": {"password": "s3cret"}, "notes": ["fine", "token=abcdefgh"], "user_data": ""}
    with pytest.raises(api.Invalid) as refused:
        api.submit("test.files", OPERATOR, params)
    assert refused.value.problems == (
        "metadata.password looks like a secret, and requests keep none.",
        "notes.1 looks like a secret, and requests keep none.",
    )
    assert "s3cret" not in str(refused.value)
    assert api.find("p1").total == 0
