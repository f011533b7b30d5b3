"""The wizard's steps: nothing typed is lost, problems lead to their fields, services may fail, calls stay bounded."""

import json
from dataclasses import replace

import pytest

from tests.panels import walk
from tests.panels.conftest import signed_in
from tests.panels.pages import Pages, check_baseline
from tripleo_ui.panels.deployments.wizard import plans
from tripleo_ui.planning.parameters import read

STEPS = ("name", "roles", "counts", "parameters", "review")


@pytest.mark.parametrize("step", STEPS)
def test_each_step_has_its_url(admin, step):
    key = walk.walk(admin)

    page = admin.get(walk.url(key, step))

    current = [item for item in page.elements("button") if item.get("aria-current") == "step"]
    assert [item["value"] for item in current] == [step]


def test_an_untouched_draft_is_taken_up_again(admin):
    assert walk.begin(admin) == walk.begin(admin)


@pytest.mark.parametrize(
    "name",
    ["my_cloud", "a/b", "a::b", "", "1cloud", "-x", "x" * 300, " ", "<script>alert(1)</script>", "naïve", "../etc"],
)
def test_a_bad_name_is_kept_and_explained(admin, name):
    key = walk.begin(admin)

    assert walk.press(admin, key, "name", {"name": name}).startswith(walk.url(key, "name"))

    page, posted = walk.shown(admin, key, "name")
    assert walk.unescape(posted["name"]) == name
    assert "1 problem" in page.text
    assert next(item for item in page.elements("input") if item.get("id") == "id_name")["aria-invalid"] == "true"
    assert "#id_name" in page.content


@pytest.mark.parametrize("goto", ["name", "roles", "counts", "parameters", "review"])
def test_a_step_link_saves_and_creates_nothing(admin, goto):
    key = walk.begin(admin)

    where = walk.press(admin, key, "name", {"name": "bad name!", "description": "kept"}, goto)

    assert where == walk.url(key, goto)
    assert walk.shown(admin, key, "name")[1]["description"] == "kept"
    assert not admin.cloud.trusts
    assert admin.cloud.calls["heat"] == 0


def test_a_stranger_s_goto_stays_here(admin):
    key = walk.begin(admin)

    assert walk.press(admin, key, "name", {}, "https://example.org/") == walk.url(key, "name")


def test_a_count_that_is_no_number_is_kept_and_explained(admin):
    key = walk.walk(admin)

    walk.press(admin, key, "counts", {"Compute-1.count": "a few"})

    page, posted = walk.shown(admin, key, "counts")
    assert posted["Compute-1.count"] == "a few"
    assert "is not a number of nodes" in page.text


def test_counts_say_what_is_free_and_what_is_missing(admin):
    key = walk.walk(admin)

    walk.press(admin, key, "counts", {"Compute-1.count": "10"})

    page = admin.get(walk.url(key, "counts"))
    assert "2 missing" in page.text
    assert "8 free and matching, 10 to take" in page.text
    assert json.loads(page.content.split('id="wizard-nodes" type="application/json">')[1].split("</script>")[0]) == {
        "free": {"control": 3, "compute": 8, "storage": 4},
        "owned": {},
    }


@pytest.mark.parametrize(
    "unfit",
    [
        {"maintenance": True},
        {"provision_state": "active", "instance_uuid": "s1"},
        {"resource_class": "baremetal.other"},
        {"traits": []},
        {"power_state": None},
    ],
)
def test_nodes_that_cannot_be_taken_are_not_free(admin, unfit):
    admin.cloud.compute.nodes[3].update(unfit)
    key = walk.walk(admin)

    assert "7 free and matching" in admin.get(walk.url(key, "counts")).text


