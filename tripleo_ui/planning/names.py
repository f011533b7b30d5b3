"""One rule for the names of plans, used by every page, API and command."""

import re

#: A plan's name is also a Heat stack's, part of a Swift container's and of each server's host name.
PLAN_NAME = re.compile(r"[A-Za-z][A-Za-z0-9-]{0,62}", re.ASCII)
_ROLE_NAME = re.compile(r"[A-Za-z][A-Za-z0-9-]{0,62}", re.ASCII)
_LONGEST = 63


def check_plan_name(name: str) -> str:
    """Return the name when it may be a plan's.

    Raises:
        ValueError: it may not; the message says why.
    """
    return _check(name, PLAN_NAME, "name of a plan")


def check_role_name(name: str) -> str:
    """Return the name when it may be a role's; a role's name begins those of its files and parameters.

    Raises:
        ValueError: it may not; the message says why.
    """
    return _check(name, _ROLE_NAME, "name of a role")


def _check(name: str, rule: re.Pattern[str], what: str) -> str:
    if not name:
        raise ValueError(f"the {what} is empty")
    if len(name) > _LONGEST:
        raise ValueError(f"the {what} has {len(name)} characters, {_LONGEST} are allowed")
    if not rule.fullmatch(name):
        raise ValueError(f"{name!r} is no {what}: it begins with a letter and has letters, digits and “-” only")
    return name
