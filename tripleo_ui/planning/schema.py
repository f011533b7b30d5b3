"""Checks data files against the JSON schemas of this package, with the line of what is wrong."""

import functools
import json
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError, best_match

from tripleo_ui.planning.yamlio import Document

_FOLDER = Path(__file__).parent / "data" / "schemas"


@functools.cache
def _validator(name: str) -> Draft202012Validator:
    return Draft202012Validator(json.loads((_FOLDER / f"{name}.json").read_text(encoding="utf-8")))


def check(document: Document, name: str) -> None:
    """Check a document against the schema ``data/schemas/<name>.json``.

    Raises:
        PlanningError: it breaks the schema; names the part and its line.
    """
    error = best_match(_validator(name).iter_errors(document.data))
    if error is not None:
        path = tuple(error.absolute_path)
        unknown = _unknown(error)
        raise document.error(_reason(error, path, unknown), (*path, *unknown[:1]))


def _unknown(error: ValidationError) -> list[str]:
    """The keys that a mapping may not have."""
    if error.validator != "additionalProperties" or not isinstance(error.instance, dict):
        return []
    rule: Any = error.schema if isinstance(error.schema, dict) else {}
    return [str(key) for key in error.instance if key not in rule.get("properties", {})]


def _reason(error: ValidationError, path: tuple[Any, ...], unknown: list[str]) -> str:
    place = ".".join(map(str, path))
    rule: Any = error.schema if isinstance(error.schema, dict) else {}
    said = str(rule.get("x-reason", ""))
    if unknown:
        reason = f"unknown: {', '.join(unknown)}"
    elif error.validator == "required":
        reason = str(error.message).replace("'", "").replace("is a required property", "is missing")
    elif error.validator in {"type", "enum", "minimum", "maximum"} and not isinstance(error.instance, dict | list):
        reason = str(error.message)
    else:
        reason = f"not as it should be ({error.validator}: {error.validator_value})"
    reason = said or reason
    return f"{place}: {reason}" if place else reason
