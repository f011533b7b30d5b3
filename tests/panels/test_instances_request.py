"""One request for instances: its states drawn, why these hosts, what was made, what can be done."""

import re
import time
from xml.etree import ElementTree as ET

import pytest
import sqlalchemy as sa

from tests.panels.instances import URL, add_server, ask, delete, requests
from tests.panels.plans import ALICE, deploy, save
from tripleo_ui.orchestration import api
from tripleo_ui.orchestration.store.engine import writing
from tripleo_ui.orchestration.store.tables import EVENTS, LEDGER, REQUESTS

PHASES = ("validate", "reserve_hosts", "reserve_ports", "reserve_volumes", "build_specification", "build")
NAMES = ("Validating", "Host reserved", "Ports reserved", "Volumes reserved", "Spec built", "Building", "Active")


def put(request, state, phase="", **values):
    """The request as a conductor would have left it: in a state, with the phases up to one begun."""
    now = time.time()
    reached = PHASES[: PHASES.index(phase) + 1] if phase else ()
    with writing() as connection:
        changes = {"state": state, "phase": phase, "updated_at": now, **values}
        connection.execute(sa.update(REQUESTS).where(REQUESTS.c.id == request.id).values(changes))
        common = {"request_id": request.id, "kind": "phase", "state": "RUNNING", "message": ""}
        common |= {"conductor": "c1", "actor": "", "source": "", "data": {}}
        for index, each in enumerate(reached):
            connection.execute(sa.insert(EVENTS).values({**common, "phase": each, "at": now - 20 + 2 * index}))
    return request


def enter(request, kind, name, state="CREATED", external_id="", phase="reserve_ports", service="neutron"):
    """Something in its ledger."""
    row = {"request_id": request.id, "phase": phase, "service": service, "kind": kind, "name": name}
    with writing() as connection:
        connection.execute(
            sa.insert(LEDGER).values({**row, "state": state, "external_id": external_id, "at": time.time()})
        )


def page_of(pages, request):
    return pages.get(f"{URL}requests/{request.id}/")


def words(page):
    """The drawing's states with their words, from what a screen reader is told."""
    said = re.search(r'aria-label="States of the instances\. ([^"]+)\."', page.content).group(1)
    return dict(part.split(": ") for part in said.split(". ")[0].split("; "))


@pytest.mark.parametrize(
    ("state", "phase", "expected"),
    [
        ("QUEUED", "", ["to come"] * 7),
        ("RUNNING", "validate", ["under way", *["to come"] * 6]),
        ("RUNNING", "reserve_ports", ["done · 2.0 s", "done · 2.0 s", "under way", *["to come"] * 4]),
        ("STALLED", "reserve_volumes", [*["done · 2.0 s"] * 3, "stalled", *["to come"] * 3]),
        ("CANCELLING", "build", [*["done · 2.0 s"] * 5, "cancelling", "to come"]),
        ("RUNNING", "build", [*["done · 2.0 s"] * 5, "under way", "to come"]),
        ("SUCCEEDED", "build", [*["done · 2.0 s"] * 5, "done", "done"]),
        ("PARTIAL", "build", [*["done · 2.0 s"] * 5, "done", "partly"]),
        ("FAILED", "reserve_ports", ["taken back", "taken back", "failed", *["to come"] * 4]),
        ("CANCELLED", "reserve_hosts", ["taken back", "stopped", *["to come"] * 5]),
    ],
)
def test_each_state_says_what_was_reached(member, state, phase, expected):
    request = put(ask(), state, phase)

    assert words(page_of(member, request)) == dict(zip(NAMES, expected, strict=True))


def test_what_is_being_taken_back_and_what_was_left_is_told_by_the_ledger(member):
    request = put(ask(), "REVERTING", "reserve_volumes")
    enter(request, "port", "web-1-port-1")
    enter(request, "allocation", "web-1", "DELETED", phase="reserve_hosts")
    shown = words(page_of(member, request))
    assert shown["Ports reserved"] == "taking back"
    assert shown["Host reserved"] == "taken back"

    put(request, "NEEDS_ATTENTION", "")
    page = page_of(member, request)
    assert words(page)["Ports reserved"] == "left behind"
    assert "Not all of it could be taken back" in page.content
    assert "Roll back" in page.text


def test_where_nothing_was_made_nothing_is_said_to_be_taken_back(member):
    page = page_of(member, put(ask(), "FAILED", "validate"))

    assert words(page)["Validating"] == "failed"
    assert "taken back" not in page.content


def test_an_attempt_counts_for_itself(member):
    request = put(ask(), "QUEUED", "build")
    api.cancel(request.id, ALICE)
    api.retry(request.id, ALICE)
    put(request, "RUNNING", "validate")

    assert words(page_of(member, request))["Building"] == "to come"


