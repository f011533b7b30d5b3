"""What is made of Heat's resources and Ironic's nodes; what counts as which state."""

import pytest

from tests.panels.test_web_parts import request_in
from tripleo_ui.orchestration.api import State
from tripleo_ui.panels.deployments import joining, overcloud, secrets
from tripleo_ui.planning.parameters import MASK
from tripleo_ui.services.heat_records import Event, Resource, Stack
from tripleo_ui.services.nodes import Node

FILES = {
    "plan.yaml": "parameters:\n  Password: {type: string, hidden: true}\n  Short: {type: string, hidden: true}\n",
    "environment.yaml": "parameters:\n  Password: s3cret\n  Short: x\n  Open: seen\n",
}


def resource(path, type_="OS::Nova::Server", status="CREATE_COMPLETE", physical_id=""):
    return Resource(path[-1], type_, status, "", physical_id or "-".join(path), tuple(path))


def group(name):
    return resource([name], overcloud.GROUP)


def node(state="active", **more):
    return Node("n", "blade", "baremetal.compute", frozenset(), state, "power on", **more)


def stack(status):
    return Stack("s", "demo", status)


# -- members


@pytest.mark.parametrize(
    ("status", "found", "word"),
    [
        ("CREATE_COMPLETE", node(), "Active"),
        ("CREATE_COMPLETE", None, "Active"),
        ("CREATE_IN_PROGRESS", None, "Starting"),
        ("CREATE_IN_PROGRESS", node("available"), "Starting"),
        ("CREATE_IN_PROGRESS", node("active"), "Configuring"),
        ("CREATE_IN_PROGRESS", node("deploying"), "Deploying"),
        ("CREATE_IN_PROGRESS", node("wait call-back"), "Waiting for the node"),
        ("CREATE_FAILED", node("deploy failed"), "Failed"),
        ("DELETE_IN_PROGRESS", None, "Deleting"),
        ("DELETE_IN_PROGRESS", node("cleaning"), "Cleaning"),
        ("CREATE_COMPLETE", node(maintenance=True), "Maintenance"),
        ("INIT_COMPLETE", None, "Waiting"),
        ("", None, "Waiting"),
    ],
)
def test_a_members_state(status, found, word):
    server = resource(["Compute", "0", "server"], status=status, physical_id="server-1")

    (role,) = overcloud.roles([group("Compute"), server], {"server-1": found} if found else {})

    assert str(role.members[0].badge.word) == word


def test_what_is_yet_to_begin_is_not_complete():
    items = [
        group("Compute"),
        resource(["Compute", "0"], status="INIT_COMPLETE"),
        resource(["x"], status="CREATE_FAILED"),
    ]

    assert overcloud.tally(items) == (1, 3)


def test_the_worst_of_a_members_resources_counts():
    items = [
        group("Compute"),
        resource(["Compute", "0", "port"], "OS::Neutron::Port"),
        resource(["Compute", "0", "server"], status="CREATE_FAILED"),
    ]

    assert overcloud.roles(items)[0].members[0].badge.tone == "failed"


def test_roles_come_in_their_usual_order_and_members_by_number():
    items = [group(name) for name in ("Zebra", "Compute", "Controller", "Alpha")]
    items += [resource(["Compute", str(index)], "Tuskar::Compute-1") for index in (10, 9, 1)]

    found = overcloud.roles(items)

    assert [role.name for role in found] == ["Controller", "Compute", "Alpha", "Zebra"]
    assert [member.index for member in found[1].members] == ["1", "9", "10"]


def test_names_and_addresses_come_by_server_however_short_the_lists_are():
    items = [group("Compute")]
    items += [resource(["Compute", str(index), "server"], physical_id=f"server-{index}") for index in (0, 1)]
    outputs = {"ComputeServers": ["server-1", "server-0"], "ComputeNames": ["one"], "ComputeAddresses": None}

    first, second = overcloud.roles(items, {}, outputs)[0].members

    assert (first.name, first.address) == ("Compute 0", "")
    assert (second.name, second.address) == ("one", "")


