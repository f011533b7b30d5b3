"""``python -m tripleo_ui.catalog``."""

import io
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tripleo_ui.catalog import answers, dialog, reading, report, validation
from tripleo_ui.catalog.commands import main
from tripleo_ui.catalog.problems import errors

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples/templates"
CORPUS = os.environ.get("TRIPLEO_UI_CORPUS", "")


@pytest.fixture
def run(capsys):
    def go(*arguments):
        code = main([str(each) for each in arguments])
        found = capsys.readouterr()
        return code, found.out, found.err

    return go


def test_the_module_runs():
    done = subprocess.run(
        [sys.executable, "-m", "tripleo_ui.catalog", "process", EXAMPLES / "hello.yaml", "-p", "GREETING=Good day"],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    assert (done.returncode, done.stderr) == (0, "hello greets with: Good day\n")
    assert "<h1>Good day</h1>" in done.stdout


def test_yaml_and_json_are_the_same_objects(run):
    for path in EXAMPLES.iterdir():
        found = reading.read_file(str(path)).templates[0]
        given = [f"-p{name}=x" for name, each in found.effective.items() if not each.value]
        given += [f"-p{name}=other.example.com" for name in found.effective if name == "HOST"]
        given = [text for text in given if not text.startswith("-pHOST=x")]
        code, out, err = run("process", path, *given, "--json")
        assert (code, "error" in err) == (0, False)
        _code, text, _err = run("process", path, *given)
        [again] = reading.documents.parse(text)[0]
        assert again.data == json.loads(out)


def test_standard_input_is_read(run, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO((EXAMPLES / "hello.yaml").read_text()))
    assert run("process", "-")[0] == 0


def test_problems_are_told_and_objects_printed_where_there_are_any(run):
    code, out, err = run("process", EXAMPLES / "hello.yaml", "-p", "NAME=No Name")
    assert (code, out.count("kind: Service")) == (1, 1)
    assert err.count("the name cannot be used") == 3
    code, out, err = run("process", EXAMPLES / "web-server.yaml")
    assert (code, out) == (1, "")
    assert f"{EXAMPLES}/web-server.yaml:52: error: template.parameters[3]: Required value: parameter HOST is" in err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("process", "nowhere.yaml"), "No such file"),
        (("check", "nowhere.yaml"), "nowhere.yaml: no such file"),
        (("process", EXAMPLES / "hello.yaml", "-p", "x"), "invalid parameter assignment"),
        (("process", EXAMPLES / "hello.yaml", "--param-file", "nowhere"), "No such file"),
        (
            ("process", EXAMPLES / "hello.yaml", "--template", "other"),
            "choose one of its templates with --template: hello",
        ),
        (("process", ROOT / "setup.cfg"), "setup.cfg:"),
    ],
)
def test_what_cannot_be_used_is_one_line_and_2(run, arguments, said):
    code, out, err = run(*arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert said in err


@pytest.mark.parametrize("arguments", [[], ["paint"], ["check"]])
def test_a_wrong_command_line_is_one_line_and_2(arguments, capsys):
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert (caught.value.code, capsys.readouterr().err.count("\n")) == (2, 1)


def test_a_file_of_parameters(run, tmp_path):
    (tmp_path / "params").write_text('# mine\n\nNAME=one\nGREETING="a\\nb"\n')
    code, out, _err = run("process", EXAMPLES / "hello.yaml", "--param-file", tmp_path / "params", "--json")
    items = json.loads(out)["items"]
    assert (code, items[0]["metadata"]["name"], items[0]["data"]["index.html"]) == (0, "one", "<h1>a\nb</h1>")


def test_a_dialog_is_printed(run):
    code, out, _err = run("dialog", EXAMPLES / "database.yaml")
    assert code == 0
    assert "  Password (DB_PASSWORD): secret, generated\n" in out
    code, out, _err = run("dialog", EXAMPLES / "database.yaml", "--json")
    fields = {field["name"]: field for field in json.loads(out)["fields"]}
    assert (fields["VERSION"]["type"], fields["VERSION"]["choices"]) == ("choice", ["15", "16", "17"])
    assert fields["DB_NAME"]["default"] == ""


def test_our_examples_are_fine(run):
    code, out, err = run("check", EXAMPLES, "--json")
    found = json.loads(out)
    assert (code, err) == (0, "13 files, 0 with errors\n")
    assert [entry["file"] for entry in found] == sorted(map(str, EXAMPLES.iterdir()))
    assert all(entry["ok"] and entry["errors"] == entry["warnings"] == [] for entry in found)
    hello = next(entry for entry in found if entry["file"].endswith("hello.yaml"))
    assert (hello["parameters"], hello["objects"]) == (2, 3)


def test_a_check_has_an_entry_for_each_file(run, tmp_path):
    (tmp_path / "good.yaml").write_text("kind: Template\nobjects: [{kind: A, apiVersion: a/v1, metadata: {name: a}}]\n")
    (tmp_path / "odd.yml").write_text("kind: Template\nobjects: []\nparameters: [{name: P, value: 1}]\n")
    (tmp_path / "bad.json").write_text("{")
    (tmp_path / "other.yaml").write_text("kind: Service\n")
    (tmp_path / "notes.txt").write_text("kind: Template\n")
    code, out, err = run("check", tmp_path, "--json")
    found = {Path(entry["file"]).name: entry for entry in json.loads(out)}
    assert {name: entry["ok"] for name, entry in found.items()} == {
        "bad.json": False,
        "good.yaml": True,
        "odd.yml": True,
    }
    assert (code, "other.yaml: no template, passed over" in err) == (1, True)
    assert [(each["parameter"], each["line"]) for each in found["odd.yml"]["warnings"]] == [("P", 3), ("", 2)]
    code, out, _err = run("check", tmp_path / "other.yaml")
    assert code == 1
    assert "not a valid Template but Service" in out


ODD = st.one_of(st.none(), st.booleans(), st.integers(), st.just(""), st.sampled_from(["${P}", "${{P}}", "v1", "Pod"]))
WORDS = st.sampled_from(
    [
        "kind",
        "apiVersion",
        "metadata",
        "name",
        "namespace",
        "labels",
        "from",
        "value",
        "required",
        "generate",
        "spec",
        "P",
    ]
)
TREES = st.recursive(
    ODD, lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(WORDS, inner, max_size=5))
)
FIELDS = {"metadata": TREES, "objects": TREES, "parameters": TREES, "labels": TREES, "message": TREES}


