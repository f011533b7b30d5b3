"""The last step: save, deploy, and everything that can come between."""

import json

import pytest

from tests.panels import walk
from tests.panels.plans import ALICE, SECRET, deploy, save
from tripleo_ui.orchestration import api
from tripleo_ui.planning import hot

DETAIL = "/infrastructure/deployments/plans/demo/"


def stored(admin, name="demo"):
    return hot.parse(admin.cloud.cloud().plans.read(name).files)


def requests_of(name="demo"):
    return api.find(ALICE.project_id, target=f"overcloud:{ALICE.project_id}:{ALICE.region}:{name}").items


def edit(admin, name="demo"):
    location = admin.client.get(f"/infrastructure/deployments/plans/{name}/edit/")["Location"]
    return location.split("/drafts/")[1].split("/")[0]


def test_save_only(admin):
    key = walk.walk(admin)

    assert walk.finish(admin, key, "save").response["Location"] == DETAIL

    plan = stored(admin)
    assert {role.name: role.count for role in plan.roles} == {"Controller": 1, "Compute": 2}
    assert plan.description == "Of a test"
    assert requests_of() == ()
    admin.get(walk.url(key, "name"), status=404)


def test_deploy_saves_and_submits_with_a_trust(admin):
    key = walk.walk(admin)

    assert walk.finish(admin, key).response["Location"] == DETAIL

    (request,) = requests_of()
    info = admin.cloud.cloud().plans.info("demo")
    assert request.params == {"plan": "demo", "etag": info.etag}
    (trust,) = admin.cloud.trusts.values()
    assert trust["trustor_user_id"] == "id-of-alice"


def test_the_plan_is_in_swift_alone(admin, database):
    key = walk.walk(admin)
    walk.press(admin, key, "parameters", {"TimeZone": "Europe/Mark_of_the_plan"})
    walk.finish(admin, key)

    assert stored(admin).parameters["TimeZone"] == "Europe/Mark_of_the_plan"
    rows = dump(database)
    assert rows
    assert not [row for row in rows if "Mark_of_the_plan" in row]


def dump(database):
    import sqlite3
    from contextlib import closing

    with closing(sqlite3.connect(database)) as connection:
        tables = [name for (name,) in connection.execute("select name from sqlite_master where type = 'table'")]
        return [str(row) for table in tables for row in connection.execute(f'select * from "{table}"')]


def test_two_presses_are_one_deployment(admin):
    key = walk.walk(admin)
    _page, posted = walk.shown(admin, key, "review")
    again = {**posted, "finish": "deploy"}

    admin.post(walk.url(key, "review"), again)
    second = admin.post(walk.url(key, "review"), again, status=404)

    assert "deployed" in second.text
    assert len(requests_of()) == 1
    assert len(admin.cloud.trusts) == 1


def test_passwords_are_generated_or_typed(admin):
    key = walk.walk(admin)

    walk.finish(admin, key, "save", {"secret:NovaPassword": "typed-by-a-person"})

    values = stored(admin).parameters
    assert values["NovaPassword"] == "typed-by-a-person"
    assert len(values["GlancePassword"]) >= 16
    assert values["GlancePassword"] != values["HeatPassword"]


def test_a_refused_password_is_explained_and_not_shown(admin):
    key = walk.walk(admin)

    page = walk.finish(admin, key, "save", {"secret:HeatAuthEncryptionKey": "tooshort"}, 422)

    assert "tooshort" not in page.html
    field = next(item for item in page.elements("input") if item.get("id") == "id_HeatAuthEncryptionKey")
    assert field["aria-invalid"] == "true"
    assert not admin.cloud.cloud().plans.list().items


def test_a_name_that_is_taken(admin):
    save(admin.cloud)
    key = walk.walk(admin)

    page = walk.finish(admin, key, status=422)

    assert "There is a plan named demo already" in page.text
    assert stored(admin).description == "A small cloud."
    assert walk.shown(admin, key, "name")[1]["description"] == "Of a test"


@pytest.mark.parametrize("how", [500, "refuse", "timeout"])
def test_swift_fails_and_nothing_is_lost(admin, how):
    key = walk.walk(admin)
    _page, posted = walk.shown(admin, key, "review")
    admin.cloud.failures["swift"] = how

    page = admin.post(walk.url(key, "review"), {**posted, "finish": "deploy"}, 422)

    assert "Object storage (Swift)" in page.text
    assert requests_of() == ()
    del admin.cloud.failures["swift"]
    assert walk.finish(admin, key).response["Location"] == DETAIL


def test_keystone_fails_after_the_plan_was_saved(admin):
    key = walk.walk(admin)
    _page, posted = walk.shown(admin, key, "review")
    admin.cloud.failures["keystone"] = 503

    page = admin.post(walk.url(key, "review"), {**posted, "finish": "deploy"}, 422)

    assert "The plan is saved" in page.text
    assert "req-keystone" in page.text
    passwords = stored(admin).parameters
    del admin.cloud.failures["keystone"]
    walk.finish(admin, key)
    assert len(requests_of()) == 1
    assert stored(admin).parameters == passwords


