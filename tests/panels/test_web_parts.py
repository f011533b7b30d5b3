"""The pieces that panels share, by themselves."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from itertools import pairwise
from xml.etree import ElementTree as ET

import pytest
from django.http import QueryDict
from sqlalchemy.exc import OperationalError

from tests.panels.plans import ALICE
from tripleo_ui.orchestration import api
from tripleo_ui.services.errors import ServiceError, Unavailable
from tripleo_ui.templatetags.tripleo_ui import badge, moment
from tripleo_ui.web import badges, failures, paging, request_summary, svg
from tripleo_ui.web.badges import Badge

SVG = "{http://www.w3.org/2000/svg}"
OK = Badge("Active", badges.OK)
BAD = Badge("Failed", badges.FAILED)


def request_in(state, phase="", **more):
    now = datetime.now(UTC)
    fields = {
        "id": "r1",
        "workflow": "overcloud.deploy",
        "version": 1,
        "title": "",
        "target": "overcloud:p1:RegionOne:demo",
        "params": {},
        "requester": ALICE,
        "trust_id": "",
        "state": state,
        "phase": phase,
        "phases": ("validate", "create", "poll"),
        "done": 0,
        "total": 0,
        "message": "",
        "error": None,
        "outputs": {},
        "attempt": 1,
        "priority": 0,
        "cancel_requested": False,
        "revision": 1,
        "created_at": now,
        "started_at": None,
        "updated_at": now,
        "finished_at": None,
    }
    return api.Request(**fields | more)


# -- badges


@pytest.mark.parametrize("state", list(api.State))
def test_every_state_has_word_icon_and_tone(state):
    found = badges.of_request(state)

    assert str(found.word)
    assert found.icon.startswith("fa-")
    assert found.tone in {"ok", "busy", "failed", "warning", "idle"}


@pytest.mark.parametrize(
    ("status", "word", "tone"),
    [
        ("CREATE_IN_PROGRESS", "Creating", "busy"),
        ("CREATE_COMPLETE", "Created", "ok"),
        ("UPDATE_FAILED", "Update failed", "failed"),
        ("DELETE_COMPLETE", "Deleted", "idle"),
        ("ROLLBACK_IN_PROGRESS", "In progress", "busy"),
        ("", "Planned", "idle"),
    ],
)
def test_stacks(status, word, tone):
    assert (str(badges.of_stack(status).word), badges.of_stack(status).tone) == (word, tone)


def test_nodes():
    assert badges.of_node("deploy failed").tone == "failed"
    assert str(badges.of_node("active", maintenance=True).word) == "Maintenance"
    assert str(badges.of_node("some new state").word) == "Some new state"


def test_a_badge_is_escaped_and_has_an_icon_that_is_not_read():
    html = badge(Badge("<b>", badges.OK))

    assert "&lt;b&gt;" in html
    assert 'aria-hidden="true"' in html


# -- moments


@pytest.mark.parametrize(
    "when",
    [
        datetime(2026, 11, 1, 10, 0, tzinfo=UTC),
        datetime(2026, 11, 1, 10, 0),  # noqa: DTZ001 - a time without a zone is what is tested
        datetime(2026, 11, 1, 12, 0, tzinfo=timezone(timedelta(hours=2))),
        "2026-11-01T10:00:00Z",
        "2026-11-01T10:00:00",
        "2026-11-01T12:00:00+02:00",
    ],
)
def test_a_moment_is_the_same_in_every_notation(when):
    html = moment(when)

    assert 'datetime="2026-11-01T10:00:00+00:00"' in html
    assert "2026-11-01 10:00 UTC" in html


@pytest.mark.parametrize("nothing", [None, "", "soon"])
def test_no_moment_is_a_dash(nothing):
    assert moment(nothing) == "-"


# -- paging


def test_pages_keep_the_query():
    query = QueryDict("q=a%26b&page=2").dict()

    page = paging.numbered(range(50), query)

    assert list(page.items) == list(range(20, 40))
    assert page.previous_url == "?q=a%26b"
    assert page.next_url == "?q=a%26b&page=3"
    assert (page.first, page.last, page.total) == (21, 40, 50)


@pytest.mark.parametrize("number", [0, 1, 20])
def test_few_items_are_one_page(number):
    assert not paging.numbered(range(number), {}).several


# -- failures


def test_a_failure_has_all_five_parts():
    error = ServiceError("heat", "list stacks", "it broke", "req-1", 500, "Look at its log.")

    shown = failures.explain(error)

    assert shown.title == "Orchestration (Heat): could not list stacks"
    assert (shown.cause, shown.next_step, shown.request_id) == ("it broke", "Look at its log.", "req-1")


def test_parts_fail_alone():
    def broken():
        raise Unavailable("swift", "list containers", "no connection to the service")

    parts = failures.gather({"good": lambda: 1, "bad": broken})

    assert parts["good"].value == 1
    assert not parts["bad"].ok
    assert parts["bad"].failure.service == "Object storage (Swift)"


def test_a_database_error_is_a_failure_without_its_statement():
    def broken():
        raise OperationalError("SELECT secret", {}, Exception("locked"))

    part = failures.attempt(broken, "list requests")

    assert part.failure.cause == "OperationalError"
    assert "SELECT" not in str(part.failure)


def test_what_is_no_failure_of_a_service_is_not_hidden():
    with pytest.raises(ZeroDivisionError):
        failures.attempt(lambda: 1 / 0, "divide")


# -- requests


@pytest.mark.parametrize(
    ("state", "phase", "tones"),
    [
        (api.State.QUEUED, "", ["idle", "idle", "idle"]),
        (api.State.RUNNING, "create", ["ok", "busy", "idle"]),
        (api.State.STALLED, "create", ["ok", "warning", "idle"]),
        (api.State.FAILED, "poll", ["ok", "ok", "failed"]),
        (api.State.SUCCEEDED, "poll", ["ok", "ok", "ok"]),
        (api.State.SUCCEEDED, "", ["ok", "ok", "ok"]),
    ],
)
def test_phases(state, phase, tones):
    assert [step.badge.tone for step in request_summary.steps(request_in(state, phase))] == tones


def test_only_the_phase_at_hand_is_current():
    steps = request_summary.steps(request_in(api.State.RUNNING, "create"))

    assert [step.current for step in steps] == [False, True, False]


def test_progress_counts_only_while_it_runs():
    running = request_in(api.State.RUNNING, done=3, total=8)

    assert request_summary.progress(running).percent == 37
    assert request_summary.progress(replace(running, state=api.State.SUCCEEDED)) is None
    assert request_summary.progress(None) is None
    assert request_summary.progress(request_in(api.State.RUNNING)).percent == 0


def test_a_summary_names_what_it_is_about():
    error = {"service": "nova", "operation": "find nodes", "cause": "none", "next_step": "", "request_id": "r"}

    found = request_summary.summary(request_in(api.State.FAILED, error=error))

    assert found.title == "Deploy overcloud demo"
    assert found.actions == ("retry",)
    assert found.failure.service == "Compute (Nova)"
    assert "Failed" in found.announcement


# -- drawings


def drawing(*groups):
    return svg.Drawing("demo", OK, tuple(svg.Group(name, tuple(nodes)) for name, nodes in groups))


@pytest.mark.parametrize("count", [0, 1, 8, 9, 120, 1000])
def test_a_drawing_is_well_formed_and_nothing_leaves_it(count):
    found = ET.fromstring(svg.draw(drawing(("Compute", [svg.Node(f"n{i}", OK) for i in range(count)]))))

    width, height = float(found.get("width")), float(found.get("height"))
    assert 0 < width < 1200
    assert 0 < height < 700
    for group in found.iter(f"{SVG}g"):
        place = group.get("transform", "")
        if place.startswith("translate") and group.get("class") != "tu-d-node":
            x, y = map(float, place[len("translate(") : -1].split())
            assert 0 <= x < width
            assert 0 <= y < height


@pytest.mark.parametrize("roles", [1, 3, 6, 12])
def test_roles_stand_side_by_side(roles):
    found = ET.fromstring(svg.draw(drawing(*((f"R{index}", [svg.Node("n", OK)]) for index in range(roles)))))

    places = [
        float(group.get("transform")[len("translate(") : -1].split()[0])
        for group in found.iter(f"{SVG}g")
        if group.get("class") is None and group.get("transform")
    ]
    assert len(places) == roles
    assert all(after - before >= 164 for before, after in pairwise(places))


def test_a_drawing_says_itself_in_a_sentence():
    made = drawing(("Controller", [svg.Node("c0", OK)]), ("Compute", [svg.Node("n0", OK), svg.Node("n1", BAD)]))

    found = ET.fromstring(svg.draw(made))

    assert found.get("role") == "img"
    assert found.get("aria-label") == "demo is active. Controller: 1 active. Compute: 1 active, 1 failed"
    assert not list(found.iter(f"{SVG}a"))


def test_of_many_nodes_those_in_trouble_are_drawn_first():
    nodes = [svg.Node(f"good-{index}", OK) for index in range(500)] + [svg.Node("broken", BAD)]

    text = svg.draw(drawing(("Compute", nodes)))

    assert "broken" in text
    assert text.index("broken") < text.index("good-0")
    assert "500 active" in text
    assert "1 failed" in text


def test_long_and_hostile_names_are_cut_and_escaped():
    name = "<script>" * 20

    text = svg.draw(svg.Drawing(name, OK, (svg.Group(name, (svg.Node(name, OK, name),)),)))

    assert "<script>" not in text
    assert "…" in text
