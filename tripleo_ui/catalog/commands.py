"""Templates on the command line, offline.

Exit codes: 0 all is well, 1 there are errors, 2 a file or the command line cannot be used (one line says why).
"""

import argparse
import json
import re
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NoReturn

from tripleo_ui.catalog import dialog, paramfile, reading, references, report, validation, yamltext
from tripleo_ui.catalog.fields import Dialog
from tripleo_ui.catalog.problems import Problem, errors
from tripleo_ui.catalog.template import Template

_LABEL = re.compile(r"[^\s=,]+=[A-Za-z0-9]?(?:[\w.-]*[A-Za-z0-9])?")


class _Unusable(ValueError):
    """A file or an argument that cannot be used."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; answers its exit code."""
    options = _parser().parse_args(arguments)
    try:
        result: int = options.run(options)
    except (_Unusable, OSError) as error:
        _say(" ".join(str(error).split()))
        return 2
    except BrokenPipeError:
        sys.stderr.close()
        return 0
    return result


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message}\n")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="python -m tripleo_ui.catalog", description="Templates of services, offline.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    process = commands.add_parser("process", help="print a template's objects as a List", description=_PROCESS)
    process.add_argument("-p", "--param", action="append", default=[], metavar="NAME=VALUE", help="a parameter's value")
    process.add_argument(
        "--param-file", action="append", default=[], metavar="FILE", help="lines of NAME=VALUE; - reads standard input"
    )
    process.add_argument("-l", "--labels", metavar="KEY=VALUE,…", help="more labels for every object")
    process.add_argument(
        "--ignore-unknown-parameters", action="store_true", help="values of other parameters are no error"
    )
    process.add_argument("--kubernetes", default="", metavar="VERSION", help="check objects for this version")
    process.set_defaults(run=_process)

    show = commands.add_parser("dialog", help="print the dialog that a template makes")
    show.set_defaults(run=_dialog)
    for command in (process, show):
        command.add_argument("file", metavar="FILE", help="a template, as JSON or YAML; - reads standard input")
        command.add_argument("--template", default="", metavar="NAME", help="which one, when there are several")

    check = commands.add_parser("check", help="say what is wrong with templates", description=_CHECK)
    check.add_argument("paths", nargs="+", metavar="FILE_OR_DIR", help="a file, or a folder with .json, .yaml and .yml")
    check.set_defaults(run=_check)
    for command in (process, show, check):
        command.add_argument("--json", action="store_true", help="print JSON for programs")
    return parser


_PROCESS = """\
Processes a template as the platform would and prints the objects, ready for kubectl. Values that are generated are in
them in clear. Problems and the template's message go to standard error. A value in a file is not seen by others; one
on the command line is."""
_CHECK = """\
Reads templates and processes each with its defaults and with placeholders where a value must be given. A folder's files
that hold no template are passed over."""


def _process(options: argparse.Namespace) -> int:
    template = _one_template(options)
    answers = _answers(options)
    if options.ignore_unknown_parameters:
        answers = {name: value for name, value in answers.items() if name in template.effective}
    labels = _labels(options.labels)
    if labels:
        template = report.with_labels(template, labels)
    verdict = validation.validate(template, answers, kubernetes=options.kubernetes)
    _report((*template.warnings, *verdict.problems))
    if not verdict.processed.ok:
        return 1
    if verdict.processed.message:
        _say(verdict.processed.message)
    objects = {"apiVersion": "v1", "kind": "List", "items": list(verdict.processed.objects)}
    if options.json:
        _print_json(objects)
    else:
        _print(yamltext.dump(objects), end="")
    return 0 if verdict.ok else 1


def _dialog(options: argparse.Namespace) -> int:
    template = _one_template(options)
    _report(template.warnings)
    found = dialog.build(template)
    if options.json:
        _print_json(report.described(found))
    else:
        _print_dialog(found)
    return 0


def _print_dialog(found: Dialog) -> None:
    for group, fields in found.grouped():
        _print(group.label)
        for field in fields:
            marks = [field.type, *(["required"] if field.required else []), *(["generated"] if field.generated else [])]
            default = f" [{field.default}]" if field.default and not field.multiline else ""
            _print(f"  {field.label} ({field.name}): {', '.join(marks)}{default}")
            for line in (*field.help.splitlines(), *(limit.reason for limit in field.limits)):
                _print(f"      {line}")


def _check(options: argparse.Namespace) -> int:
    entries = list(report.check(_files(options.paths), skipped=lambda file: _say(f"{file}: no template, passed over")))
    if options.json:
        _print_json([entry.data() for entry in entries])
    else:
        for entry in entries:
            _report((*entry.errors, *entry.warnings), sys.stdout)
    wrong = sum(not entry.ok for entry in entries)
    _say(f"{len(entries)} files, {wrong} with errors")
    return 1 if wrong else 0


def _files(paths: Iterable[str]) -> list[tuple[str, bool]]:
    """(file, whether it was named itself)."""
    found: list[tuple[str, bool]] = []
    for name in paths:
        path = Path(name)
        if path.is_dir():
            inside = sorted(each for each in path.rglob("*") if each.suffix in {".json", ".yaml", ".yml"})
            found += [(str(each), False) for each in inside if each.is_file()]
        elif path.exists():
            found.append((name, True))
        else:
            raise _Unusable(f"{name}: no such file")
    return found


def _one_template(options: argparse.Namespace) -> Template:
    found = reading.read(sys.stdin.read(), "<stdin>") if options.file == "-" else reading.read_file(options.file)
    wrong = errors(found.problems)
    if wrong:
        _report(wrong[1:])
        raise _Unusable(str(wrong[0]))
    fits = [template for template in found.templates if options.template in {"", template.name}]
    if len(fits) != 1:
        names = ", ".join(template.name or "without a name" for template in found.templates)
        raise _Unusable(f"{found.file}: choose one of its templates with --template: {names}")
    return fits[0]


def _answers(options: argparse.Namespace) -> dict[str, str]:
    try:
        from_files = paramfile.read_all(options.param_file)
        given = paramfile.assignments(options.param)
    except ValueError as error:
        raise _Unusable(str(error)) from None
    for name in from_files.keys() & given.keys():
        _say(f"warning: {name} is given with -p, so its value from the file is not used")
    return {**from_files, **given}


def _labels(text: str | None) -> dict[str, str]:
    parts = text.split(",") if text else []
    for part in parts:
        if not _LABEL.fullmatch(part) or references.names(part):
            raise _Unusable(f"error parsing labels: {part} is not KEY=VALUE")
    return dict(part.split("=", 1) for part in parts)


def _report(problems: Iterable[Problem], stream: Any = None) -> None:
    for problem in problems:
        print(problem, file=stream or sys.stderr)


def _print_json(value: Any) -> None:
    _print(json.dumps(value, indent=2, ensure_ascii=False))


def _print(text: str, end: str = "\n") -> None:
    print(text, end=end)  # noqa: T201 - a command's output


def _say(text: str) -> None:
    print(text, file=sys.stderr)  # noqa: T201 - a command's output
