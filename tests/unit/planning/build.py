"""Plans and packages that the tests of planning share."""

import os
from dataclasses import replace
from pathlib import Path

from tripleo_ui.planning import packages, secret_values
from tripleo_ui.planning.plan import Plan, PlanRole
from tripleo_ui.planning.roles import Role, default_role

HANDWRITTEN = Path(__file__).parent / "handwritten"
CORPUS = os.environ.get("TRIPLEO_UI_CORPUS", "")


def role(name: str, **changes) -> Role:
    found = default_role(name)
    assert found is not None
    return replace(found, **changes)


def plan_role(name: str, count: int = 1, **changes) -> PlanRole:
    found = role(name, **changes)
    return PlanRole(found, count, found.flavor, found.image)


def plan(name: str = "overcloud", secrets: bool = True, **counts: int) -> Plan:
    """A plan of default roles; by default one controller and two hypervisors, with its secrets."""
    counts = counts or {"Controller": 1, "Compute": 2}
    made = Plan(name, "A test.", tuple(plan_role(each, count) for each, count in counts.items()))
    return secret_values.generate(made) if secrets else made


def handwritten() -> dict[str, str]:
    return packages.read(HANDWRITTEN)


def template(resources: str = "", parameters: str = "", version: str = "2021-04-16") -> str:
    """A small HOT template; both sections come as YAML, indented by two."""
    parts = [f"heat_template_version: {version}\n"]
    if parameters:
        parts.append(f"parameters:\n{parameters}")
    parts.append(f"resources:\n{resources}" if resources else "resources: {}\n")
    return "".join(parts)
