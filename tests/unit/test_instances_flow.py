"""Instances in a fake cloud: what is made, where, and that nothing is made twice or left, whatever befalls a call."""

import base64
import time

import pytest

from tests.fakes.infrastructure import InstanceCloud
from tests.orchestration import OPERATOR, database, running, wait_for
from tripleo_ui.orchestration import api, step
from tripleo_ui.orchestration.api import State
from tripleo_ui.orchestration.flows import instance_marks
from tripleo_ui.services.errors import NotFound

__all__ = ["database"]

BLUE, RED = {"network": "blue"}, {"network": "red"}
DISK = {"size": 2, "type": "fast", "delete": True}
ENDED = (State.SUCCEEDED, State.PARTIAL, State.FAILED, State.CANCELLED, State.NEEDS_ATTENTION)
CREATES = ["POST placement /allocations", "POST neutron /v2.0/ports", "POST cinder /volumes", "POST nova /servers"]
LISTS = ["GET placement /allocation_candidates", "GET neutron /v2.0/ports", "GET cinder /volumes", "GET nova /servers"]
DELETES = ["DELETE placement", "DELETE neutron", "DELETE cinder", "DELETE nova"]


@pytest.fixture
def fake(database, monkeypatch):
    monkeypatch.setattr(step, "_pause", lambda *_: 0.02)
    monkeypatch.setattr(instance_marks, "LATE_SECONDS", 0.1)
    monkeypatch.setattr(instance_marks, "GOING_SECONDS", 2.0)
    return InstanceCloud()


@pytest.fixture
def made(fake):
    return fake.made


@pytest.fixture
def conductor(fake):
    with running(fake.cloud()) as one:
        yield one


def ask(**params):
    common = {"name": "web", "flavor": "small", "image": "tiny", "networks": [BLUE, RED], "volumes": [DISK]}
    return api.submit("instance.create", OPERATOR, common | params, trust_id="t1")


def ended(request):
    return wait_for(request, *ENDED)


def told(request):
    return [event.message for event in api.events(request.id, "p1")]


def whole(made, count):
    """Whether there is exactly what so many instances need, and no claim but the servers' own."""
    return made.left() == {"servers": count, "ports": 2 * count, "volumes": count, "allocations": count}


@pytest.mark.usefixtures("conductor")
def test_instances_are_made_with_all_that_was_asked(fake, made):
    made.groups.append({"id": "g1", "name": "apart", "policy": "anti-affinity", "members": [], "rules": {}})
    ref = fake.cloud().userdata.put("#cloud-config\npassword: hush")
    request = ask(
        count=3,
        boot_volume={"size": 3, "type": "", "delete": True},
        security_groups=["default"],
        key_name="laptop",
        server_group="apart",
        availability_zone="nova",
        metadata={"role": "web"},
        user_data_ref=ref,
        config_drive=True,
    )
    done = ended(request)

    assert done.state is State.SUCCEEDED, (done.error, told(request))
    assert made.left() == {"servers": 3, "ports": 6, "volumes": 6, "allocations": 3}
    servers = sorted(made.servers.values(), key=lambda server: server["name"])
    assert [server["name"] for server in servers] == ["web-1", "web-2", "web-3"]
    assert {server["host"] for server in servers} == {"host-1", "host-2", "host-3"}
    body = servers[0]["body"]
    assert body["metadata"] == {"role": "web", "tripleo_ui_request": request.id}
    assert base64.b64decode(body["user_data"]).decode() == "#cloud-config\npassword: hush"
    assert (body["key_name"], body["availability_zone"], body["config_drive"]) == ("laptop", "nova", True)
    assert (body["imageRef"], body["flavorRef"]) == ("", "flavor-small")
    assert [device["boot_index"] for device in body["block_device_mapping_v2"]] == [0, -1]
    assert servers[0]["hints"] == {"group": "g1"}
    networks = [made.ports[each["port"]]["network_id"] for each in body["networks"]]
    assert networks == ["net-1", "net-2"]
    assert all(port["security_groups"] == ["sg-1"] for port in made.ports.values())
    boot, data = (made.volumes[device["uuid"]] for device in body["block_device_mapping_v2"])
    assert (boot["size"], boot["imageRef"], boot["availability_zone"]) == (3, fake.compute.images[-1]["id"], "nova")
    assert (data["size"], data["volume_type"], "imageRef" in data) == (2, "fast", False)
    with pytest.raises(NotFound):
        fake.cloud().userdata.get(ref)
    assert {each["host"] for each in done.outputs["servers"]} == {"host-1", "host-2", "host-3"}
    assert "hush" not in str(done) + str(api.events(request.id, "p1"))


