"""Reads requests: which resource a path names, which verb that is, what a body and the query say."""

import json
import typing
from collections.abc import Mapping
from dataclasses import dataclass

import yaml

from devcloud.cluster import errors
from devcloud.cluster.identity import User
from devcloud.cluster.objects import Call
from devcloud.cluster.rbac import Action
from devcloud.cluster.resources import Registry, Resource

_VERBS = {"POST": "create", "PUT": "update", "PATCH": "patch"}
_TRUE = {"1", "true", "True"}
JSON = "application/json"


@dataclass(frozen=True)
class Target:
    """What a request is about.

    Attributes:
        resource: the kind.
        verb: what is to be done.
        namespace: where; empty for all, or for what lives in none.
        name: which; empty for all, or a new one.
        part: a subresource, or an empty string.
    """

    resource: Resource
    verb: str
    namespace: str
    name: str
    part: str

    def action(self) -> Action:
        """Return what somebody must be allowed to do."""
        resource = f"{self.resource.plural}/{self.part}" if self.part else self.resource.plural
        # What belongs to a namespace is the namespace's own affair, too: its admin may see it.
        namespace = self.name if self.resource.stored == "namespaces" and self.name else self.namespace
        return Action(self.verb, self.resource.group, resource, namespace, self.name)


def target(registry: Registry, method: str, path: str, query: Mapping[str, str]) -> Target:
    """Find out what a request is about.

    Raises:
        ApiError: 404, there is no such resource; 405, it does not have that verb.
    """
    parts = path.strip("/").split("/")
    if parts[0] == "api" and len(parts) > 2:
        group, version, rest = "", parts[1], parts[2:]
    elif parts[0] == "apis" and len(parts) > 3:
        group, version, rest = parts[1], parts[2], parts[3:]
    else:
        raise errors.nothing_there()
    namespace = ""
    if rest[0] == "namespaces" and len(rest) > 2:
        inner = registry.get(group, version, rest[2])
        if inner and inner.namespaced:
            namespace, rest = rest[1], rest[2:]
    resource = registry.get(group, version, rest[0])
    name, part = (*rest[1:], "", "")[:2]
    if resource is None or len(rest) > 3 or (part and part not in resource.subresources):
        raise errors.nothing_there()
    verb = _verb(method, bool(name), query)
    allowed = part or verb in resource.verbs
    if not allowed or (verb == "create" and name and not part) or (verb in {"update", "patch"} and not name):
        raise errors.not_allowed()
    if resource.namespaced and not namespace and verb not in {"list", "watch"}:
        raise errors.not_allowed()
    return Target(resource, verb, namespace, name, part)


def _verb(method: str, named: bool, query: Mapping[str, str]) -> str:
    if method == "GET":
        return "get" if named else ("watch" if query.get("watch") in _TRUE else "list")
    if method == "DELETE":
        return "delete" if named else "deletecollection"
    if method not in _VERBS:
        raise errors.not_allowed()
    return _VERBS[method]


def call(user: User, query: Mapping[str, str], agent: str) -> Call:
    """Read how a change is to be made.

    Raises:
        ApiError: 400, an option has a value that it cannot have.
    """
    validation = query.get("fieldValidation") or "Warn"
    if validation not in {"Strict", "Warn", "Ignore"}:
        raise errors.bad_request(f'invalid fieldValidation: "{validation}"')
    if query.get("dryRun") not in {None, "", "All"}:
        raise errors.bad_request(f'invalid dryRun: "{query["dryRun"]}"')
    manager = query.get("fieldManager") or agent.partition("/")[0] or "unknown"
    return Call(user, bool(query.get("dryRun")), manager, query.get("force") in _TRUE, validation)


def body(content_type: str, raw: bytes) -> typing.Any:
    """Read a body; an empty one is None.

    Raises:
        ApiError: 400, it cannot be read; 415, its format is not one of ours.
    """
    if not raw:
        return None
    try:
        if content_type in {"", JSON, "application/octet-stream"} or content_type.endswith("+json"):
            return json.loads(raw)
        if content_type.endswith("yaml"):
            return yaml.load(raw, yaml.CSafeLoader)
    except (ValueError, yaml.YAMLError) as error:
        raise errors.bad_request(f"the object provided is unrecognized: {error}") from error
    raise errors.unsupported("application/json, application/yaml")
