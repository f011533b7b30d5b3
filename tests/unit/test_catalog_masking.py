"""What a preview shows: processed objects and differences, in which no secret can be."""

import pytest

from tripleo_ui.catalog import dialog, yamltext
from tripleo_ui.catalog.template import Parameter, Template
from tripleo_ui.panels.catalog import masking

SECRET = "hunter2-and-more"
RUNNING = "what-runs-now"
TEMPLATE = Template(
    "app",
    (
        {
            "apiVersion": "v1",
            "kind": "Secret",
            "metadata": {"name": "${NAME}"},
            "stringData": {"password": "${PASSWORD}", "literal": "written-down"},
        },
        {
            "apiVersion": "apps/v1",
            "kind": "Deployment",
            "metadata": {"name": "${NAME}"},
            "spec": {
                "replicas": "${{COUNT}}",
                "template": {
                    "spec": {
                        "containers": [
                            {
                                "name": "main",
                                "args": ["--user=me", "--password=${PASSWORD}"],
                                "env": [{"name": "PASSWORD", "value": "${PASSWORD}"}, {"name": "A", "value": "${A}"}],
                            }
                        ]
                    }
                },
            },
        },
    ),
    (
        Parameter("NAME", value="web"),
        Parameter("PASSWORD", generate="expression", from_="[a-z]{8}"),
        Parameter("COUNT", value="2"),
        Parameter("A", value="1"),
        Parameter("API_TOKEN"),
    ),
)
DIALOG = dialog.build(TEMPLATE)


def shown(answers=None):
    return masking.objects(TEMPLATE, DIALOG, answers or {})


def live(**changes):
    """The Deployment as a cluster has it: with defaults, and with a secret of its own."""
    container = {
        "name": "main",
        "imagePullPolicy": "Always",
        "args": ["--user=me", f"--password={RUNNING}"],
        "env": [{"name": "A", "value": "1"}, {"name": "PASSWORD", "value": RUNNING}],
        **changes,
    }
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "web", "uid": "1", "annotations": {"last-applied": RUNNING}},
        "spec": {"replicas": 1, "template": {"spec": {"containers": [container], "dnsPolicy": "ClusterFirst"}}},
        "status": {"message": RUNNING},
    }


@pytest.mark.parametrize("answers", [{}, {"PASSWORD": SECRET}])
def test_typed_generated_and_written_secrets_are_masked(answers):
    text = yamltext.dump(list(shown(answers)))

    assert SECRET not in text
    assert "written-down" not in text
    assert text.count(masking.MASK) == 4


def test_a_template_that_cannot_be_processed_shows_nothing():
    assert shown({"NO_SUCH": "1"}) == ()


def test_only_what_the_template_says_is_compared():
    found = masking.difference(live(), shown({"PASSWORD": SECRET})[1])

    assert "-  replicas: 1" in found
    assert "+  replicas: 2" in found
    assert "imagePullPolicy" not in found
    assert "dnsPolicy" not in found
    assert "uid" not in found


def test_a_difference_never_has_a_secret_of_either_side():
    odd = [
        live(),
        live(args=[f"--password={RUNNING}"]),
        live(args=["a", "b", RUNNING, RUNNING]),
        live(env=[{"name": "NEW", "value": RUNNING}, {"name": "PASSWORD", "value": RUNNING}]),
        live(env=[{"value": RUNNING}, {"name": "PASSWORD", "value": RUNNING}, RUNNING]),
        live(args={RUNNING: RUNNING}),
        live(args=[[RUNNING]]),
    ]
    for item in odd:
        found = masking.difference(item, shown({"PASSWORD": SECRET})[1])
        assert found
        assert RUNNING not in found.replace("name: NEW", "")
        assert SECRET not in found


def test_secrets_are_compared_by_the_names_of_what_they_hold():
    running = {
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": {"name": "web"},
        "data": {"password": "aHVudGVyMg==", "literal": "eA=="},
    }
    wanted = shown()[0]

    assert masking.difference(running, wanted) == ""
    assert "aHVudGVyMg" not in masking.difference({**running, "metadata": {"name": "other"}}, wanted)


def test_objects_that_are_equal_have_no_difference():
    wanted = shown({"COUNT": "1"})[1]

    assert (
        masking.difference(live(env=list(reversed(live()["spec"]["template"]["spec"]["containers"][0]["env"]))), wanted)
        == ""
    )
