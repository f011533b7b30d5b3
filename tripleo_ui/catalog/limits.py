"""Limits of a value from where the objects use it, each with its reason in words."""

from collections.abc import Iterable

from tripleo_ui.catalog import formats
from tripleo_ui.catalog.fields import Limit
from tripleo_ui.catalog.usage import Use

#: Formats whose values are whole numbers.
NUMBERS = frozenset({"port", "node-port", "replicas", "whole-number"})

_PROBES = frozenset({"httpGet", "tcpSocket", "grpc"})
#: A format → formats that say as much and more.
_COVERED_BY = {
    "dns-name": {"service-name"},
    "port-or-name": {"port", "node-port"},
    "whole-number": {"port", "node-port", "replicas"},
}
_REASONS = {
    "port": "A port of {title}: a number from 1 to 65535.",
    "node-port": "A port that {title} opens on each node: a number up to 65535.",
    "port-or-name": "A port of {title}: its number, or its name.",
    "replicas": "A number of copies, from 0: {field} of {title}.",
    "quantity": "An amount such as 512Mi, 2Gi or 0.5: {field} of {title}.",
    "whole-number": "A whole number: {field} of {title}.",
    "dns-label": "A name of a namespace: small letters, digits and -, at most 63.",
    "dns-name": "In the name of a {kind}: small letters, digits, - and ., at most 253.",
    "service-name": "In the name of a Service: small letters, digits and -, a letter first, at most 63.",
    "host": "The host name of {title}: small letters, digits, - and ..",
}


def limits(found: Iterable[Use], default: str) -> tuple[Limit, ...]:
    """The limits of a value; none that the template's own default breaks, for its author knows better."""
    made: dict[tuple[str, str, str], Limit] = {}
    for use in found:
        limit = _limit(use)
        if limit is not None and not (default and limit.problem(default)):
            made.setdefault((limit.format, limit.before, limit.after), limit)
    kinds = {limit.format for limit in made.values()}
    covered = {wide for wide, narrow in _COVERED_BY.items() if kinds & narrow}
    return tuple(limit for limit in made.values() if limit.format not in covered)


def _limit(use: Use) -> Limit | None:
    if use.before is None or use.after is None or use.is_key:
        return None
    kind = _format(use)
    if not kind or (kind not in {"quantity", "dns-name", "service-name", "dns-label", "host"} and not use.whole):
        return None
    reason = _REASONS[kind].format(title=use.title, kind=use.kind, field=".".join(use.names[-3:]))
    after = use.after + "x" if use.names[-1] == "generateName" else use.after
    return Limit("dns-name" if kind == "host" else kind, reason, use.before, after)


def _format(use: Use) -> str:
    names = use.names
    last = names[-1] if names else ""
    if names == ("metadata", "name"):
        return formats.of_names(use.kind)
    if names == ("metadata", "generateName"):
        return "dns-name"
    if names == ("metadata", "namespace"):
        return "dns-label"
    if use.kind == "Route" and names == ("spec", "host"):
        return "host"
    if names[-2:] == ("spec", "replicas") or last in {"minReplicas", "maxReplicas"}:
        return "replicas"
    return _port(names, last) or _amount(use, names)


def _port(names: tuple[str, ...], last: str) -> str:
    if last == "nodePort":
        return "node-port"
    if last in {"containerPort", "hostPort"} or names[-2:] == ("ports", "port"):
        return "port"
    return "port-or-name" if last == "targetPort" or (last == "port" and _PROBES.intersection(names)) else ""


def _amount(use: Use, names: tuple[str, ...]) -> str:
    if len(names) > 2 and names[-3] == "resources" and names[-2] in {"limits", "requests"}:
        return "quantity"
    leaf = use.leaf
    return "quantity" if leaf == "quantity" else "whole-number" if leaf == "integer" else ""
