"""New requests from workflows that bring a form: who may, what is wrong by field, and nothing typed is lost."""

from dataclasses import replace

import pytest

from examples.workflows import announce
from tests.orchestration import running, wait_for
from tripleo_ui.orchestration import api, workflows

URL = "/infrastructure/requests/"
NEW = URL + "new/"
FORM = NEW + "example.announce/"
TYPED = {"title": "tea", "text": "Tea is\r\nat four.", "boards": "kitchen, lab", "nonce": "0" * 32}


@pytest.fixture(autouse=True)
def example(monkeypatch):
    monkeypatch.setattr(workflows, "MODULES", (*workflows.MODULES, "examples.workflows.announce"))
    workflows._all.cache_clear()
    yield
    workflows._all.cache_clear()


@pytest.fixture
def for_admins(monkeypatch):
    (workflow,) = announce.WORKFLOWS
    monkeypatch.setattr(announce, "WORKFLOWS", (replace(workflow, roles=frozenset({"admin"})),))
    workflows._all.cache_clear()


def found():
    return list(api.find("p1").items)


def test_the_list_leads_to_the_form(member):
    assert NEW in [link.get("href") for link in member.get(URL).elements("a")]

    page = member.get(NEW)

    assert "Announce Write the announcements Read them again" in page.text
    assert FORM in [link.get("href") for link in page.elements("a")]
    assert "Deploy overcloud" not in page.text


def test_the_form_has_a_field_for_each_parameter(member):
    page = member.get(FORM)

    fields = {field["name"]: field.get("value") for field in page.elements("input") if field.get("type") == "text"}
    assert fields == {"title": "", "text": "", "boards": "everybody"}
    assert "What the announcement is stored under." in page.text


def test_a_request_from_the_form_is_carried_out(member):
    response = member.post(FORM, TYPED).response

    (request,) = found()
    assert response["Location"] == f"{URL}{request.id}/"
    assert request.params == {"title": "tea", "text": "Tea is\nat four.", "boards": ["kitchen", "lab"]}
    assert request.requester.user_name == "bob"
    assert request.trust_id in member.cloud.trusts
    with running(member.cloud.cloud()):
        wait_for(request, api.State.SUCCEEDED)
    assert sorted(member.cloud.swift.containers["announcements"]["objects"]) == ["kitchen/tea", "lab/tea"]


def test_both_presses_of_a_double_click_are_one_request(member):
    member.post(FORM, TYPED)
    member.post(FORM, TYPED)

    assert len(found()) == 1
    assert len(member.cloud.trusts) == 1


def test_what_is_wrong_is_told_by_field_and_all_at_once_and_what_was_typed_stays(member):
    page = member.post(FORM, {"title": "Tea!", "text": "", "boards": "lab, No board"}, status=400)

    assert page.text.count("Up to 40 small letters, digits and dashes.") == 2
    assert page.text.count("A value is needed.") == 2
    assert page.text.count("“No board” is no name of a board.") == 2
    assert "There is nothing to announce" not in page.text
    values = {field["name"]: field.get("value") for field in page.elements("input") if field.get("type") == "text"}
    assert values == {"title": "Tea!", "text": "", "boards": "lab, No board"}
    assert not found()
    assert not member.cloud.trusts


def test_a_value_of_the_wrong_type_or_length_is_told(member):
    page = member.post(FORM, TYPED | {"text": "x" * 2001}, status=400)

    assert "2000" in page.text
    assert not found()


def test_a_lock_is_409_and_names_its_holder(member):
    member.post(FORM, TYPED)
    (holder,) = found()

    page = member.post(FORM, TYPED | {"nonce": "1" * 32, "text": "Coffee."}, status=409)

    assert f"{URL}{holder.id}/" in [link.get("href") for link in page.elements("a")]
    assert "Coffee." in page.content
    assert len(member.cloud.trusts) == 1


def test_a_form_that_is_sent_again_with_other_content_asks_first(member):
    member.post(FORM, TYPED)

    page = member.post(FORM, TYPED | {"title": "coffee"}, status=409)

    assert "was sent before with other content" in page.text
    again = {field["name"]: field["value"] for field in page.elements("input") if field.get("name") == "nonce"}
    member.post(FORM, TYPED | {"title": "coffee"} | again)
    assert len(found()) == 2


def test_without_keystone_nothing_is_requested_and_nothing_lost(member):
    member.cloud.failures["keystone"] = 503

    page = member.post(FORM, TYPED, status=502)

    assert "Keystone was told to fail" in page.text
    assert "kitchen, lab" in page.content
    assert not found()


def test_a_role_that_a_workflow_asks_for_is_needed(for_admins, member, admin):
    assert "Announce" not in member.get(NEW).text
    assert "one of the roles: admin" in member.get(FORM, status=403).text
    member.post(FORM, TYPED, status=403)
    assert not found()

    admin.post(FORM, TYPED)

    (request,) = found()
    admin.post(f"{URL}{request.id}/action/", {"action": "cancel"})
    member.post(f"{URL}{request.id}/action/", {"action": "retry"})
    assert api.get(request.id, "p1").state is api.State.CANCELLED


@pytest.mark.parametrize("workflow", ["nothing", "overcloud.deploy"])
def test_only_workflows_with_a_form_have_a_page(member, workflow):
    member.get(f"{NEW}{workflow}/", status=404)


def test_where_no_workflow_has_a_form_the_page_says_what_it_is_for(member, monkeypatch):
    monkeypatch.setattr(announce, "WORKFLOWS", ())
    workflows._all.cache_clear()

    assert "Nothing to start here" in member.get(NEW).text
    assert NEW not in member.get(URL).content


def test_pages_of_forms_call_no_service(member):
    assert member.calls_of(NEW) == {}
    assert member.calls_of(FORM) == {}
