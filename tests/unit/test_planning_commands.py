"""``python -m tripleo_ui.planning``."""

import io
import json
import stat
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.unit.planning import build
from tripleo_ui.planning import hot, packages
from tripleo_ui.planning.commands import main
from tripleo_ui.planning.errors import PlanningError

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@pytest.fixture
def run(capsys):
    def go(*arguments):
        code = main([str(each) for each in arguments])
        found = capsys.readouterr()
        return code, found.out, found.err

    return go


def package(folder):
    return {path.relative_to(folder).as_posix(): path.read_text() for path in folder.rglob("*") if path.is_file()}


def refused(result):
    code, out, err = result
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    return err


def test_the_module_runs():
    done = subprocess.run(
        [sys.executable, "-m", "tripleo_ui.planning", "roles"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0
    assert "Controller-1" in done.stdout


@pytest.mark.parametrize("example", sorted(EXAMPLES.glob("*.yaml")), ids=lambda path: path.name)
def test_examples_go_around(run, tmp_path, example):
    code, out, err = run("compose", example, "-o", tmp_path / "one")
    assert (code, out) == (0, "")
    assert err.startswith("note: ")
    assert "AdminPassword" in err
    code, text, err = run("parse", tmp_path / "one")
    assert (code, err) == (0, "")
    (tmp_path / "plan.yaml").write_text(text)
    assert run("compose", tmp_path / "plan.yaml", "-o", tmp_path / "two")[0] == 0
    assert package(tmp_path / "one") == package(tmp_path / "two")
    assert run("validate", example) == (0, "", "")
    given = yaml.safe_load(example.read_text())
    found = yaml.safe_load(text)
    assert [(each["name"], each["count"]) for each in found["roles"]] == [
        (each["name"], each["count"]) for each in given["roles"]
    ]
    assert found["parameters"] == given["parameters"]


def test_the_example_is_one_controller_two_hypervisors_one_for_volumes(run, tmp_path):
    run("compose", EXAMPLES / "overcloud.yaml", "-o", tmp_path)
    plan = hot.parse(packages.read(tmp_path))
    assert {each.name: each.count for each in plan.roles} == {"Controller": 1, "Compute": 2, "BlockStorage": 1}


def test_secrets_are_made_kept_and_never_printed(run, tmp_path):
    one, two, file = tmp_path / "one", tmp_path / "two", tmp_path / "plan.yaml"
    assert run("compose", EXAMPLES / "overcloud.yaml", "-o", one, "--generate-secrets") == (0, "", "")
    environment = one / "environment.yaml"
    assert stat.S_IMODE(environment.stat().st_mode) == 0o600
    secret = yaml.safe_load(environment.read_text())["parameters"]["RabbitPassword"]
    for arguments in (("parse", one), ("parse", one, "--json"), ("validate", one), ("validate", one, "--json")):
        code, out, err = run(*arguments)
        assert code == 0
        assert secret not in out + err
    file.write_text(run("parse", one)[1])
    assert run("compose", file, "-o", two) == (0, "", "")
    assert package(one) == package(two)


def test_secrets_of_another_package_are_taken(run, tmp_path):
    run("compose", EXAMPLES / "overcloud.yaml", "-o", tmp_path / "one", "--generate-secrets")
    more = (EXAMPLES / "overcloud.yaml").read_text().replace("count: 2", "count: 5")
    (tmp_path / "more.yaml").write_text(more)
    result = run("compose", tmp_path / "more.yaml", "-o", tmp_path / "two", "--secrets-from", tmp_path / "one")
    assert result == (0, "", "")
    before, after = package(tmp_path / "one"), package(tmp_path / "two")
    assert {name for name in before if before[name] != after[name]} == {"environment.yaml"}


def test_secrets_that_are_gone_are_named(run, tmp_path):
    run("compose", EXAMPLES / "overcloud.yaml", "-o", tmp_path / "one", "--generate-secrets")
    text = run("parse", tmp_path / "one")[1]
    file = tmp_path / "plan.yaml"
    file.write_text(text.replace(str(tmp_path / "one"), str(tmp_path / "gone")))
    assert f"{tmp_path / 'gone'}: no such file or directory" in refused(run("compose", file, "-o", tmp_path / "two"))
    assert not (tmp_path / "two").exists()


def test_standard_input_is_a_plan(run, tmp_path, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO((EXAMPLES / "overcloud.yaml").read_text()))
    assert run("compose", "-", "-o", tmp_path / "one")[0] == 0
    monkeypatch.setattr("sys.stdin", io.StringIO("name: ["))
    assert refused(run("compose", "-", "-o", tmp_path / "two")).startswith("<stdin>:1: ")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("name: a\nroles:\n- name: [", ":3: "),
        ("name: a\nname: b\n", ":2: the key 'name' is given twice"),
        ("name: a\nroles:\n- name: Nobody\n", ":3: there is no role Nobody"),
        ("\x00", ":1: "),
    ],
)
@pytest.mark.parametrize("command", ["compose", "parse", "validate"])
def test_a_broken_file_is_one_line_with_file_line_and_reason(run, tmp_path, command, text, said):
    file = tmp_path / "broken.yaml"
    file.write_text(text)
    more = ["-o", tmp_path / "out"] if command == "compose" else []
    assert refused(run(command, file, *more)).startswith(f"{file}{said}")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("name", ["plan.yaml", "environment.yaml", "provider-Compute-1.yaml"])
def test_a_broken_package_is_one_line_too(run, tmp_path, name):
    run("compose", EXAMPLES / "overcloud.yaml", "-o", tmp_path)
    (tmp_path / name).write_text((tmp_path / name).read_text() + "\nbroken: [\n")
    message = refused(run("parse", tmp_path))
    assert message.startswith(f"{tmp_path / name}:")
    assert int(message.split(":")[1]) > 5


