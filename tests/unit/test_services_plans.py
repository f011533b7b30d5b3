"""Plans in a container: versions, atomic saves, conflicts."""

import pytest

from tests.fakes import FakeCloud
from tests.fakes.cloud import Answer
from tripleo_ui.services import plans as store
from tripleo_ui.services.errors import Conflict, NotFound, ServiceError, Unavailable
from tripleo_ui.services.plans import PlanConflict

FILES = {"plan.yaml": "a: 1\n", "files/x.yaml": "b: 1\n"}


@pytest.fixture
def fake(monkeypatch):
    monkeypatch.setattr(store, "SETTLE_SECONDS", 0)
    return FakeCloud()


@pytest.fixture
def plans(fake):
    return fake.cloud().plans


def test_saved_plan_reads_back_with_everything_about_it(plans):
    info = plans.save("oc", FILES, description="Größer", author="olga")
    read = plans.read("oc")

    assert read.files == FILES
    assert read.info == info
    assert (info.revision, info.description, info.author) == (1, "Größer", "olga")
    assert info.etag.startswith("1-")


def test_only_changed_files_are_written_again(fake, plans):
    first = plans.save("oc", FILES)
    fake.forget()
    second = plans.save("oc", FILES | {"plan.yaml": "a: 2\n"}, etag=first.etag)

    written = [line for line in fake.log if line.startswith("PUT")]
    assert [line.rsplit("/", 1)[-1] for line in written] == ["plan.yaml", "00000002"]
    assert second.files["files/x.yaml"] == first.files["files/x.yaml"]


def test_old_revisions_stay_readable(plans):
    first = plans.save("oc", FILES)
    plans.save("oc", {"plan.yaml": "a: 2\n"}, etag=first.etag)

    assert plans.read("oc").files == {"plan.yaml": "a: 2\n"}
    assert plans.read("oc", 1).files == FILES
    assert [info.revision for info in plans.history("oc")] == [2, 1]


def test_second_editor_gets_a_conflict_that_shows_what_changed(plans):
    base = plans.save("oc", FILES, author="olga")
    plans.save("oc", {"plan.yaml": "a: 2\n", "new.yaml": "n\n"}, etag=base.etag, author="tom")

    with pytest.raises(PlanConflict) as conflict:
        plans.save("oc", {"plan.yaml": "a: 3\n"}, etag=base.etag)

    assert conflict.value.changes == {"files/x.yaml": "removed", "new.yaml": "added", "plan.yaml": "changed"}
    assert conflict.value.current.author == "tom"
    assert "tom saved revision 2" in str(conflict.value)
    assert plans.read("oc").files == {"plan.yaml": "a: 2\n", "new.yaml": "n\n"}


def test_name_that_is_taken_is_a_conflict(plans):
    plans.save("oc", FILES)
    with pytest.raises(PlanConflict):
        plans.save("oc", FILES)


def test_loser_of_a_race_restores_what_the_winner_wrote(plans, monkeypatch):
    base = plans.save("oc", FILES)
    write = store.PlanStore._write

    def race(self, container, files, known):
        monkeypatch.setattr(store.PlanStore, "_write", write)
        plans.save("oc", {"plan.yaml": "a: winner\n"}, etag=base.etag, author="winner")
        return write(self, container, files, known)

    monkeypatch.setattr(store.PlanStore, "_write", race)
    with pytest.raises(PlanConflict) as conflict:
        plans.save("oc", {"plan.yaml": "a: loser\n", "more.yaml": "m\n"}, etag=base.etag)

    assert conflict.value.current.author == "winner"
    assert plans.read("oc").files == {"plan.yaml": "a: winner\n"}
    container = plans._container("oc")
    assert container.read("plan.yaml")[0] == b"a: winner\n"
    with pytest.raises(NotFound):
        container.read("more.yaml")