@given(st.fixed_dictionaries({"kind": st.just("Template")}, optional=FIELDS))
def test_no_template_is_so_odd_that_it_raises(data):
    found = reading.read(json.dumps(data), "t.json")
    for template in found.templates:
        described = dialog.build(template)
        answers.parameters(described, dict.fromkeys(described.by_name, "x"))
        assert all(map(str, validation.validate(template, report.placeholders(template)).problems))
    assert bool(found.templates) is not bool(errors(found.problems))


@pytest.mark.skipif(not CORPUS, reason="optional: TRIPLEO_UI_CORPUS names no folder")
def test_the_whole_corpus_is_checked_in_time(run):
    folder = Path(CORPUS, "corpus/openshift")
    started = time.monotonic()
    code, out, _err = run("check", folder, "--json")
    assert time.monotonic() - started < 20
    found = {entry["file"]: entry for entry in json.loads(out)}
    listed = [str(folder / each["file"]) for each in json.loads((folder / "manifest.json").read_text())]
    assert sorted(found) == sorted(listed)
    assert code == 1
    assert sorted(Path(file).name for file, entry in found.items() if not entry["ok"]) == [
        "console-extensions.json",
        "template.yaml",
    ]
    integers = [each for entry in found.values() for each in entry["warnings"] if "is a number" in each["message"]]
    assert len(integers) == 21
    assert all(each["file"] and each["parameter"] and each["line"] for each in integers)
