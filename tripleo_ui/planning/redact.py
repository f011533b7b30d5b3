"""A package without its secrets, for eyes and logs."""

from collections.abc import Mapping
from typing import Any

from tripleo_ui.planning import yamlio
from tripleo_ui.planning.errors import PlanningError
from tripleo_ui.planning.hot.layout import ENVIRONMENT
from tripleo_ui.planning.parameters import MASK


def hidden_names(files: Mapping[str, str]) -> set[str]:
    """The parameters that any template of the package hides, and those that its environment encrypts."""
    names: set[str] = set()
    for name, text in files.items():
        if name.endswith((".yaml", ".yml", ".template")):
            template = _mapping(text, name)
            for parameter, schema in _section(template, "parameters").items():
                if isinstance(schema, Mapping) and schema.get("hidden") in {True, "true", "True"}:
                    names.add(parameter)
            names.update(template.get("encrypted_param_names") or ())
    return names


def files(package: Mapping[str, str]) -> dict[str, str]:
    """The package with the values and defaults of hidden parameters masked; files without any are as they were."""
    names = hidden_names(package)
    short = names | {name.rpartition("::")[2] for name in names}
    return {name: _masked(name, text, short | names) for name, text in package.items()}


def _masked(name: str, text: str, names: set[str]) -> str:
    if not name.endswith((".yaml", ".yml", ".template")):
        return text
    value = _mapping(text, name)
    changed = False
    for section in ("parameters", "parameter_defaults"):
        for parameter, given in _section(value, section).items():
            if isinstance(given, dict) and name != ENVIRONMENT:
                if given.get("hidden") in {True, "true", "True"} and given.get("default") not in (None, ""):
                    given["default"] = MASK
                    changed = True
            elif parameter in names and given not in (None, ""):
                value[section][parameter] = MASK
                changed = True
    return yamlio.dump(value) if changed else text


def _mapping(text: str, name: str) -> dict[str, Any]:
    try:
        value = yamlio.value(text, name)
    except PlanningError:
        return {}
    return value if isinstance(value, dict) else {}


def _section(value: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = value.get(name)
    return found if isinstance(found, Mapping) else {}
