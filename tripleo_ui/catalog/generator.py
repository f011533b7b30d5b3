r"""Random values from expressions: ``[a-zA-Z0-9]{16}``, ``admin[\d]{2}``.

A class has ranges, single characters, ``\w`` (letters, digits, ``_``), ``\d`` (digits), ``\a`` (letters, digits) and
``\A`` (symbols). Ranges include their ends: ``[0-9]`` may give 9. The platform's own generator leaves the end out
(and fails on ``[a-a]``), which no template means. Texts outside of classes stay as they are.
"""

import re
import secrets
import string

_LETTERS = string.ascii_lowercase + string.ascii_uppercase
_SYMBOLS = "~!@#$%^&*()-_+={}[]\\|<,>.?/\"';:`"
_ORDER = _LETTERS + string.digits
_ESCAPES = {"w": _ORDER + "_", "d": string.digits, "a": _ORDER, "A": _SYMBOLS}

_CLASS = re.compile(r"\[([a-zA-Z0-9\-\\]+)\]\{([0-9]+)\}")
_WELL_FORMED = re.compile(r"\\[wdaA].*|.*[a-zA-Z0-9]-[a-zA-Z0-9]")
_PART = re.compile(r"\\([wdaA])|([a-zA-Z0-9])-([a-zA-Z0-9])|([a-zA-Z0-9])")
_MOST = 255


def generate(expression: str) -> str:
    r"""A random value.

    Raises:
        ValueError: a class is malformed, a range runs backwards, or a length is not from 1 to 255.
    """
    return _CLASS.sub(lambda found: _random(found[1], found[2]), expression)


def check(expression: str) -> str:
    """What is wrong with an expression; empty when nothing is."""
    try:
        generate(expression)
    except ValueError as error:
        return str(error)
    return ""


def is_literal(expression: str) -> bool:
    """Whether nothing in it is random: ``[a-z]`` without a length, a class with other characters."""
    return not _CLASS.search(expression)


def pattern(expression: str) -> str:
    r"""A regular expression for all that an expression can generate.

    >>> pattern("id-[0-3]{2}")
    'id\\-[0123]{2}'

    Raises:
        ValueError: as ``generate``.
    """
    parts, end = [], 0
    for found in _CLASS.finditer(expression):
        parts += [re.escape(expression[end : found.start()]), f"[{re.escape(alphabet(found[1]))}]{{{found[2]}}}"]
        end = found.end()
    return "".join(parts) + re.escape(expression[end:])


def alphabet(inner: str) -> str:
    r"""The characters of a class, each once: ``alphabet(r"\d0-3a")`` is ``0123456789a``.

    Raises:
        ValueError: malformed, or a range runs backwards.
    """
    if not _WELL_FORMED.fullmatch(inner):
        raise ValueError(f"malformed expression syntax: [{inner}]")
    characters = "".join(_characters(part) for part in _PART.finditer(inner))
    return "".join(dict.fromkeys(characters))


def _characters(part: re.Match[str]) -> str:
    escape, first, last, single = part.groups()
    if escape:
        return _ESCAPES[escape]
    if single:
        return single
    begin, end = _ORDER.index(first), _ORDER.index(last)
    if begin > end:
        raise ValueError(f"invalid range specified: {first}-{last}")
    return _ORDER[begin : end + 1]


def _random(inner: str, length: str) -> str:
    characters = alphabet(inner)
    if len(length) > len(str(_MOST)) + 20 or not 1 <= int(length) <= _MOST:
        raise ValueError(f"range must be within [1-{_MOST}] characters ({length})")
    return "".join(secrets.choice(characters) for _position in range(int(length)))