@pytest.mark.parametrize("after", range(3))
def test_save_that_breaks_off_leaves_the_old_plan(fake, plans, monkeypatch, after):
    base = plans.save("oc", FILES)
    put = fake.swift._put
    calls = iter(range(100))

    def breaking(call, *names):
        if next(calls) >= after:
            fake.failures["swift"] = 503
        return put(call, *names)

    fake._routes["swift"] = [
        (method, pattern, breaking if handler == put else handler) for method, pattern, handler in fake.swift.routes()
    ]
    try:
        plans.save("oc", {"plan.yaml": "a: 2\n", "more.yaml": "m\n"}, etag=base.etag)
    except Unavailable:
        fake.failures.clear()
        assert plans.read("oc").files in (FILES, {"plan.yaml": "a: 2\n", "more.yaml": "m\n"})
    else:
        fake.failures.clear()
        assert plans.read("oc").files == {"plan.yaml": "a: 2\n", "more.yaml": "m\n"}


def test_stray_containers_are_no_plans(fake, plans):
    plans.save("oc", FILES)
    fake.swift.containers["overcloud-plan-stray"] = {"meta": {}, "objects": {}}
    fake.swift.containers["photos"] = {"meta": {}, "objects": {}}

    assert [info.name for info in plans.list().items] == ["oc"]
    with pytest.raises(NotFound):
        plans.info("stray")
    with pytest.raises(Conflict, match="is no plan"):
        plans.save("stray", FILES)
    with pytest.raises(Conflict, match="delete plan failed: the container overcloud-plan-stray is no plan"):
        plans.delete("stray")
    assert set(fake.swift.containers) == {"overcloud-plan-oc", "overcloud-plan-stray", "photos"}


def test_list_is_paged_by_name(plans):
    for number in range(5):
        plans.save(f"oc-{number}", FILES)
    first = plans.list(limit=3)
    second = plans.list(limit=3, marker=first.marker)

    assert [info.name for info in (*first.items, *second.items)] == [f"oc-{number}" for number in range(5)]
    assert second.marker == ""


def test_delete_leaves_nothing(fake, plans):
    first = plans.save("oc", FILES)
    plans.save("oc", {"plan.yaml": "a: 2\n"}, etag=first.etag)
    with pytest.raises(PlanConflict):
        plans.delete("oc", first.etag)
    plans.delete("oc")
    plans.delete("oc")

    assert fake.swift.containers == {}


def test_old_revisions_are_forgotten_with_their_versions(fake, plans, monkeypatch):
    monkeypatch.setattr(store, "KEEP", 2)
    info = plans.save("oc", FILES)
    for number in range(4):
        info = plans.save("oc", FILES | {"plan.yaml": f"a: {number}0\n"}, etag=info.etag)

    assert [found.revision for found in plans.history("oc")] == [5, 4]
    assert len(fake.swift.containers["overcloud-plan-oc"]["objects"]["plan.yaml"]) == 2
    assert plans.read("oc").files == FILES | {"plan.yaml": "a: 30\n"}


def test_rename_is_refused_with_the_reason(plans):
    with pytest.raises(Conflict, match="its stack has the same name"):
        plans.rename("oc", "other")


@pytest.mark.parametrize("name", ["", "a/b", "x" * 300])
def test_impossible_names_reach_no_service(fake, plans, name):
    with pytest.raises(ServiceError):
        plans.read(name)
    assert not fake.calls


def test_plan_of_a_megabyte(plans):
    files = {"plan.yaml": "x" * 1_100_000}
    plans.save("big", files)
    assert plans.read("big").files == files


@pytest.mark.parametrize(
    "file", ["", "../other/x.yaml", "a/../../x", "/x.yaml", "a//b", "./x", ".plan/revisions/9", "x" * 1025]
)
def test_file_that_would_leave_the_plan_is_refused(fake, plans, file):
    with pytest.raises(ServiceError, match="is no name of a file"):
        plans.save("oc", FILES | {file: "x"})
    assert not fake.calls


