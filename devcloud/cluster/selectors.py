"""Label and field selectors."""

import re
from collections.abc import Callable, Mapping

from devcloud.cluster import errors

Match = Callable[[Mapping[str, str]], bool]

_PART = re.compile(r",(?![^(]*\))")
_SET = re.compile(r"(\S+)\s+(in|notin)\s*\(([^)]*)\)\Z")
_EQUAL = re.compile(r"([^=!\s]+)\s*(==|=|!=)\s*([^=!\s]*)\Z")
_NAME = re.compile(r"(!?)\s*([^=!\s(),]+)\Z")


def labels(text: str | None) -> Match:
    """Return a predicate of labels: ``a=b,c!=d,e in (f,g),!h,i``.

    Raises:
        ApiError: 400, the selector cannot be read.
    """
    return _all([_requirement(part.strip()) for part in _PART.split(text or "") if part.strip()])


def fields(text: str | None, known: Mapping[str, str] | None = None) -> Match:
    """Return a predicate of selectable fields: ``metadata.name=a,status.phase!=Running``.

    Args:
        text: the selector.
        known: fields that the kind has; None accepts any.

    Raises:
        ApiError: 400, the selector cannot be read or names a field that cannot be selected by.
    """
    parts = [part.strip() for part in (text or "").split(",") if part.strip()]
    found = []
    for part in parts:
        match = _EQUAL.match(part)
        if not match:
            raise errors.bad_request(f'invalid field selector: "{part}"')
        if known is not None and match[1] not in known:
            raise errors.bad_request(f'field label not supported: "{match[1]}"')
        found.append(_equal(match))
    return _all(found)


def _all(requirements: list[Match]) -> Match:
    return lambda values: all(requirement(values) for requirement in requirements)


def _requirement(text: str) -> Match:
    if match := _SET.match(text):
        name, wanted = match[1], {value.strip() for value in match[3].split(",")}
        if match[2] == "in":
            return lambda values: values.get(name) in wanted
        return lambda values: values.get(name) not in wanted
    if match := _EQUAL.match(text):
        return _equal(match)
    if match := _NAME.match(text):
        absent, name = bool(match[1]), match[2]
        return lambda values: (name in values) != absent
    raise errors.bad_request(f'unable to parse requirement: "{text}"')


def _equal(match: re.Match[str]) -> Match:
    name, operator, wanted = match.groups()
    if operator == "!=":
        return lambda values: values.get(name) != wanted
    return lambda values: values.get(name) == wanted
