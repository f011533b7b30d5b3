"""What an update would change, from previews that Heat gets wrong."""

from collections import Counter

import pytest

from tests.fakes import FakeCloud
from tests.fakes.cloud import Answer
from tripleo_ui.services import heat_changes
from tripleo_ui.services.errors import ServiceError, Unavailable
from tripleo_ui.services.heat_records import Change, Resource

DEPLOYMENT, SERVER, GROUP = "OS::Heat::StructuredDeployment", "OS::Nova::Server", "OS::Heat::ResourceGroup"
FILES = {"plan.yaml": "heat_template_version: 2021-04-16\n"}


def answer(**changes):
    return {
        "resource_changes": {
            action: [{"resource_name": name, "resource_type": kind, "stack_name": stack} for name, kind, stack in items]
            for action, items in changes.items()
        }
    }


def test_a_deployment_whose_server_stays_is_updated():
    found = heat_changes.read(
        answer(
            replaced=[("deployment", DEPLOYMENT, "oc-Compute-0")], updated=[("server", SERVER, "oc-Compute-5x-0-9f")]
        )
    )
    assert [(change.action, change.name) for change in found] == [("updated", "deployment"), ("updated", "server")]


def test_a_deployment_whose_server_is_replaced_is_replaced_and_no_other():
    replaced = [("server", SERVER, "oc-Compute-0"), *(("deployment", DEPLOYMENT, f"oc-Compute-{at}") for at in (0, 1))]
    found = heat_changes.read(answer(replaced=replaced))
    assert Counter((change.action, change.type) for change in found) == {
        ("replaced", SERVER): 1,
        ("replaced", DEPLOYMENT): 1,
        ("updated", DEPLOYMENT): 1,
    }


def resources(**members):
    """A stack's resources as they are: groups with members that hold a server each."""
    for group, number in members.items():
        yield Resource(group, GROUP, "", "", "", (group,))
        for at in map(str, range(number)):
            yield Resource(at, "Tuskar::Compute-1", "", "", "", (group, at))
            yield Resource("server", SERVER, "", "", "", (group, at, "server"))


def previewed(**members):
    """The same as a preview shows it: without what holds others, but with the names of nested stacks."""
    for group, number in members.items():
        for at in range(number):
            yield Resource("server", SERVER, "", "", "", (str(at), "server"), stack=f"oc-preview-{group}-{at}")


def counted(now, then, **top):
    outer = [Change(action, name, GROUP, "oc") for name, action in top.items()]
    found = heat_changes.compared(outer, resources(**now), previewed(**then), "oc", "oc-preview")
    return {(stack, action): n for (stack, action), n in Counter((c.stack, c.action) for c in found).items()}


def test_members_that_are_new_or_gone_are_counted_by_group():
    found = counted({"A": 1, "AB": 3}, {"A": 3, "AB": 1}, A="updated", AB="updated")
    assert found == {
        ("oc", "updated"): 2,
        ("oc-A", "updated"): 1,
        ("oc-A", "added"): 2,
        ("oc-AB", "updated"): 1,
        ("oc-AB", "deleted"): 2,
    }


def test_a_group_that_is_new_gone_or_left_alone_takes_its_members_along():
    found = counted({"B": 2, "C": 1}, {"A": 1, "C": 1}, A="added", B="deleted", C="unchanged")
    assert found == {
        ("oc", "added"): 1,
        ("oc", "deleted"): 1,
        ("oc", "unchanged"): 1,
        ("oc-A", "added"): 1,
        ("oc-B", "deleted"): 2,
        ("oc-C", "unchanged"): 1,
    }


@pytest.fixture
def fake():
    made = FakeCloud()
    made.heat.add("oc", roles={"Compute": [("CREATE_COMPLETE", "")]})
    return made


def reroute(fake, respond):
    """Answer previews of updates with what ``respond`` makes of whether nested resources are asked for."""
    fake._routes["heat"] = [
        (method, pattern, (lambda call, _name: respond("show_nested" in call.query)) if "/preview" in pattern else to)
        if method == "PUT"
        else (method, pattern, to)
        for method, pattern, to in fake.heat.routes()
    ]


def test_a_preview_that_heat_fails_in_is_made_of_what_it_can_say(fake):
    fake.heat._preview = lambda call: {
        "stack": {
            "resources": [
                {"resource_name": "server", "resource_type": SERVER, "stack_name": f"oc-preview-Compute-{at}"}
                for at in range(3)
            ]
        }
    }
    outer = answer(updated=[("Compute", GROUP, "oc")], added=[], deleted=[])
    reroute(fake, lambda nested: Answer(500, {"error": {"message": "NoneType"}}) if nested else outer)
    heat = fake.cloud().heat

    found = heat.preview_update(heat.find("oc"), FILES)

    assert Counter(change.action for change in found if change.type == SERVER) == {"updated": 1, "added": 2}


@pytest.mark.parametrize(("status", "kind"), [(400, ServiceError), (503, Unavailable)])
def test_templates_that_are_wrong_and_a_heat_that_is_away_are_told(fake, status, kind):
    asked = []
    reroute(fake, lambda nested: asked.append(nested) or Answer(status, {"error": {"message": "no such type"}}))
    heat = fake.cloud().heat

    with pytest.raises(kind, match="no such type"):
        heat.preview_update(heat.find("oc"), FILES)
    assert asked == ([True, False] if status == 400 else [True])
