"""Dialogs that write themselves: labels, types, limits, groups."""

from pathlib import Path

import pytest

from tripleo_ui.catalog import deriving, dialog, generator, reading, words
from tripleo_ui.catalog.template import Parameter, Template

EXAMPLES = Path(__file__).resolve().parents[2] / "examples/templates"


def field(objects=(), name="P", **parameter):
    template = Template("t", tuple(objects), (Parameter(name, **parameter),))
    return dialog.build(template).fields[0]


def deployment(**container):
    spec = {"template": {"spec": {"containers": [container]}}}
    return {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web"}, "spec": spec}


def test_texts_come_from_the_template_or_the_name():
    assert field(display_name="  A name ", description=" Helps.\n").label == "A name"
    assert field(display_name="A name", description=" Helps.\n").help == "Helps."
    assert field(name="DB_ROOT_URL").label == "DB root URL"
    assert words.readable("gitRepo2") == "Git repo 2"


def test_required_means_that_nothing_else_gives_a_value():
    assert field(required=True).required
    assert not field(required=True, value="x").required
    made = field(required=True, generate="expression", from_="[a-z]{3}")
    assert not made.required
    assert len(dialog.preview(made)) == 3
    assert not field(required=True, value="x", generate="expression", from_="[a-z]{3}").generated
    with pytest.raises(ValueError, match="nothing generates"):
        dialog.preview(field())


SECRET = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "s"}}
ENV = {"name": "E", "value": "${P}"}


@pytest.mark.parametrize(
    ("objects", "parameter", "kind"),
    [
        ([], {"value": "x"}, "text"),
        ([], {"value": "one\ntwo"}, "multi-line"),
        ([], {"value": "one\n"}, "text"),
        ([], {"name": "ADMIN_PASSWORD"}, "secret"),
        ([], {"name": "apiToken", "value": "true"}, "secret"),
        ([{**SECRET, "stringData": {"user": "${P}"}}], {}, "secret"),
        ([{**SECRET, "data": {"${P}": "eA=="}}], {}, "text"),
        ([deployment(envFrom=[{"secretRef": {"name": "${DB_SECRET}"}}])], {"name": "DB_SECRET"}, "text"),
        ([deployment(env=[{"name": "E", "value": "${DB_SECRET}"}])], {"name": "DB_SECRET"}, "secret"),
        ([{"kind": "A", "x": "${{P}}"}], {"value": "5"}, "int"),
        ([{"kind": "A", "x": "${{P}}"}], {"value": "0.5"}, "number"),
        ([{"kind": "A", "x": "${{P}}"}], {"value": "true"}, "bool"),
        ([{"kind": "A", "x": "${{P}}"}], {"value": '["a"]'}, "json"),
        ([{"kind": "A", "x": "${{P}}"}], {"value": "plain"}, "text"),
        ([{"kind": "A", "x": "${P}"}], {"value": "5"}, "text"),
        ([deployment(stdin="${{P}}")], {}, "bool"),
        ([deployment(args="${{P}}")], {}, "json"),
        ([deployment(imagePullPolicy="${P}")], {}, "choice"),
        ([deployment(imagePullPolicy="${P}")], {"value": "Sometimes"}, "text"),
        ([], {"description": "One of: a, b or c."}, "choice"),
        ([], {"description": "Allowed values are true and false"}, "bool"),
        ([{"kind": "PersistentVolumeClaim", "spec": {"storageClassName": "${P}"}}], {}, "storage-class"),
        ([{"kind": "A", "from": {"kind": "ImageStreamTag", "name": "${P}:latest"}}], {}, "image-stream"),
        ([{"kind": "A", "from": {"kind": "DockerImage", "name": "${P}"}}], {}, "text"),
        ([{"kind": "A", "from": {"kind": ["ImageStreamTag"], "name": "${P}"}}], {}, "text"),
        (
            [
                {"kind": "ImageStream", "metadata": {"name": "${P}"}},
                {"kind": "A", "from": {"kind": "ImageStreamTag", "name": "${P}"}},
            ],
            {},
            "text",
        ),
    ],
)
def test_types_are_derived(objects, parameter, kind):
    assert field(objects, **parameter).type == kind


