"""Secrets of a plan that Heat would show: an output may carry the value of a hidden parameter."""

import json
from collections.abc import Iterable, Iterator, Mapping
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
        files: the plan's files, whose environment holds the values. Where it cannot be read, every output is masked.
    """
    try:
        hidden = _values(files)
    except yaml.YAMLError:
        return [(name, MASK) for name, _value in outputs]
    return [(name, _text(value, hidden)) for name, value in outputs]


def _values(files):
    names = redact.hidden_names(files)
    environment = yaml.safe_load(files.get(ENVIRONMENT) or "")
    found: set[str] = set()
    for section in ("parameters", "parameter_defaults"):
        given = environment.get(section) if isinstance(environment, Mapping) else None
        for name, value in (given or {}).items():
            if name in names:
                found.update(map(str, _leaves(value)))
    return {value for value in found if len(value) >= _SHORTEST}


def _leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield key
            yield from _leaves(item)
    elif isinstance(value, list):
        for item in value:
            yield from _leaves(item)
    else:
        yield value


def _text(value, hidden):
    if any(secret in str(leaf) for leaf in _leaves(value) for secret in hidden):
        return MASK
    return value if isinstance(value, str) else json.dumps(value, indent=2, ensure_ascii=False)