@pytest.mark.parametrize(("service", "word"), [("nova", "Nova"), ("glance", "Glance"), ("ironic", "Ironic")])
@pytest.mark.parametrize("how", [500, "refuse", "timeout"])
def test_a_service_that_fails_leaves_the_step_usable(admin, service, word, how):
    key = walk.walk(admin)
    walk.press(admin, key, "counts", {"Compute-1.flavor": "compute", "Compute-1.image": "overcloud-compute"})
    admin.cloud.failures[service] = how

    page, posted = walk.shown(admin, key, "counts")

    assert word in page.text
    assert "Try again" in page.text
    assert posted["Compute-1.flavor"] == "compute"
    assert posted["Compute-1.image"] == "overcloud-compute"
    assert walk.press(admin, key, "counts").endswith("/parameters/")


def test_roles_problems_name_the_service(admin):
    key = walk.walk(admin)
    _page, posted = walk.shown(admin, key, "roles")
    posted["Controller-1.service"].remove("database")

    admin.post(walk.url(key, "roles"), {**posted, "goto": "next"})

    assert "needs Database" in admin.get(walk.url(key, "roles")).text


def test_an_element_is_chosen(admin):
    key = walk.walk(admin)

    walk.press(admin, key, "roles", {"Controller-1.element.database": "postgresql"})

    assert walk.shown(admin, key, "roles")[1]["Controller-1.element.database"] == "postgresql"


def test_an_unchosen_role_keeps_what_was_typed_for_it(admin):
    key = walk.walk(admin)
    walk.press(admin, key, "counts", {"Compute-1.count": "5"})
    walk.press(admin, key, "roles", {"role": ["Controller-1"]})
    walk.press(admin, key, "roles", {"role": ["Controller-1", "Compute-1"]})

    assert walk.shown(admin, key, "counts")[1]["Compute-1.count"] == "5"


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("Controller-1::ExtraConfig", "{not json", "JSON"),
        ("CeilometerPollingInterval", "ten", "number"),
        ("CeilometerPollingInterval", "1", "at least"),
        ("Debug", "perhaps", "true"),
    ],
)
def test_a_bad_parameter_is_kept_and_explained(admin, name, text, reason):
    key = walk.walk(admin)

    walk.press(admin, key, "parameters", {name: text})

    page, posted = walk.shown(admin, key, "parameters")
    assert walk.unescape(posted[name]) == text
    assert "1 problem" in page.text
    assert reason in page.text


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("CeilometerPollingInterval", "60"),
        ("Debug", "true"),
        ("NtpServers", "a.example, b.example"),
        ("Controller-1::ExtraConfig", '{"a": [0, false, null, "ü"]}'),
        ("TimeZone", "Europe/Prague"),
    ],
)
def test_parameters_of_all_types_are_kept_as_typed(admin, name, text):
    key = walk.walk(admin)

    assert walk.press(admin, key, "parameters", {name: text}).endswith("/review/")

    page, posted = walk.shown(admin, key, "parameters")
    assert walk.unescape(posted[name]) == text
    assert "1 changed" in page.text


def test_no_page_shows_or_keeps_a_secret(admin, database):
    key = walk.walk(admin)
    walk.press(admin, key, "parameters", {"NovaPassword": "hunter2-hunter2", "secret:NovaPassword": "hunter2-hunter2"})

    for step in STEPS:
        assert "hunter2" not in admin.get(walk.url(key, step)).html
    assert b"hunter2" not in database.read_bytes() + database.with_name(f"{database.name}-wal").read_bytes()


def test_review_lists_problems_with_links_to_their_fields(admin):
    key = walk.begin(admin)
    walk.press(admin, key, "counts", {"Compute-1.count": "-1"}, "review")

    page = admin.get(walk.url(key, "review"))

    links = [item.get("href") for item in page.elements("a")]
    assert f"{walk.url(key, 'name')}#id_name" in links
    assert f"{walk.url(key, 'counts')}#id_Compute-1_count" in links
    buttons = [item for item in page.elements("button") if item.get("name") == "finish"]
    assert len(buttons) == 2
    assert all("disabled" in item for item in buttons)


