"""Plans to templates and back, beside plain YAML of the same size as a yardstick."""

import yaml

from benchmarks.timing import median
from tripleo_ui.planning import checks, hot, secret_values
from tripleo_ui.planning.plan import Plan, PlanRole, parameters
from tripleo_ui.planning.roles import default_roles


def whole_plan():
    """A plan with every default role that goes together."""
    roles = [role for role in default_roles() if role.name != "AllInOne"]
    chosen = tuple(PlanRole(role, 3 if role.name == "Controller" else 1, role.flavor, role.image) for role in roles)
    return secret_values.generate(Plan(name="bench", description="", roles=chosen))


def measure():
    """Seconds for compose, parse and check, and their ratio to loading the files' YAML."""
    plan = whole_plan()
    files = hot.compose(plan)
    yardstick = median(lambda: [yaml.load(text, yaml.CSafeLoader) for text in files.values()])
    found = {
        "compose": median(lambda: hot.compose(plan)),
        "parse": median(lambda: hot.parse(files)),
        "check": median(lambda: checks.check(plan)),
    }
    return {
        "parameters": len(parameters(plan)),
        "bytes": sum(map(len, files.values())),
        "plain_yaml_load_seconds": yardstick,
        **{f"{name}_seconds": seconds for name, seconds in found.items()},
        **{f"{name}_to_plain_yaml": round(seconds / yardstick, 2) for name, seconds in found.items()},
    }