@pytest.mark.parametrize(
    ("description", "choices"),
    [
        ("One of: small, medium, large", ("small", "medium", "large")),
        ("Level (one of: debug|info)", ("debug", "info")),
        ("Valid values are 1.0, 1.1 and 2.0.", ("1.0", "1.1", "2.0")),
        ('Either "on" or "off"', ("on", "off")),
        ("One of the best there are, or so they say", ()),
        ("Possible options: whatever you like, really", ()),
        ("Use a, b or c", ()),
    ],
)
def test_choices_are_found_in_descriptions(description, choices):
    kind, found = deriving.type_and_choices(Parameter("P", description=description), (), ())
    assert (kind, found) == (("choice", choices) if choices else ("text", ()))


@pytest.mark.parametrize(
    ("item", "formats", "bad"),
    [
        (deployment(ports=[{"containerPort": "${{P}}"}]), ["port"], "0"),
        (deployment(livenessProbe={"httpGet": {"port": "${{P}}"}}), ["port-or-name"], "UPPER"),
        (deployment(resources={"limits": {"memory": "${P}"}}), ["quantity"], "lots"),
        (deployment(resources={"limits": {"memory": "${P}Mi"}}), ["quantity"], "1Mi"),
        ({"apiVersion": "v1", "kind": "DeploymentConfig", "spec": {"replicas": "${{P}}"}}, ["replicas"], "-1"),
        ({"apiVersion": "v1", "kind": "Service", "metadata": {"name": "${P}-db"}}, ["service-name"], "1"),
        ({"apiVersion": "v1", "kind": "Service", "spec": {"ports": [{"nodePort": "${{P}}"}]}}, ["node-port"], "-1"),
        ({"apiVersion": "v1", "kind": "Pod", "metadata": {"generateName": "${P}-"}}, ["dns-name"], "-"),
        ({"kind": "Pod", "metadata": {"namespace": "${P}"}}, ["dns-label"], "a.b"),
        ({"kind": "Route", "spec": {"host": "${P}"}}, ["dns-name"], "a_b"),
        ({"kind": "Role", "metadata": {"name": "${P}"}}, [], None),
        ({"kind": "Thing", "metadata": {"name": "${P}-${Q}"}}, [], None),
    ],
)
def test_limits_follow_from_the_use(item, formats, bad):
    found = field([item])
    assert [limit.format for limit in found.limits] == formats
    assert all(limit.reason.endswith(".") and limit.reason[0].isupper() for limit in found.limits)
    if bad is not None:
        with pytest.raises(ValueError, match=r"."):
            found.parse(bad)


def test_a_limit_that_the_default_breaks_is_none():
    assert field([deployment(resources={"limits": {"memory": "${P}"}})], value="a lot").limits == ()


def test_a_default_of_a_secret_is_shown_nowhere():
    found = field(name="PASSWORD", value="tops3cret")
    assert found.has_default
    assert "tops3cret" not in repr(found)


def test_groups_are_by_prefix_then_by_object():
    names = ["NAME", "DB_HOST", "DB_PORT", "DB_USER", "SIZE", "CLASS", "OTHER", "HEIGHT"]
    claim = {"kind": "PersistentVolumeClaim", "metadata": {"name": "${NAME}"}, "spec": ["${SIZE}", "${CLASS}"]}
    parameters = tuple(Parameter(name, value="data" if name == "NAME" else "") for name in names)
    found = dialog.build(Template("t", (claim,), parameters))
    assert [(group.label, [each.name for each in fields]) for group, fields in found.grouped()] == [
        ("PersistentVolumeClaim data", ["NAME", "SIZE", "CLASS"]),
        ("DB", ["DB_HOST", "DB_PORT", "DB_USER"]),
        ("General", ["OTHER", "HEIGHT"]),
    ]


def test_few_parameters_have_one_group_and_keep_their_order():
    found = dialog.build(Template("t", (), tuple(map(Parameter, ("B_1", "A", "B_2", "B_3")))))
    assert [[each.name for each in fields] for _group, fields in found.grouped()] == [["B_1", "A", "B_2", "B_3"]]


def test_what_all_names_share_is_no_group():
    names = [f"APP_{part}_{number}" for part in ("DB", "WEB") for number in range(4)]
    found = dialog.build(Template("t", (), tuple(map(Parameter, names))))
    assert [group.label for group, _fields in found.grouped()] == ["DB", "Web"]


@pytest.mark.parametrize("path", sorted(EXAMPLES.iterdir()), ids=lambda path: path.name)
def test_examples_have_fields_that_accept_their_defaults_and_placeholders(path):
    [template] = reading.read_file(str(path)).templates
    for each in dialog.build(template).fields:
        for text in (each.default, dialog.placeholder(each)):
            if text:
                assert each.parse(text) == text
        if each.generated:
            assert not generator.check(each.generated)
            assert each.parse(dialog.preview(each))
