"""Amounts as Kubernetes writes them: ``500m``, ``1Gi``, ``2e3``."""

import re
from decimal import Decimal

_PARTS = re.compile(r"([+-]?\d+(?:\.\d*)?|[+-]?\.\d+)([eE][+-]?\d+|[numkMGTPE]|[KMGTPE]i|)\Z")
_DECIMAL = {"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
_BINARY = {"Ki": 1, "Mi": 2, "Gi": 3, "Ti": 4, "Pi": 5, "Ei": 6}


def parse(text: str | float) -> Decimal:
    """Return an amount.

    Raises:
        ValueError: it is none.
    """
    found = _PARTS.match(str(text).strip())
    if not found:
        raise ValueError(f"{text!r} is no quantity")
    number, unit = Decimal(found[1]), found[2]
    if unit in _BINARY:
        return number * Decimal(1024) ** _BINARY[unit]
    if unit[:1] in {"e", "E"} and len(unit) > 1:
        return number.scaleb(int(unit[1:]))
    return number.scaleb(_DECIMAL[unit])


def show(amount: Decimal, like: str | float) -> str:
    """Write an amount, in the unit of another one where that gives a whole number."""
    unit = (_PARTS.match(str(like).strip()) or ["", "", ""])[2]
    for choice in (unit, "", "m"):
        if choice == "" or choice in _DECIMAL or choice in _BINARY:
            scaled = amount / parse(f"1{choice}")
            if scaled == scaled.to_integral_value():
                return f"{int(scaled)}{choice}" if scaled else "0"
    return str(amount.normalize())