def test_an_overcloud_that_is_worked_on_names_the_holder(admin):
    deploy(save(admin.cloud), key="other")
    key = edit(admin)

    page = walk.finish(admin, key, status=422)

    assert "alice" in page.text
    assert not admin.cloud.trusts
    assert len(requests_of()) == 1


def test_a_review_of_something_older_saves_nothing(admin):
    key = walk.walk(admin)
    _page, posted = walk.shown(admin, key, "review")
    walk.press(admin, key, "counts", {"Compute-1.count": "7"})

    page = admin.post(walk.url(key, "review"), {**posted, "finish": "deploy"}, 422)

    assert "another tab" in page.text
    assert not admin.cloud.cloud().plans.list().items


def test_a_plan_with_problems_is_not_saved(admin):
    key = walk.begin(admin)
    _page, posted = walk.shown(admin, key, "review")

    admin.post(walk.url(key, "review"), {**posted, "finish": "deploy"}, 422)

    assert not admin.cloud.cloud().plans.list().items


class TestEditing:
    def test_changes_one_thing_and_keeps_the_rest(self, admin):
        save(admin.cloud)
        key = edit(admin)

        walk.press(admin, key, "parameters", {"CeilometerPollingInterval": "60"})
        walk.finish(admin, key, "save")

        plan = stored(admin)
        assert plan.parameters["CeilometerPollingInterval"] == 60
        assert plan.parameters["NovaPassword"] == SECRET
        assert {role.name: role.count for role in plan.roles} == {"Controller": 1, "Compute": 2}
        assert admin.cloud.cloud().plans.info("demo").revision == 2

    def test_shows_no_stored_secret(self, admin):
        save(admin.cloud)
        key = edit(admin)

        for step in ("name", "roles", "counts", "parameters", "review"):
            assert SECRET not in admin.get(walk.url(key, step)).html

    def test_a_second_edit_takes_up_the_same_draft(self, admin):
        save(admin.cloud)

        assert edit(admin) == edit(admin)

    def test_an_unknown_plan_leads_to_the_list(self, admin):
        answer = admin.client.get("/infrastructure/deployments/plans/nothing/edit/")

        assert answer["Location"] == "/infrastructure/deployments/"

    def test_a_plan_that_is_gone_leads_to_a_new_one_of_that_name(self, admin):
        save(admin.cloud)
        key = edit(admin)
        admin.cloud.cloud().plans.delete("demo")

        compare = admin.client.get(walk.url(key, "counts"))["Location"]

        assert admin.client.get(compare)["Location"] == walk.url(key, "review")
        assert walk.shown(admin, key, "name")[1]["name"] == "demo"

    def test_swift_fails_meanwhile_and_the_page_says_so(self, admin):
        save(admin.cloud)
        key = edit(admin)
        admin.cloud.failures["swift"] = 503

        assert "Object storage (Swift)" in admin.get(walk.url(key, "counts")).text


class TestSomebodyElseSaved:
    @pytest.fixture
    def key(self, admin):
        """A draft with 5 compute nodes; meanwhile a description and a time zone were saved by somebody else."""
        info = save(admin.cloud)
        key = edit(admin)
        walk.press(admin, key, "counts", {"Compute-1.count": "5"})
        store = admin.cloud.cloud().plans
        plan = stored(admin)
        theirs = type(plan)(plan.name, "Theirs", plan.roles, {**plan.parameters, "TimeZone": "Asia/Tokyo"})
        store.save("demo", hot.compose(theirs), description="Theirs", author="bob", etag=info.etag)
        return key

    def test_both_sides_are_shown_and_nothing_is_written(self, admin, key):
        where = walk.finish(admin, key, "save").response["Location"]

        page = admin.get(where)
        assert "bob" in page.text
        assert "Asia/Tokyo" in page.text
        assert "Compute-1 count: 2 → 5" in page.text
        assert SECRET not in page.html
        assert stored(admin).description == "Theirs"

    def choose(self, admin, key, choice):
        where = walk.finish(admin, key, "save").response["Location"]
        posted = walk.fields(admin.get(where))
        assert admin.post(where, {**posted, "choice": choice}).response["Location"] == walk.url(key, "review")
        walk.finish(admin, key, "save")
        return stored(admin)

    def test_mine_on_top_of_theirs(self, admin, key):
        plan = self.choose(admin, key, "mine")

        assert {role.name: role.count for role in plan.roles} == {"Controller": 1, "Compute": 5}
        assert plan.parameters["TimeZone"] == "Asia/Tokyo"
        assert plan.parameters["NovaPassword"] == SECRET
        assert plan.description == "Theirs"

    def test_theirs(self, admin, key):
        plan = self.choose(admin, key, "theirs")

        assert {role.name: role.count for role in plan.roles} == {"Controller": 1, "Compute": 2}
        assert plan.parameters["TimeZone"] == "Asia/Tokyo"

    def test_a_plan_that_was_deleted_becomes_a_new_one(self, admin, key):
        admin.cloud.cloud().plans.delete("demo")
        where = walk.finish(admin, key, "save").response["Location"]

        assert admin.client.get(where)["Location"] == walk.url(key, "review")
        assert "deleted meanwhile" in admin.get(walk.url(key, "review")).html
        walk.finish(admin, key, "save")
        assert {role.name: role.count for role in stored(admin).roles} == {"Controller": 1, "Compute": 5}