@pytest.mark.usefixtures("conductor")
@pytest.mark.parametrize("call", CREATES + LISTS)
@pytest.mark.parametrize("fault", ["lost", "hang", 503])
def test_calls_without_an_answer_leave_no_double(made, call, fault):
    made.faults[call] = [fault, fault]
    request = ask(count=3)
    done = ended(request)

    assert done.state is State.SUCCEEDED, (done.error, told(request))
    assert whole(made, 3)


@pytest.mark.usefixtures("conductor")
@pytest.mark.parametrize("call", CREATES)
def test_what_is_made_after_its_call_was_given_up_is_found(fake, made, monkeypatch, call):
    monkeypatch.setattr(instance_marks, "LATE_SECONDS", 1.0)
    made.faults[call] = ["late"]
    request = ask(count=2)
    done = ended(request)

    assert done.state is State.SUCCEEDED, (done.error, told(request))
    fake.late.wait(5)
    assert whole(made, 2)


@pytest.mark.usefixtures("conductor")
@pytest.mark.parametrize("call", CREATES)
@pytest.mark.parametrize("fault", [500, 400, 403])
def test_refused_call_fails_the_request_and_leaves_nothing(made, call, fault):
    made.faults[call] = [fault]
    request = ask(count=3)
    done = ended(request)

    assert done.state is State.FAILED, told(request)
    assert "told to fail" in done.error["cause"]
    assert made.left() == {}
    assert {entry.state for entry in api.ledger(request.id, "p1")} <= {"DELETED"}


@pytest.mark.usefixtures("conductor")
@pytest.mark.parametrize("call", DELETES)
@pytest.mark.parametrize("fault", ["lost", "hang", 503, 409])
def test_taking_back_goes_on_until_all_is_gone(made, call, fault):
    made.no_host = dict.fromkeys(("host-1", "host-2", "host-3"), "No valid host was found.")
    made.faults[call] = [fault, fault]
    request = ask(count=2)
    done = ended(request)

    assert done.state is State.FAILED, (done.state, told(request))
    assert made.left() == {}


@pytest.mark.usefixtures("conductor")
def test_what_does_not_go_needs_attention_and_a_person_may_try_again(made):
    made.volume_status = "error"
    made.faults["DELETE cinder"] = [403]
    request = ask()
    assert ended(request).state is State.NEEDS_ATTENTION
    assert made.left() == {"volumes": 1}
    api.rollback(request.id, OPERATOR)
    assert wait_for(request, State.FAILED).state is State.FAILED
    assert made.left() == {}


@pytest.mark.usefixtures("conductor")
@pytest.mark.parametrize("call", ["GET glance", *LISTS, *CREATES])
def test_request_that_is_cancelled_anywhere_leaves_nothing(made, call):
    ids = []

    def cancel():
        while not ids:
            time.sleep(0.01)
        api.cancel(ids[0], OPERATOR)

    made.faults[call] = [cancel]
    request = ask(count=3)
    ids.append(request.id)
    done = ended(request)

    assert done.state is State.CANCELLED, told(request)
    assert made.left() == {}


@pytest.mark.parametrize("call", [*CREATES, "GET nova /servers", "DELETE placement"])
def test_another_conductor_goes_on_where_one_stopped(fake, made, call):
    with running(fake.cloud(), "first") as first:
        made.faults[call] = [None, first.stop]
        request = ask(count=3)
        while not first._stop.is_set() and api.get(request.id, "p1").active:
            time.sleep(0.01)
    with running(fake.cloud(), "second"):
        done = ended(request)

    assert done.state is State.SUCCEEDED, (done.error, told(request))
    assert whole(made, 3)


@pytest.mark.usefixtures("conductor")
def test_build_begins_with_none_of_its_instances(made):
    seen = []

    def look():
        (request,) = api.find("p1").items
        seen.append((request.phase, request.done, request.total))

    made.faults["POST nova /servers"] = [look]
    assert ended(ask(count=2)).state is State.SUCCEEDED
    assert seen == [("build", 0, 2)]


@pytest.mark.usefixtures("conductor")
def test_host_that_cannot_build_is_left_for_another(made):
    made.no_host = {"host-1": "No valid host was found.", "host-2": "Build of instance aborted."}
    request = ask(count=3)
    done = ended(request)

    assert done.state is State.SUCCEEDED, (done.error, told(request))
    assert {server["host"] for server in made.servers.values()} == {"host-3"}
    assert whole(made, 3)
    assert any("could not be built on host-1: No valid host was found." in message for message in told(request))
    (why,) = [each["why"] for each in done.outputs["why"] if each["host"] == "host-1"]
    assert why == "It was tried: No valid host was found."


