"""Plans in a real Swift: what the design relies on, and two who save at once."""

import concurrent.futures
import threading

import pytest

from tripleo_ui.services.cloud import Cloud
from tripleo_ui.services.plans import PlanConflict

NAME = "plans-test"
WRITERS = 6


@pytest.fixture
def plans(admin):
    access = admin.session.auth.get_access(admin.session)
    auth_url = admin.session.auth.auth_url
    cloud = Cloud.from_token(
        auth_url, access.auth_token, access.project_id, access.service_catalog.catalog, admin.config.get_region_name()
    )
    cloud.plans.delete(NAME)
    yield cloud.plans
    cloud.plans.delete(NAME)


def test_plan_lives_in_versioned_objects_of_a_marked_container(admin, plans):
    first = plans.save(NAME, {"plan.yaml": "a: 1\n", "files/x": "x\n"}, description="Größer", author="olga")
    plans.save(NAME, {"plan.yaml": "a: 2\n"}, etag=first.etag)
    headers = admin.session.head(f"{admin.object_store.get_endpoint()}/overcloud-plan-{NAME}").headers

    assert headers["X-Versions-Enabled"] == "True"
    assert headers["X-Container-Meta-Tripleo-Ui-Kind"] == "plan"
    assert plans.read(NAME).files == {"plan.yaml": "a: 2\n"}
    assert plans.read(NAME, 1).files == {"plan.yaml": "a: 1\n", "files/x": "x\n"}
    assert plans.info(NAME).description == ""
    assert NAME in [info.name for info in plans.list(limit=100).items]


def test_of_many_who_save_at_once_exactly_one_wins(plans):
    base = plans.save(NAME, {"plan.yaml": "a: 0\n"})

    def save(number):
        try:
            return plans.save(NAME, {"plan.yaml": f"a: {number}\n"}, etag=base.etag, author=f"writer {number}")
        except PlanConflict:
            return None

    with concurrent.futures.ThreadPoolExecutor(WRITERS) as pool:
        saved = [info for info in pool.map(save, range(1, WRITERS + 1)) if info]

    assert len(saved) == 1
    stored = plans.read(NAME)
    assert stored.info.author == saved[0].author
    number = saved[0].author.split()[-1]
    assert stored.files == {"plan.yaml": f"a: {number}\n"}
    assert plans._container(NAME).read("plan.yaml")[0] == f"a: {number}\n".encode()


def test_reader_during_saves_sees_one_revision_whole(plans):
    info = plans.save(NAME, {"plan.yaml": "0\n", "other.yaml": "0\n"})
    seen, done = [], threading.Event()

    def read():
        while not done.is_set():
            seen.append(tuple(plans.read(NAME).files.values()))

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        readers = [pool.submit(read) for _reader in range(2)]
        for number in range(1, 6):
            info = plans.save(NAME, {"plan.yaml": f"{number}\n", "other.yaml": f"{number}\n"}, etag=info.etag)
        done.set()
        for reader in readers:
            reader.result()

    assert seen
    assert all(one == other for one, other in seen), seen


def test_plan_of_a_megabyte(plans):
    text = "x" * 1_100_000
    plans.save(NAME, {"plan.yaml": text})
    assert plans.read(NAME).files["plan.yaml"] == text


def test_delete_leaves_no_object_and_no_version(admin, plans):
    first = plans.save(NAME, {"plan.yaml": "a: 1\n"})
    plans.save(NAME, {"plan.yaml": "a: 2\n"}, etag=first.etag)
    plans.delete(NAME)
    url = f"{admin.object_store.get_endpoint()}/overcloud-plan-{NAME}"

    assert admin.session.head(url, raise_exc=False).status_code == 404
    plans.save(NAME, {"plan.yaml": "a: 3\n"})
    assert [info.revision for info in plans.history(NAME)] == [1]
