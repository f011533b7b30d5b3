"""Secrets of a plan that Heat would show: an output may carry the value of a hidden parameter."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

import yaml

from tripleo_ui.planning import redact
from tripleo_ui.planning.hot import ENVIRONMENT
from tripleo_ui.planning.parameters import MASK

# Shorter values occur in other words by chance; a hidden "1" says nothing.
_SHORTEST = 3


def mask(outputs: Iterable[tuple[str, Any]], files: Mapping[str, str]) -> list[tuple[str, str]]:
    """Each output as text, masked where it contains a hidden parameter's value.

    Args:
        outputs: names with values of any JSON type.
        files: the plan's files, whose environment holds the values.
    """
    hidden = _values(files)
    return [(name, _text(value, hidden)) for name, value in outputs]


def _values(files):
    environment = yaml.safe_load(files.get(ENVIRONMENT) or "") or {}
    names = redact.hidden_names(files)
    found = {str(value) for name, value in (environment.get("parameters") or {}).items() if name in names}
    return {value for value in found if len(value) >= _SHORTEST}


def _text(value, hidden):
    text = value if isinstance(value, str) else json.dumps(value, indent=2, ensure_ascii=False)
    return MASK if any(secret in text for secret in hidden) else text