def test_a_resource_of_the_stack_itself_is_no_role():
    assert overcloud.roles([resource(["network"], "OS::Neutron::Net")]) == ()


# -- events


def test_an_event_says_where_it_happened():
    items = [group("Compute"), resource(["Compute", "0"], "Tuskar::Compute-1", physical_id="stack-0")]
    inner = Event("1", "", "server", "CREATE_COMPLETE", "", stack_id="stack-0", physical_id="server-1")
    own = Event("2", "", "demo-Compute-abc-0-def", "CREATE_COMPLETE", "", stack_id="stack-0", physical_id="stack-0")
    top = Event("3", "", "demo", "CREATE_COMPLETE", "", stack_id="s", physical_id="s")

    places = [place for place, _event in overcloud.happened([inner, own, top], items)]

    assert places == ["Compute / 0 / server", "Compute / 0", "demo"]


# -- states


@pytest.mark.parametrize(
    ("status", "state", "kind"),
    [
        (None, None, joining.PLANNED),
        (None, State.QUEUED, joining.WORKING),
        (None, State.FAILED, joining.FAILED),
        (None, State.CANCELLED, joining.PLANNED),
        ("CREATE_COMPLETE", None, joining.DEPLOYED),
        ("CREATE_COMPLETE", State.SUCCEEDED, joining.DEPLOYED),
        ("CREATE_COMPLETE", State.RUNNING, joining.WORKING),
        ("UPDATE_IN_PROGRESS", State.FAILED, joining.WORKING),
        ("CREATE_FAILED", State.SUCCEEDED, joining.FAILED),
    ],
)
def test_kinds(status, state, kind):
    assert joining.kind(stack(status) if status else None, request_in(state) if state else None) == kind


@pytest.mark.parametrize(
    ("state", "workflow", "word"),
    [
        (State.RUNNING, "overcloud.deploy", "Deploying"),
        (State.RUNNING, "overcloud.delete", "Undeploying"),
        (State.STALLED, "overcloud.deploy", "Stalled"),
        (State.QUEUED, "overcloud.deploy", "Queued"),
    ],
)
def test_what_is_under_way_is_named(state, workflow, word):
    assert str(joining.badge(None, request_in(state, workflow=workflow)).word) == word


# -- outputs


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("seen", "seen"),
        ("s3cret", MASK),
        ("mysql://root:s3cret@db", MASK),
        ({"deep": ["s3cret"]}, MASK),
        ({"s3cret": 1}, MASK),
        (["a", 1], '[\n  "a",\n  1\n]'),
        ("an x in a text", "an x in a text"),
        (0, "0"),
    ],
)
def test_outputs_with_a_secret_are_masked(value, shown):
    assert secrets.mask([("Output", value)], FILES) == [("Output", shown)]


def test_secrets_with_quotes_are_found_in_lists_too():
    files = FILES | {"environment.yaml": "parameters:\n  Password: 'a\"b\"c'\n"}

    assert secrets.mask([("Output", ['x a"b"c y'])], files) == [("Output", MASK)]


def test_parts_of_a_hidden_document_are_secrets():
    files = FILES | {"environment.yaml": "parameter_defaults:\n  Password: {inner: [deep-one]}\n"}

    assert secrets.mask([("Output", "deep-one")], files) == [("Output", MASK)]


def test_with_an_environment_that_cannot_be_read_nothing_shows():
    files = FILES | {"environment.yaml": "parameters: [unclosed"}

    assert secrets.mask([("Output", "seen")], files) == [("Output", MASK)]


def test_without_a_plan_outputs_are_text():
    assert secrets.mask([("Output", "seen")], {}) == [("Output", "seen")]


def test_empty_outputs_are_left_out_but_zero_and_false_are_not():
    made = Stack("s", "demo", "CREATE_COMPLETE", outputs={"A": None, "B": [], "C": 0, "D": False, "E": ""})

    assert overcloud.shown_outputs(made) == [("C", 0), ("D", False)]
