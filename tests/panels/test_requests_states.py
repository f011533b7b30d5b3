"""A request's page in each state: what is waited for, missing or left, what can be done, who did what from where."""

import json

import pytest

from tests.panels.plans import ALICE, deploy, save
from tripleo_ui.orchestration import api
from tripleo_ui.orchestration.store.engine import writing
from tripleo_ui.orchestration.store.tables import LEDGER
from tripleo_ui.orchestration.transitions import By, load, move

URL = "/infrastructure/requests/"
CONDUCTOR = By(conductor="conductor-7")
AWAY = {
    "service": "ironic",
    "operation": "list nodes",
    "cause": "no connection to the service",
    "next_step": "",
    "request_id": "req-1",
}


@pytest.fixture
def request_(admin):
    return deploy(save(admin.cloud))


def go(request, *events, told="It says so.", **changes):
    """Take a request along events, as a conductor does; ``changes`` are the last one's."""
    with writing() as connection:
        for event in events:
            more = changes if event == events[-1] else {}
            move(connection, load(connection, request.id), event, told, CONDUCTOR, **more)


def made(request, *things):
    """Write (name, state) into the ledger."""
    with writing() as connection:
        for name, state in things:
            connection.execute(
                LEDGER.insert().values(
                    request_id=request.id,
                    phase="create",
                    service="heat",
                    kind="stack",
                    name=name,
                    external_id=f"id-of-{name}",
                    state=state,
                    at=0.0,
                )
            )


def page_of(pages, request):
    return pages.get(f"{URL}{request.id}/")


def buttons(page):
    return [button["value"] for button in page.elements("button") if button.get("name") == "action"]


def state_of(request):
    return api.get(request.id, "p1").state


def test_stalled_says_for_whom_it_waits_and_since_when(admin, request_):
    go(request_, "start", "stall", phase="nodes", error=AWAY)
    stalled = next(event for event in api.events(request_.id, "p1") if event.kind == "stall")

    page = page_of(admin, request_)

    assert "Waiting for Bare metal (Ironic) It stopped answering" in page.text
    assert f'datetime="{stalled.at.isoformat(timespec="seconds")}"' in page.content
    assert "no connection to the service" in page.text.lower()
    assert buttons(page) == ["cancel"]
    assert "Waits for Bare metal (Ironic)" in admin.get(URL).text


def test_partial_says_what_is_missing_and_has_both_buttons(admin, request_):
    go(request_, "start", "partial", told="Two of five are not there.")

    page = page_of(admin, request_)

    assert "What is missing" in page.text
    assert page.text.split("Timeline")[0].count("Two of five are not there.") == 1
    assert buttons(page) == ["retry", "rollback"]
    assert "not begun" not in page.text


def test_needs_attention_names_what_is_left_and_tries_again(admin, request_):
    made(request_, ("kept", "CREATED"), ("perhaps", "INTENT"), ("gone", "DELETED"), ("theirs", "FOREIGN"))
    go(request_, "start", "fail", "revert_fail")

    page = page_of(admin, request_)
    left = page.text.split("What is left")[1].split("Mend what keeps it there")[0]

    assert "Stack kept in Heat: made id-of-kept" in left
    assert "perhaps" in left
    assert "gone" not in left
    assert "theirs" not in left
    assert "Roll back again" in page.text

    admin.post(f"{URL}{request_.id}/action/", {"action": "rollback"})

    assert state_of(request_) is api.State.REVERTING
    assert list(admin.cloud.trusts)


def test_a_failed_request_shows_the_phase_where_it_failed(admin, request_):
    go(request_, "start", "fail", phase="nodes", error=AWAY)
    go(request_, "reverted", phase="validate")

    words = page_of(admin, request_).text.split("Attempt")[0]

    assert "Check nodes Failed" in words
    assert "Check the plan done" in words
    assert "Collect outputs not begun" in words


def test_cancelling_is_shown_at_once_with_who_asked(admin, member, request_):
    go(request_, "start")

    member.post(f"{URL}{request_.id}/action/", {"action": "cancel"})
    page = page_of(admin, request_)

    assert "Cancelling was asked for by bob" in page.text
    assert buttons(page) == []


@pytest.mark.parametrize(
    ("events", "action", "after"),
    [(["start"], "cancel", api.State.CANCELLING), (["start", "partial"], "rollback", api.State.REVERTING)],
)
def test_what_destroys_something_names_it_first(admin, request_, events, action, after):
    made(request_, ("demo", "CREATED"), ("other", "DELETED"))
    go(request_, *events)
    before = state_of(request_)

    asked = admin.post(f"{URL}{request_.id}/action/", {"action": action, "next": URL}, status=200)

    assert state_of(request_) is before
    assert "Stack demo" in asked.text
    assert "other" not in asked.text
    fields = {field["name"]: field["value"] for field in asked.elements("input") if "value" in field}
    response = admin.post(f"{URL}{request_.id}/action/", fields).response
    assert response["Location"] == URL
    assert state_of(request_) is after


def test_the_timeline_shows_attempts_origins_and_conductors(admin, request_):
    there = api.Requester("u", "carol", "p1", "project", "RegionOne", source="dashboard 192.0.2.7")
    go(request_, "start", "fail", "reverted")
    api.retry(request_.id, there)

    text = page_of(admin, request_).text.split("Timeline")[1]

    assert "Attempt 2 Asked to try again." in text
    assert "carol · from dashboard 192.0.2.7" in text
    assert "conductor conductor-7" in text
    assert "Attempt 1 Requested." in text


def test_a_priority_that_is_not_the_usual_one_is_shown(admin):
    info = save(admin.cloud, "urgent")
    request = api.submit("overcloud.deploy", ALICE, {"plan": info.name, "etag": info.etag}, priority=1)

    assert "High priority" in page_of(admin, request).text
    assert "high priority" in admin.get(URL).text


def test_the_timeline_is_exported_as_the_audit_log_has_it(admin, request_):
    go(request_, "start")
    response = admin.client.get(f"{URL}{request_.id}/events.jsonl")

    lines = [json.loads(line) for line in b"".join(response.streaming_content).splitlines()]

    assert lines == list(api.export(project_id="p1", request_id=request_.id))
    assert [line["kind"] for line in lines] == ["submit", "start"]
    assert f"request-{request_.id}.jsonl" in response["Content-Disposition"]


def test_the_timeline_of_another_project_is_not_exported(admin):
    stranger = api.Requester("x", "x", "other", "other", "RegionOne")
    request = api.submit("overcloud.deploy", stranger, {"plan": "demo", "etag": "e"})

    admin.get(f"{URL}{request.id}/events.jsonl", status=404)


def test_a_status_that_nothing_changed_is_304_until_something_does(admin, request_):
    page = page_of(admin, request_)
    url, etag = page.attribute("data-status-url"), page.attribute("data-status-etag")

    assert admin.client.get(url, headers={"If-None-Match": etag}).status_code == 304
    go(request_, "start")
    changed = admin.client.get(url, headers={"If-None-Match": etag})

    assert changed.status_code == 200
    assert changed["ETag"] != etag
    assert "Running" in changed.content.decode()


def test_a_thousand_things_are_shown_in_part(admin, request_):
    made(request_, *((f"thing-{number}", "CREATED") for number in range(1000)))

    page = page_of(admin, request_)

    assert "The first 100 of 1000." in page.text
    assert page.text.count("id-of-thing-") == 100
