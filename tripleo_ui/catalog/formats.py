"""What Kubernetes takes as a name, a port, an amount: each check answers what is wrong, or an empty text.

Messages never repeat the value.
"""

import re
from collections.abc import Callable, Mapping

_LABEL = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?")
_LABEL_WITH_LETTER = re.compile(r"[a-z]([-a-z0-9]*[a-z0-9])?")
_SUBDOMAIN = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*")
_PORT_NAME = re.compile(r"(?=.*[a-z])[a-z0-9]+(-[a-z0-9]+)*")
_QUANTITY = re.compile(r"[+-]?(\d+|\d+\.\d*|\.\d+)(m|k|[KMGTPE]i?|[eE][+-]?\d+)?")
_WHOLE = re.compile(r"[+-]?\d+", re.ASCII)


def dns_label(text: str) -> str:
    """One part of a DNS name, as namespaces have it."""
    return _name(text, _LABEL, 63, "small letters, digits and -, with a letter or digit at both ends")


def service_name(text: str) -> str:
    """A DNS label that begins with a letter, as Services have it."""
    return _name(text, _LABEL_WITH_LETTER, 63, "small letters, digits and -, with a letter at the beginning")


def dns_name(text: str) -> str:
    """A DNS name, as most objects have it."""
    return _name(text, _SUBDOMAIN, 253, "small letters, digits, - and ., with a letter or digit at both ends")


def _name(text: str, pattern: re.Pattern[str], most: int, allowed: str) -> str:
    if len(text) > most:
        return f"has {len(text)} characters, at most {most} are allowed"
    return "" if pattern.fullmatch(text) else f"only {allowed}"


def whole_number(text: str) -> str:
    """A whole number."""
    return "" if _WHOLE.fullmatch(text.strip()) else "must be a whole number"


def port(text: str) -> str:
    """A number from 1 to 65535."""
    return _between(text, 1, 65535)


def node_port(text: str) -> str:
    """A port that a node opens; a cluster's own range may be narrower."""
    return _between(text, 0, 65535)


def port_or_name(text: str) -> str:
    """A port's number, or the name of a container's port."""
    if not whole_number(text):
        return port(text)
    fits = len(text) <= 15 and _PORT_NAME.fullmatch(text)
    return "" if fits else "must be a port's number or its name: at most 15 small letters, digits and -"


def replicas(text: str) -> str:
    """How many copies run: 0 or more."""
    return _between(text, 0, 2**31 - 1)


def quantity(text: str) -> str:
    """An amount such as ``512Mi``, ``0.5`` or ``250m``, not negative."""
    if not _QUANTITY.fullmatch(text):
        return "must be an amount such as 512Mi, 2Gi, 0.5 or 250m"
    return "must not be negative" if text.startswith("-") else ""


def _between(text: str, low: int, high: int) -> str:
    problem = whole_number(text)
    if problem or len(text.strip()) > 20:
        return problem or f"must be at most {high}"
    if int(text) < low:
        return f"must be at least {low}"
    return f"must be at most {high}" if int(text) > high else ""


#: Name of a format → its check.
CHECKS: Mapping[str, Callable[[str], str]] = {
    "dns-label": dns_label,
    "dns-name": dns_name,
    "service-name": service_name,
    "whole-number": whole_number,
    "port": port,
    "node-port": node_port,
    "port-or-name": port_or_name,
    "replicas": replicas,
    "quantity": quantity,
}

#: Kinds whose names may have characters that DNS names have not.
_FREE_NAMES = frozenset(
    {"ClusterRole", "ClusterRoleBinding", "Group", "Identity", "ImageStreamTag", "Role", "RoleBinding", "User"}
)
_NAMES = {"Service": "service-name", "Namespace": "dns-label", "Project": "dns-label", "ProjectRequest": "dns-label"}


def of_names(kind: str) -> str:
    """The format that names of a kind have; empty where they are free."""
    return "" if kind in _FREE_NAMES else _NAMES.get(kind, "dns-name")
