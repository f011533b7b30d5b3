"""Plans on the command line, offline.

Exit codes: 0 all is well, 1 the plan has problems, 2 a file or the command line cannot be used (one line says why).
"""

import argparse
import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NoReturn

from tripleo_ui.planning import checks, hot, packages, planfile, secret_values
from tripleo_ui.planning.checks import Problem
from tripleo_ui.planning.errors import PlanningError
from tripleo_ui.planning.parameters import MASK
from tripleo_ui.planning.plan import Plan, parameters
from tripleo_ui.planning.roles import default_roles
from tripleo_ui.planning.services import Registry, registry

_SECRETS = """\
Values of hidden parameters are never printed and never in a plan's file: parse writes {hidden: true} in their place,
with the folder of the package that has them, where compose finds them again. A value that is nowhere is left out of
environment.yaml, and compose says so, unless it is told to make one."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; answers its exit code."""
    options = _parser().parse_args(arguments)
    try:
        result: int = options.run(options, registry(options.services or ()))
    except (PlanningError, ValueError) as error:
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
    parser = _Parser(prog="python -m tripleo_ui.planning", description="Plans to Heat templates and back, offline.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    compose = commands.add_parser("compose", help="write a plan's package of templates", description=_SECRETS)
    compose.add_argument("plan", metavar="PLAN.yaml", help="a plan; - reads standard input")
    compose.add_argument("-o", "--output", type=Path, required=True, metavar="DIR", help="folder of the package")
    compose.add_argument("--secrets-from", metavar="DIR", help="package to take hidden values from")
    compose.add_argument("--generate-secrets", action="store_true", help="make hidden values that are missing")
    compose.set_defaults(run=_compose)

    parse = commands.add_parser("parse", help="print the plan that a package holds", description=_SECRETS)
    parse.set_defaults(run=_parse)
    validate = commands.add_parser("validate", help="say what is wrong with a plan or a package")
    validate.set_defaults(run=_validate)
    for command in (parse, validate):
        command.add_argument("source", metavar="DIR_OR_FILE", help="a package's folder, a template, or a plan's file")
    commands.add_parser("roles", help="list the default roles").set_defaults(run=_roles)
    commands.add_parser("services", help="list the cloud services and their elements").set_defaults(run=_services)
    for name, command in commands.choices.items():
        command.add_argument(
            "--services", action="append", metavar="DIR", help="folder with an operator's cloud services"
        )
        if name != "compose":
            command.add_argument("--json", action="store_true", help="print JSON for programs")
    return parser


def _compose(options: argparse.Namespace, services: Registry) -> int:
    earlier = _parsed(options.secrets_from, services) if options.secrets_from else None
    keep_missing = earlier is not None or options.generate_secrets
    plan = _load(options.plan, services, keep_missing=keep_missing)
    if earlier is not None:
        plan = secret_values.kept(plan, earlier, services)
    if options.generate_secrets:
        plan = secret_values.generate(plan, services)
    missing = secret_values.missing(plan, services)
    problems = _new_problems(plan, services, {each.name for each in missing})
    if checks.has_errors(problems):
        _report(options.plan, problems)
        return 1
    packages.write(options.output, hot.compose(plan, services))
    if missing:
        names = ", ".join(each.name for each in missing)
        _say(f"note: {len(missing)} hidden parameters have no value yet; --generate-secrets makes them: {names}")
    return 0


def _new_problems(plan: Plan, services: Registry, missing: Iterable[str]) -> list[Problem]:
    """Problems but for missing hidden values, and for those that a package of others came with."""
    known = set(checks.check(hot.parse(plan.files, services), services)) if plan.foreign else set()
    missing = set(missing)
    found = (problem for problem in checks.check(plan, services) if problem not in known)
    return [problem for problem in found if problem.step != "parameters" or problem.field not in missing]


def _parse(options: argparse.Namespace, services: Registry) -> int:
    source = Path(options.source)
    plan, is_file = _plan(options.source, services)
    if options.json:
        _print_json(_described(plan, services))
    else:
        sys.stdout.write(planfile.dump(plan, "" if is_file else str(source.resolve()), services))
    return 0


def _validate(options: argparse.Namespace, services: Registry) -> int:
    plan, is_file = _plan(options.source, services)
    problems = list(checks.check(plan, services))
    if is_file:  # Secrets are not in a plan's file; they come when it is composed.
        missing = {each.name for each in secret_values.missing(plan, services)}
        problems = [each for each in problems if each.step != "parameters" or each.field not in missing]
    if options.json:
        _print_json([vars(problem) for problem in problems])
    else:
        _report(options.source, problems, sys.stdout)
    return 1 if checks.has_errors(problems) else 0


def _roles(options: argparse.Namespace, _services: Registry) -> int:
    if options.json:
        _print_json([{**_role(role), "label": role.title, "max_count": role.max_count} for role in default_roles()])
        return 0
    for role in default_roles():
        _print(f"{role.namespace:16} {role.description}")
        _print(f"{'':16} {', '.join(choice.element for choice in role.services)}")
    return 0


def _services(options: argparse.Namespace, services: Registry) -> int:
    if options.json:
        _print_json(
            {
                service.key: {
                    "label": service.label,
                    "description": service.description,
                    "multiple": service.multiple,
                    "requires": service.requires,
                    "elements": [element.key for element in service.elements],
                }
                for service in services
            }
        )
        return 0
    for service in services:
        _print(f"{service.key:16} {service.description}")
        _print(f"{'':16} {' or '.join(element.key for element in service.elements)}")
    return 0


def _plan(source: str, services: Registry) -> tuple[Plan, bool]:
    """The plan of a folder, a template or a plan's file; whether it was the last."""
    path = Path(source)
    if source != "-" and not path.is_dir():
        text = packages.read_text(path)
        if "heat_template_version" not in text:
            return _load(source, services, keep_missing=True), True
    elif source == "-":
        return _load(source, services, keep_missing=True), True
    return _parsed(source, services), False


def _load(source: str, services: Registry, *, keep_missing: bool) -> Plan:
    text, name = (sys.stdin.read(), "<stdin>") if source == "-" else (packages.read_text(Path(source)), source)
    return planfile.load(text, name, services=services, read_package=packages.read, keep_missing=keep_missing)


def _parsed(source: str, services: Registry) -> Plan:
    """The plan of a package; errors name files as a person reaches them from here."""
    files = packages.read(source)
    try:
        return hot.parse(files, services)
    except PlanningError as error:
        path = Path(source)
        folder = path if path.is_dir() else path.parent
        file = str(folder / error.file) if error.file in files else error.file or source
        raise PlanningError(error.reason, file, error.line) from None


def _role(role: Any) -> dict[str, Any]:
    services = {choice.service: choice.element for choice in role.services}
    return {"name": role.name, "version": role.version, "description": role.description, "services": services}


def _described(plan: Plan, services: Registry) -> dict[str, Any]:
    roles = [
        {**_role(each.role), "group": plan.group(each), "count": each.count, "flavor": each.flavor, "image": each.image}
        for each in plan.roles
    ]
    found = [
        {
            "name": each.name,
            "type": each.type,
            "role": each.role,
            "hidden": each.hidden,
            "required": each.required,
            "given": each.given,
            "value": MASK if each.hidden and not each.missing else each.effective,
        }
        for each in parameters(plan, services)
    ]
    head = {"name": plan.name, "description": plan.description, "foreign": plan.foreign}
    return {**head, "roles": roles, "parameters": found}


def _report(source: str, problems: Iterable[Problem], stream: Any = None) -> None:
    for problem in problems:
        text = f"{source}: {problem.level}: {problem.step}: {problem.field}: {problem.message}"
        print(text, file=stream or sys.stderr)


def _print_json(value: Any) -> None:
    _print(json.dumps(value, indent=2, ensure_ascii=False, default=str))


def _print(text: str) -> None:
    print(text)  # noqa: T201 - a command's output


def _say(text: str) -> None:
    print(text, file=sys.stderr)  # noqa: T201 - a command's output
