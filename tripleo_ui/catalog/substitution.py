"""Values in the place of references."""

import json
import re
from collections.abc import Mapping
from typing import Any

from tripleo_ui.catalog import jsontext, references

_REMOVED = object()


class NullInList(ValueError):
    """A value that is JSON's null where an item of a list stands; the platform breaks off there."""


def in_text(text: str, values: Mapping[str, str]) -> str:
    """A text with each ``${NAME}``, and a ``${{NAME}}`` that is the whole, replaced by plain text.

    What no parameter is called stays as it is; values are not looked at again.
    """
    whole = references.WHOLE.fullmatch(text)
    if whole:
        return values.get(whole[1], text)
    return references.IN_TEXT.sub(lambda found: values.get(found[1], found[0]), text)


def substitute(data: Any, values: Mapping[str, str]) -> Any:
    """A copy of an object as JSON has it, with values in each text and each key.

    ``${{NAME}}`` as a whole text becomes what its value is as JSON, else text. A null removes its key.

    Raises:
        NullInList: a list would have a null from a value.
    """
    found = _copy(data, values)
    return None if found is _REMOVED else found


def _copy(data: Any, values: Mapping[str, str]) -> Any:
    if isinstance(data, str):
        return _value(data, values)
    if isinstance(data, dict):
        pairs = ((in_text(key, values), _copy(value, values)) for key, value in data.items())
        return {key: value for key, value in pairs if value is not _REMOVED}
    if isinstance(data, list):
        return [_item(_copy(item, values), item) for item in data]
    return data


def _item(value: Any, source: Any) -> Any:
    if value is _REMOVED:
        raise NullInList(f"{source} is null, which an item of a list cannot be")
    return value


def _value(text: str, values: Mapping[str, str]) -> Any:
    if "${" not in text:
        return text
    whole = references.WHOLE.fullmatch(text)
    if whole is None:
        return references.IN_TEXT.sub(lambda found: values.get(found[1], found[0]), text)
    if whole[1] not in values:
        return text
    return typed(values[whole[1]], _REMOVED)


_NUMBER_LIKE = re.compile(r"\s*-?\d")


def typed(text: str, null: Any = None) -> Any:
    """What a value is as JSON, with all digits of its numbers; itself where it is none.

    >>> [typed(each) for each in ("1", " 5 ", "true", "yes", "007", "", '{"a": [1]}', "9223372036854775807")]
    [1, 5, True, 'yes', '007', '', {'a': [1]}, 9223372036854775807]
    """
    if not _NUMBER_LIKE.match(text) and not text.lstrip(" \t\r\n").startswith(("{", "[", '"', "t", "f", "n")):
        return text
    try:
        found = json.loads(text, parse_float=jsontext.number, parse_constant=jsontext.no_constant)
    except (ValueError, RecursionError):
        return text
    return null if found is None else found