def test_files_that_cannot_be_read(run, tmp_path):
    assert "no such file" in refused(run("parse", tmp_path / "none"))
    assert "the folder is empty" in refused(run("parse", tmp_path))
    (tmp_path / "x.yaml").write_bytes(b"name: a\nb: \xff\n")
    assert refused(run("parse", tmp_path / "x.yaml")) == f"{tmp_path / 'x.yaml'}:2: not text in UTF-8\n"


def test_a_wrong_command_line_is_one_line(capsys):
    for arguments in ([], ["fly"], ["compose", "x"], ["parse"]):
        with pytest.raises(SystemExit) as caught:
            main(arguments)
        assert caught.value.code == 2
        assert capsys.readouterr().err.count("\n") == 1


def test_problems_are_told_with_step_and_field(run, tmp_path):
    file = tmp_path / "plan.yaml"
    file.write_text("name: a\nroles:\n- {name: Compute, count: 2000}\nparameters: {Debug: true}\n")
    code, out, err = run("validate", file)
    assert (code, err) == (1, "")
    assert f"{file}: error: counts: Compute-1.count: There can be at most 1000 Compute servers." in out
    assert "error: roles: Compute-1.service.hypervisor: Hypervisor needs Compute control: no role has it." in out
    code, out, _err = run("validate", file, "--json")
    assert code == 1
    assert {"level", "step", "field", "message"} == set(json.loads(out)[0])
    code, out, err = run("compose", file, "-o", tmp_path / "out")
    assert (code, out) == (1, "")
    assert "at most 1000" in err
    assert not (tmp_path / "out").exists()


def test_a_package_without_its_secrets_has_problems(run, tmp_path):
    run("compose", EXAMPLES / "overcloud.yaml", "-o", tmp_path)
    code, out, _err = run("validate", tmp_path)
    assert code == 1
    assert "RabbitPassword needs a value" in out


def test_foreign_packages_go_around(run, tmp_path):
    file = tmp_path / "plan.yaml"
    code, text, err = run("parse", build.HANDWRITTEN)
    assert (code, err) == (0, "")
    assert "tops3cret" not in text
    file.write_text(text)
    assert run("compose", file, "-o", tmp_path / "out") == (0, "", "")
    assert package(tmp_path / "out") == build.handwritten()
    file.write_text(text.replace("count: 2", "count: 3"))
    assert run("compose", file, "-o", tmp_path / "more") == (0, "", "")
    assert "web_count: 3" in package(tmp_path / "more")["environment.yaml"]


def test_one_template_is_parsed_with_the_files_that_it_names(run):
    code, out, err = run("parse", build.HANDWRITTEN / "plan.yaml", "--json")
    assert (code, err) == (0, "")
    found = json.loads(out)
    assert found["foreign"]
    assert [(role["name"], role["count"], role["flavor"]) for role in found["roles"]] == [
        ("web", 2, "m1.large"),
        ("Compute", 1, "compute"),
        ("cache", 1, "m1.tiny"),
    ]
    values = {each["name"]: each["value"] for each in found["parameters"]}
    assert values["db_password"] == "********"
    code, out, _err = run("parse", build.HANDWRITTEN / "templates" / "web.yaml", "--json")
    assert [role["name"] for role in json.loads(out)["roles"]] == ["inner"]


def test_lists_for_people_and_programs(run):
    code, out, _err = run("services")
    assert code == 0
    assert "rabbitmq-server or qpid-server" in out
    services = json.loads(run("services", "--json")[1])
    assert services["database"]["elements"] == ["mariadb", "galera", "postgresql"]
    roles = json.loads(run("roles", "--json")[1])
    assert [role["label"] for role in roles][2] == "Block Storage"


def test_an_operators_services(run, tmp_path):
    folder = tmp_path / "services"
    folder.mkdir()
    (folder / "x.yaml").write_text(
        "key: licenses\nlabel: Licenses\ndescription: Counts.\nelements: {license-server: {label: S}}\n"
    )
    assert "license-server" in run("services", "--services", folder)[1]
    other = tmp_path / "broken"
    other.mkdir()
    (other / "y.yaml").write_text("key: [\n")
    assert refused(run("services", "--services", other)).startswith(f"{other / 'y.yaml'}:")


def test_a_folder_with_other_things_is_left_alone(run, tmp_path):
    (tmp_path / "thesis.txt").write_text("work of years")
    message = refused(run("compose", EXAMPLES / "overcloud.yaml", "-o", tmp_path))
    assert "the folder has other files" in message
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


def test_templates_of_roles_that_left_are_removed(run, tmp_path):
    run("compose", EXAMPLES / "high-availability.yaml", "-o", tmp_path)
    (tmp_path / "notes.txt").write_text("mine")
    run("compose", EXAMPLES / "overcloud.yaml", "-o", tmp_path)
    names = {path.name for path in tmp_path.iterdir()}
    assert "provider-ObjectStorage-1.yaml" not in names
    assert {"notes.txt", "provider-Compute-1.yaml"} <= names


@pytest.mark.parametrize("name", ["../x", "/etc/x", "a/../../x"])
def test_a_package_never_leaves_its_folder(tmp_path, name):
    with pytest.raises(PlanningError, match="leads out"):
        packages.write(tmp_path / "out", {name: "x"})
    top = tmp_path / "in" / "plan.yaml"
    top.parent.mkdir()
    (tmp_path / "x").write_text("outside")
    top.write_text(build.template(f"  a:\n    type: X::Y\n    properties: {{a: {{get_file: {name}}}}}\n"))
    assert list(packages.read(top)) == ["plan.yaml"]