class TestTwoTabs:
    def test_the_later_one_sees_both_and_loses_nothing(self, admin):
        key = walk.begin(admin)
        _page, first = walk.shown(admin, key, "name")
        _page, second = walk.shown(admin, key, "name")
        admin.post(walk.url(key, "name"), {**first, "name": "first", "goto": "name"})

        page = admin.post(walk.url(key, "name"), {**second, "name": "second", "goto": "next"}, 409)

        assert "another tab" in page.text
        assert "first" in page.text
        assert walk.fields(page)["name"] == "second"
        assert walk.shown(admin, key, "name")[1]["name"] == "first"
        admin.post(walk.url(key, "name"), {**walk.fields(page), "goto": "next"})
        assert walk.shown(admin, key, "name")[1]["name"] == "second"

    def test_different_steps_do_not_conflict(self, admin):
        key = walk.begin(admin)
        _page, first = walk.shown(admin, key, "name")
        _page, second = walk.shown(admin, key, "counts")
        admin.post(walk.url(key, "name"), {**first, "name": "first", "goto": "name"})

        admin.post(walk.url(key, "counts"), {**second, "Compute-1.count": "4", "goto": "counts"})

        assert walk.shown(admin, key, "name")[1]["name"] == "first"
        assert walk.shown(admin, key, "counts")[1]["Compute-1.count"] == "4"


class TestAutosave:
    def save(self, admin, key, posted, status=200):
        return json.loads(admin.post(f"{walk.url(key, 'name')}?autosave=1", posted, status).html)

    def test_answers_with_what_changed_on_the_page(self, admin):
        key = walk.begin(admin)
        _page, posted = walk.shown(admin, key, "name")

        answer = self.save(admin, key, {**posted, "name": "bad name", "turn": "1"})

        assert list(answer["errors"]) == ["name"]
        assert "1 problem" in answer["problems"]
        assert "saved at" in answer["message"]
        assert walk.shown(admin, key, "name")[1]["name"] == "bad name"

    def test_one_that_arrives_late_changes_nothing(self, admin):
        key = walk.begin(admin)
        _page, posted = walk.shown(admin, key, "name")
        self.save(admin, key, {**posted, "name": "newer", "turn": "2"})

        self.save(admin, key, {**posted, "name": "older", "turn": "1"})

        assert walk.shown(admin, key, "name")[1]["name"] == "newer"

    def test_of_one_page_never_conflicts_with_itself(self, admin):
        key = walk.begin(admin)
        _page, posted = walk.shown(admin, key, "name")
        for turn, name in enumerate(("a", "ab", "abc"), 1):
            self.save(admin, key, {**posted, "name": name, "turn": str(turn)})

        assert walk.shown(admin, key, "name")[1]["name"] == "abc"

    def test_a_conflict_is_said(self, admin):
        key = walk.begin(admin)
        _page, first = walk.shown(admin, key, "name")
        _page, second = walk.shown(admin, key, "name")
        self.save(admin, key, {**first, "name": "first", "turn": "1"})

        assert self.save(admin, key, {**second, "name": "second", "turn": "1"}, 409) == {"error": "conflict"}


class TestPreview:
    def test_says_what_will_be_created(self, admin):
        key = walk.walk(admin)

        page = admin.get(f"/infrastructure/deployments/drafts/{key}/preview/")

        assert "1 resource created" in page.text
        assert "OS::Heat::ResourceGroup" in page.text

    def test_of_a_deployed_plan_is_a_difference(self, admin):
        save(admin.cloud)
        admin.cloud.heat.add("demo")
        key = edit(admin)

        page = admin.get(f"/infrastructure/deployments/drafts/{key}/preview/")

        assert "1 resource updated" in page.text
        assert "Save and update the overcloud" in admin.get(walk.url(key, "review")).text

    def test_works_without_a_script(self, admin):
        key = walk.walk(admin)

        assert "1 resource created" in admin.get(f"{walk.url(key, 'review')}?preview=1").text

    @pytest.mark.parametrize("how", [500, "refuse", "timeout"])
    def test_heat_fails_and_the_review_stays(self, admin, how):
        key = walk.walk(admin)
        admin.cloud.failures["heat"] = how

        page = admin.get(f"{walk.url(key, 'review')}?preview=1")

        assert "Orchestration (Heat)" in page.text
        assert "Save and deploy" in page.text