def breaking(fake, handler, when, answer):
    """Let a handler of the fake Swift answer something else for some calls."""

    def broken(call, *names):
        return answer(call, *names) if when(call, *names) else handler(call, *names)

    fake._routes["swift"] = [
        (method, pattern, broken if found == handler else found) for method, pattern, found in fake._routes["swift"]
    ]


def test_plan_is_saved_even_if_tidying_up_fails(fake, plans):
    base = plans.save("oc", FILES)
    breaking(fake, fake.swift._delete, lambda *_call: True, lambda *_call: Answer(503, b""))

    info = plans.save("oc", {"plan.yaml": "a: 2\n"}, etag=base.etag)
    assert info.revision == 2
    assert plans.read("oc").files == {"plan.yaml": "a: 2\n"}


def test_saves_make_up_for_cleanups_that_failed(fake, plans, monkeypatch):
    monkeypatch.setattr(store, "KEEP", 2)
    routes = fake._routes["swift"]
    breaking(fake, fake.swift._delete, lambda *_call: True, lambda *_call: Answer(503, b""))
    info = plans.save("oc", FILES)
    for number in range(3):
        info = plans.save("oc", FILES | {"plan.yaml": f"a: {number}0\n"}, etag=info.etag)
    assert len(plans.history("oc")) == 4

    fake._routes["swift"] = routes
    plans.save("oc", FILES | {"plan.yaml": "a: 30\n"}, etag=info.etag)
    assert [found.revision for found in plans.history("oc")] == [5, 4]
    assert len(fake.swift.containers["overcloud-plan-oc"]["objects"]["plan.yaml"]) == 2
    assert plans.read("oc", 4).files == FILES | {"plan.yaml": "a: 20\n"}


def test_save_whose_last_answer_was_lost_is_a_save(fake, plans):
    base = plans.save("oc", FILES)
    put = fake.swift._put

    def lose_answer(call, *names):
        put(call, *names)
        return Answer(503, b"")

    breaking(fake, put, lambda _call, _container, key: key.startswith(".plan/"), lose_answer)
    info = plans.save("oc", {"plan.yaml": "a: 2\n"}, etag=base.etag)
    assert (info.revision, plans.read("oc").files) == (2, {"plan.yaml": "a: 2\n"})


def test_save_whose_commit_never_arrived_fails_and_leaves_the_old_plan(fake, plans):
    base = plans.save("oc", FILES)
    breaking(
        fake, fake.swift._put, lambda _call, _container, key: key.startswith(".plan/"), lambda *_call: Answer(503, b"")
    )
    with pytest.raises(Unavailable):
        plans.save("oc", {"plan.yaml": "a: 2\n"}, etag=base.etag)
    assert plans.read("oc").files == FILES


def test_name_is_free_again_after_a_deletion_that_broke_off(fake, plans):
    info = plans.save("oc", FILES)
    plans.save("oc", {"plan.yaml": "a: old\n"}, etag=info.etag)
    routes = fake._routes["swift"]
    breaking(fake, fake.swift._delete, lambda *_call: True, lambda *_call: Answer(503, b""))
    with pytest.raises(Unavailable):
        plans.delete("oc")
    fake._routes["swift"] = routes

    assert plans.list().items == ()
    with pytest.raises(NotFound):
        plans.read("oc")
    saved = plans.save("oc", {"plan.yaml": "a: new\n"})
    assert plans.info("oc") == saved
    assert plans.read("oc").files == {"plan.yaml": "a: new\n"}


def test_revision_that_is_not_there_is_named(plans):
    plans.save("oc", {"plan.yaml": "a: 1\n"})
    with pytest.raises(NotFound, match="plan oc has no revision 7"):
        plans.read("oc", 7)
    with pytest.raises(NotFound, match="plan absent has no revision 1"):
        plans.read("absent", 1)