@pytest.mark.parametrize("state", ["QUEUED", "RUNNING", "SUCCEEDED", "FAILED", "NEEDS_ATTENTION", "PARTIAL"])
def test_drawings_are_well_formed_and_nothing_leaves_them(member, state):
    request = put(ask(), state, "build" if state != "QUEUED" else "")
    drawings = re.findall(r'<svg class="tu-drawing.*?</svg>', page_of(member, request).content, re.DOTALL)

    assert len(drawings) == 2
    for drawing in map(ET.fromstring, drawings):
        _x, _y, width, height = map(float, drawing.get("viewBox").split())
        for group in drawing.iter("{http://www.w3.org/2000/svg}g"):
            if (group.get("transform") or "").startswith("translate"):
                x, y = map(float, group.get("transform")[len("translate(") : -1].split())
                box = group.find("{http://www.w3.org/2000/svg}rect")
                assert 0 <= x <= width - float(box.get("width"))
                assert 0 <= y <= height - float(box.get("height"))


def test_why_a_host_and_why_no_other_in_words(member):
    lacking = [{"host": f"node-{index}", "instances": 0, "why": "It has no VCPU."} for index in range(40)]
    why = [{"host": "host-1", "instances": 2, "why": "It has room for all 2; 2 go here."}, *lacking]
    request = put(ask(), "SUCCEEDED", "build", outputs={"why": why})

    page = page_of(member, request)

    assert "host-1 2 instances It has room for all 2; 2 go here." in page.text
    assert "40 hosts" in page.text
    assert page.text.count("It has no VCPU.") == 1


def made(cloud, state="SUCCEEDED"):
    request = put(ask(), state, "build", outputs={"hosts": [{"instance": "web-1", "host": "host-1"}]})
    for index in (1, 2):
        add_server(cloud, f"web-{index}", request=request.id)
        enter(request, "server", f"web-{index}", external_id=f"server-web-{index}", phase="build", service="nova")
    enter(request, "port", "web-1-port-1", external_id="p-1")
    return request


def test_what_was_made_stands_with_states_addresses_and_hosts(member):
    request = made(member.cloud)

    page = page_of(member, request)

    assert "on host-1, 10.0.0.0" in page.text
    assert page.text.count("Active") >= 2
    assert "web-1-port-1" in page.text


def test_it_costs_one_call_however_much_was_made(member):
    request = made(member.cloud)
    for index in range(300):
        enter(request, "port", f"more-{index}")

    assert member.calls_of(f"{URL}requests/{request.id}/") == {"nova": 1}
    assert "1 to 20 of 303" in page_of(member, request).text


def test_nothing_in_nova_yet_costs_no_call(member):
    assert member.calls_of(f"{URL}requests/{ask().id}/") == {}


def test_nova_down_takes_only_the_servers_states_with_it(member):
    request = made(member.cloud)
    member.cloud.failures["nova"] = "timeout"

    page = page_of(member, request)

    assert "Compute (Nova)" in page.text
    assert "web-1-port-1" in page.text
    assert "Timeline" in page.text


def test_all_that_is_left_can_be_deleted_from_its_page(member):
    request = made(member.cloud)
    member.cloud.compute.servers.pop(0)

    page = page_of(member, request)

    assert "Gone" in page.text
    assert any(link.get("href") == f"{URL}delete/?server=server-web-2" for link in page.elements("a"))


def test_cancel_and_retry_lead_back_to_this_page(member):
    request = ask()
    action = f"/infrastructure/requests/{request.id}/action/"
    here = f"{URL}requests/{request.id}/"
    assert f'value="{here}"' in member.get(here).content

    assert member.post(action, {"action": "cancel", "next": here}).response["Location"] == here
    assert member.post(action, {"action": "retry", "next": here}).response["Location"] == here
    assert api.get(request.id, "p1").attempt == 2


def test_other_requests_have_their_page_among_the_requests(admin):
    other = deploy(save(admin.cloud))
    removal = delete("server-web")

    for request in (other, removal):
        response = admin.client.get(f"{URL}requests/{request.id}/")
        assert response["Location"] == f"/infrastructure/requests/{request.id}/"


def test_a_request_of_another_project_is_not_there(member):
    stranger = ask(api.Requester("x", "x", "other", "other", "RegionOne"))

    member.get(f"{URL}requests/{stranger.id}/", status=404)
    member.get(f"{URL}requests/{stranger.id}/status/", status=404)


def test_the_list_of_requests_names_it_and_leads_here(member):
    request = ask()

    assert "Create instance" in member.get("/infrastructure/requests/").text
    page = member.get(f"/infrastructure/requests/{request.id}/")
    assert any(link.get("href") == f"{URL}requests/{request.id}/" for link in page.elements("a"))
    assert requests() == (request,)


def test_nothing_changed_is_304(member):
    request = made(member.cloud)
    url = f"{URL}requests/{request.id}/"
    etag = member.get(url).attribute("data-status-etag")

    member.get(f"{url}status/", status=304, **{"If-None-Match": etag})
