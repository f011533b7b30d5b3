"""Plans on the command line, offline: ``python -m tripleo_ui.planning``.

Exit codes: 0 all is well, 1 the plan has problems (``validate``), 2 a file cannot be used.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

from tripleo_ui.planning import checks, hot, planfile, secret_values, services
from tripleo_ui.planning.errors import PlanningError
from tripleo_ui.planning.parameters import MASK
from tripleo_ui.planning.plan import Plan, parameters
from tripleo_ui.planning.roles import default_roles


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; answers its exit code."""
    options = _parser().parse_args(arguments)
    try:
        result: int = options.run(options)
    except PlanningError as error:
        print(error, file=sys.stderr)  # noqa: T201
        return 2
    return result


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message}\n")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="python -m tripleo_ui.planning", description="Plans to and from Heat templates.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    compose = commands.add_parser(
        "compose",
        help="write a plan's templates",
        description="Write the template set of a plan. Secrets are not in a plan's file: those that the folder, or "
        "--secrets-from, has already are kept, and missing ones are generated.",
    )
    compose.add_argument("plan", type=Path, metavar="PLAN.yaml")
    compose.add_argument("-o", "--output", type=Path, required=True, metavar="DIR")
    compose.add_argument("--secrets-from", type=Path, metavar="DIR", help="take secrets from this package")
    compose.set_defaults(run=_compose)

    parse = commands.add_parser("parse", help="print the plan of a template set, without its secrets")
    parse.set_defaults(run=_parse)
    validate = commands.add_parser("validate", help="say what is wrong with a plan")
    validate.set_defaults(run=_validate)
    for command in (parse, validate):
        command.add_argument("source", type=Path, metavar="DIR_OR_FILE")
    roles = commands.add_parser("roles", help="list the default roles")
    roles.set_defaults(run=_roles)
    known = commands.add_parser("services", help="list the cloud services and their elements")
    known.add_argument("--path", action="append", default=[], metavar="DIR", help="one more folder of services")
    known.set_defaults(run=_services)
    for command in (parse, validate, roles, known):
        command.add_argument("--json", action="store_true", help="print JSON")
    return parser


def _compose(options: argparse.Namespace) -> int:
    plan = planfile.load(_text(options.plan), str(options.plan))
    for folder in (options.secrets_from, options.output):
        if folder is not None and (folder / hot.MASTER).is_file():
            plan = secret_values.kept(plan, hot.parse(_package(folder)))
    for name, text in hot.compose(secret_values.generate(plan)).items():
        target = options.output / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
        if name == hot.ENVIRONMENT:
            target.chmod(0o600)
    return 0


def _parse(options: argparse.Namespace) -> int:
    plan = _plan(options.source)
    if options.json:
        _print_json(_described(plan))
    else:
        sys.stdout.write(planfile.dump(plan))
    return 0


def _validate(options: argparse.Namespace) -> int:
    plan = _plan(options.source)
    if options.source.is_file():
        plan = secret_values.generate(plan)  # A plan's file never has them; composing makes them.
    problems = checks.check(plan)
    if options.json:
        _print_json([vars(problem) for problem in problems])
    else:
        for problem in problems:
            print(f"{options.source}: {problem.level}: {problem.message}")  # noqa: T201
    return 1 if checks.has_errors(problems) else 0


def _roles(options: argparse.Namespace) -> int:
    found = default_roles()
    if options.json:
        _print_json(
            [
                {
                    "name": role.name,
                    "version": role.version,
                    "label": role.title,
                    "description": role.description,
                    "services": {choice.service: choice.element for choice in role.services},
                }
                for role in found
            ]
        )
        return 0
    for role in found:
        print(f"{role.namespace:18} {role.description}")  # noqa: T201
        print(f"{'':18} {', '.join(choice.element for choice in role.services)}")  # noqa: T201
    return 0


def _services(options: argparse.Namespace) -> int:
    found = services.registry(options.path).services
    if options.json:
        _print_json({key: [element.key for element in service.elements] for key, service in found.items()})
        return 0
    for service in found.values():
        print(f"{service.key:18} {service.description}")  # noqa: T201
        print(f"{'':18} {' or '.join(element.key for element in service.elements)}")  # noqa: T201
    return 0


def _plan(source: Path) -> Plan:
    if source.is_dir():
        return hot.parse(_package(source))
    text = _text(source)
    try:
        return planfile.load(text, str(source))
    except PlanningError:
        if "heat_template_version" not in text:
            raise
    return hot.parse(_package(source.parent) | {hot.MASTER: text} if source.name == hot.MASTER else {hot.MASTER: text})


def _package(folder: Path) -> dict[str, str]:
    return {str(path.relative_to(folder)): _text(path) for path in sorted(folder.rglob("*")) if path.is_file()}


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise PlanningError(error.strerror or str(error), str(path)) from error
    except UnicodeDecodeError as error:
        raise PlanningError("it is not text in UTF-8", str(path)) from error


def _described(plan: Plan) -> dict[str, Any]:
    return {
        "name": plan.name,
        "description": plan.description,
        "foreign": plan.foreign,
        "roles": [
            {
                "name": each.name,
                "version": each.role.version,
                "count": each.count,
                "flavor": each.flavor,
                "image": each.image,
                "services": {choice.service: choice.element for choice in each.role.services},
            }
            for each in plan.roles
        ],
        "parameters": [
            {
                "name": parameter.name,
                "type": parameter.type,
                "hidden": parameter.hidden,
                "required": parameter.required,
                "value": MASK if parameter.hidden and not parameter.missing else parameter.effective,
            }
            for parameter in parameters(plan)
        ],
    }


def _print_json(value: Any) -> None:
    json.dump(value, sys.stdout, indent=2, ensure_ascii=False, default=str)
    sys.stdout.write("\n")


if __name__ == "__main__":
    sys.exit(main())