@pytest.mark.usefixtures("conductor")
def test_three_hosts_that_cannot_build_fail_the_request(made):
    made.placement.add_host("host-4", VCPU=8, MEMORY_MB=16384, DISK_GB=100)
    made.no_host = dict.fromkeys(("host-1", "host-2", "host-3", "host-4"), "No valid host was found.")
    request = ask()
    done = ended(request)

    assert done.state is State.FAILED
    assert len(done.outputs["refused"]) == 3
    assert made.left() == {}


@pytest.mark.usefixtures("conductor")
def test_as_many_as_can_be_are_made_and_a_retry_makes_the_rest(made):
    made.placement.add_host("host-4", VCPU=1, MEMORY_MB=512, DISK_GB=5)
    for provider in made.placement.providers.values():
        provider["inventory"]["VCPU"] = 1
    request = ask(count=6, min_count=3)
    done = ended(request)
    assert done.state is State.PARTIAL, (done.error, told(request))
    assert whole(made, 4)
    kept = set(made.servers)

    for number in (5, 6):
        made.placement.add_host(f"host-{number}", VCPU=1, MEMORY_MB=512, DISK_GB=5)
    api.retry(request.id, OPERATOR, "t2")
    done = wait_for(request, State.SUCCEEDED, State.FAILED)
    assert done.state is State.SUCCEEDED, (done.error, told(request))
    assert whole(made, 6)
    assert kept < set(made.servers)
    assert len(done.outputs["servers"]) == 6


@pytest.mark.usefixtures("conductor")
def test_too_little_room_is_explained_host_by_host(made):
    done = ended(ask(count=30, min_count=25))

    assert done.state is State.FAILED
    assert done.error["cause"] == "There is room for 24 of 30 instances, and 25 are the least."
    assert [each["why"] for each in done.outputs["why"]] == ["It has room for 8, which is not enough."] * 3
    assert made.left() == {}


@pytest.mark.usefixtures("conductor")
def test_things_of_others_with_the_same_names_stay(made):
    made.ports["theirs"] = {
        "id": "theirs", "name": "web-port-1", "network_id": "net-1", "status": "DOWN", "device_id": "", "fixed_ips": [],
        "description": "",
    }  # fmt: skip
    made.volumes["theirs"] = {"id": "theirs", "name": "web-volume-1", "status": "available", "size": 1, "metadata": {}}
    made.servers["theirs"] = {"id": "theirs", "name": "web", "status": "ACTIVE", "metadata": {}}
    made.volume_status = "error"
    assert ended(ask()).state is State.FAILED
    assert made.left() == {"servers": 1, "ports": 1, "volumes": 1}
    assert "theirs" in made.servers


@pytest.mark.usefixtures("conductor")
def test_all_problems_are_told_at_once_and_nothing_is_made(fake, made):
    ref = fake.cloud().userdata.put("x")
    done = ended(ask(flavor="huge", networks=[{"network": "green"}], key_name="phone", user_data_ref=ref))

    assert done.state is State.FAILED
    for field in ("flavor", "networks.0.network", "key_name"):
        assert f"{field}: " in done.error["cause"]
    assert made.left() == {}
    with pytest.raises(NotFound):
        fake.cloud().userdata.get(ref)


@pytest.mark.usefixtures("conductor")
def test_deletion_takes_exactly_what_was_made_for_the_instances(made):
    done = ended(ask(count=2, volumes=[DISK, {**DISK, "delete": False}]))
    gone, stays = (each["id"] for each in done.outputs["servers"])
    made.volumes["theirs"] = {"id": "theirs", "name": "theirs", "status": "in-use", "size": 1, "metadata": {}}
    made.servers[gone]["os-extended-volumes:volumes_attached"].append({"id": "theirs"})
    made.faults["DELETE nova"] = ["lost"]
    made.faults["DELETE cinder"] = [400]
    request = api.submit("instance.delete", OPERATOR, {"servers": [gone]}, trust_id="t2")
    assert ended(request).state is State.SUCCEEDED

    assert set(made.servers) == {stays}
    assert len(made.ports) == 2
    kept = [volume["metadata"].get("tripleo_ui_delete") for volume in made.volumes.values() if volume["id"] != "theirs"]
    assert sorted(kept) == ["false", "false", "true"]
    assert made.volumes["theirs"]["status"] == "available"


@pytest.mark.usefixtures("conductor")
def test_instances_that_are_being_made_are_not_deleted(made):
    made.volume_status = "creating"
    request = ask()
    made.servers["s"] = {"id": "s", "name": "web", "status": "BUILD", "metadata": {"tripleo_ui_request": request.id}}
    gone = ended(api.submit("instance.delete", OPERATOR, {"servers": ["s"]}, trust_id="t2"))
    assert gone.state is State.FAILED
    assert request.id in gone.error["cause"]
    api.cancel(request.id, OPERATOR)
    assert ended(request).state is State.CANCELLED
