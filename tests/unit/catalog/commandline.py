"""Cases of the platform's command: what ours does with the same arguments."""

import json

from tripleo_ui.catalog.commands import main

TEMPLATE = """\
apiVersion: template.openshift.io/v1
kind: Template
metadata: {name: t}
objects:
- apiVersion: v1
  kind: ConfigMap
  metadata: {name: a}
  data: {required: "${required_param}", optional: "${optional_param}"}
- {apiVersion: v1, kind: ConfigMap, metadata: {name: b}}
- {apiVersion: example.com/v1, kind: Numbers, metadata: {name: c}, spec: [1000030003, 2147483647, 9223372036854775807]}
parameters:
- {name: required_param, required: true}
- {name: optional_param}
"""
_GIVEN = ("-p", "required_param=someval")
CLI = {
    "cli-0": ((), 1, None),
    "cli-1": (_GIVEN, 0, "someval"),
    "cli-2": (("-p", "required_param=someval=moreval"), 0, "someval=moreval"),
    "cli-3": (("-p", "required_param=my,1%pa=s"), 0, "my,1%pa=s"),
    "cli-4": ((*_GIVEN, "-p", "other_param=x"), 1, None),
    "cli-5": ((*_GIVEN, "-p", "other_param=x", "--ignore-unknown-parameters"), 0, "someval"),
    "cli-6": ((*_GIVEN, "-p", "optional_param"), 2, None),
    "cli-7": ((*_GIVEN, "-p", "key=1", "-p", "key=1"), 2, None),
    "cli-8": (("-p", "key=1", "-p", "key=1", "-p", "other=1", "-p", "other=1"), 2, None),
    "cli-9": ((*_GIVEN, "-l", "====="), 2, None),
    "cli-10": (_GIVEN, 2, None),
    "cli-11": (("--param-file", "params", *_GIVEN), 0, "someval"),
    "cli-12": (("--param-file", "/dev/null"), 1, None),
    "cli-13": (("--param-file", "params"), 2, None),
    "cli-14": (("--param-file", "params"), 2, None),
    "cli-15": (("-p", "required_param=one\ntwo"), 0, "one\ntwo"),
    "cli-16": (("-p", "optional_param=a,required_param=b"), 1, None),
    "cli-17": (_GIVEN, 0, "someval"),
    "cli-18": ((*_GIVEN, "-l", "app=guestbook"), 0, "someval"),
}
PARAM_FILES = {"cli-11": "required_param=file\n", "cli-13": "x%(o=bar\n", "cli-14": "S P A C E S=test\n"}


def on_the_command_line(case, tmp_path, capsys):
    arguments, code, value = CLI[case["id"]]
    file = tmp_path / "template.yaml"
    file.write_text(TEMPLATE.replace("kind: Template", "kind: Service") if case["id"] == "cli-10" else TEMPLATE)
    params_file = tmp_path / "params"
    params_file.write_text(PARAM_FILES.get(case["id"], ""))
    named = [str(params_file) if each == "params" else each for each in arguments]
    assert main(["process", str(file), *named, "--json"]) == code
    out, err = capsys.readouterr()
    assert case["expected"].get("error_contains", "") in err
    if case["id"] == "cli-11":
        assert "its value from the file is not used" in err
    if code:
        assert out == ""
    else:
        items = json.loads(out)["items"]
        assert items[0]["data"]["required"] == value
        assert items[2]["spec"] == [1000030003, 2147483647, 9223372036854775807]
        labels = [item["metadata"].get("labels") for item in items]
        assert labels == [{"app": "guestbook"} if case["id"] == "cli-18" else None] * 3