def test_an_unknown_draft_lists_one_s_own(admin):
    key = walk.walk(admin, "mine")

    page = admin.get(walk.url("0" * 32, "name"), status=404)

    assert "Draft not found" in page.text
    assert key in page.content


def test_nobody_else_sees_a_draft(admin, member, cloud):
    key = walk.walk(admin)
    other = Pages(signed_in(cloud.catalog(), ["admin"], user="carol"), cloud)

    assert other.get(walk.url(key, "name"), status=404).content.count(key) == 0
    member.get(walk.url(key, "name"), status=403)


def test_a_new_login_finds_the_draft(admin, cloud):
    key = walk.walk(admin, "kept")
    again = Pages(signed_in(cloud.catalog(), ["admin"]), cloud)

    assert walk.shown(again, key, "name")[1]["name"] == "kept"


def test_a_draft_is_deleted(admin):
    key = walk.walk(admin)

    admin.client.get(f"/infrastructure/deployments/drafts/{key}/delete/")
    assert admin.get(walk.url(key, "name"))

    admin.post(f"/infrastructure/deployments/drafts/{key}/delete/", {})
    admin.get(walk.url(key, "name"), status=404)


@pytest.mark.parametrize("step", ["counts", "review"])
def test_calls_do_not_grow_with_nodes(admin, step, pytestconfig):
    key = walk.walk(admin)
    counted = {"10": admin.calls_of(walk.url(key, step))}
    for index in range(900):
        admin.cloud.compute.add_node(f"more-{index}", "compute")
    counted["900"] = admin.calls_of(walk.url(key, step))

    assert counted["10"] == counted["900"]
    check_baseline(pytestconfig, f"wizard-{step}", counted)


@pytest.mark.parametrize("step", ["name", "roles", "parameters"])
def test_other_steps_of_a_new_plan_call_nobody(admin, step):
    key = walk.walk(admin)

    assert admin.calls_of(walk.url(key, step)) == {}


@pytest.fixture
def many(monkeypatch):
    """A role with 544 parameters of all types, as the largest that was ever reported."""
    kinds = [
        {"type": "string", "default": "text"},
        {"type": "number", "default": 0},
        {"type": "boolean", "default": False},
        {"type": "json", "default": {}},
        {"type": "comma_delimited_list", "default": []},
    ]
    made = tuple(read(f"Compute-1::P{n}", kinds[n % 5], role="Compute-1") for n in range(544))

    def parameters(plan, _known=None):
        return tuple(replace(each, value=plan.parameters.get(each.name)) for each in made)

    monkeypatch.setattr(plans, "parameters", parameters)
    return made


def test_544_parameters_are_shown_and_saved(admin, many):
    key = walk.walk(admin)
    typed = {"Compute-1::P0": "", "Compute-1::P541": "0.5", "Compute-1::P542": "true", "Compute-1::P543": '{"a": 0}'}

    assert walk.press(admin, key, "parameters", typed).endswith("/review/")

    page, posted = walk.shown(admin, key, "parameters")
    assert len([name for name in posted if "::P" in name]) == 544
    assert {name: posted[name] for name in typed} == typed
    assert "4 changed" in page.text


def test_a_form_that_sends_touched_fields_alone_keeps_the_others(admin, many):
    key = walk.walk(admin)
    walk.press(admin, key, "parameters", {"Compute-1::P1": "5"})
    _page, posted = walk.shown(admin, key, "parameters")
    steering = {name: posted[name] for name in ("csrfmiddlewaretoken", "seen", "tab", "turn") if name in posted}

    admin.post(walk.url(key, "parameters"), {**steering, "Compute-1::P6": "7", "goto": "next"})

    _page, posted = walk.shown(admin, key, "parameters")
    assert (posted["Compute-1::P1"], posted["Compute-1::P6"]) == ("5", "7")
