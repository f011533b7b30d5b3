"""Roles and bindings: what a user may do."""

import typing
from collections.abc import Iterator
from dataclasses import dataclass

from devcloud.cluster.entries import Entry
from devcloud.cluster.identity import MASTERS, User
from devcloud.cluster.store import Store

Rule = dict[str, typing.Any]

_API = "rbac.authorization.k8s.io"
_EVERYTHING: list[Rule] = [
    {"apiGroups": ["*"], "resources": ["*"], "verbs": ["*"]},
    {"nonResourceURLs": ["*"], "verbs": ["*"]},
]


@dataclass(frozen=True)
class Action:
    """What somebody wants to do.

    Attributes:
        verb: ``get``, ``create``, ``impersonate``, …
        group: the resource's group.
        resource: its plural, with a subresource ``pods/status``.
        namespace: where; empty for the whole cluster.
        name: which; empty for all or a new one.
        path: a path that is no resource's.
    """

    verb: str
    group: str = ""
    resource: str = ""
    namespace: str = ""
    name: str = ""
    path: str = ""

    def sentence(self, user: User) -> str:
        """Say that the user may not."""
        if self.path:
            return f'User "{user.name}" cannot {self.verb} path "{self.path}"'
        where = f'in the namespace "{self.namespace}"' if self.namespace else "at the cluster scope"
        return f'User "{user.name}" cannot {self.verb} resource "{self.resource}" in API group "{self.group}" {where}'


class Permissions:
    """Answers from the roles and bindings that are in the cluster now."""

    def __init__(self, store: Store):
        self._store = store

    def allow(self, user: User, action: Action) -> bool:
        """Whether a user may do something."""
        return any(_covers(rule, action) for rule in self.rules(user, action.namespace))

    def rules(self, user: User, namespace: str) -> list[Rule]:
        """Return every rule that holds for a user in a namespace, or for the whole cluster."""
        if MASTERS in user.groups:
            return _EVERYTHING
        return [rule for binding in self._bindings(user, namespace) for rule in self._role(binding)]

    def lacking(self, user: User, binding: dict[str, typing.Any], namespace: str) -> list[Rule]:
        """Return the rules that a binding would give and its author does not have."""
        bind = Action("bind", _API, _plural(binding["roleRef"]), namespace, binding["roleRef"].get("name", ""))
        return [] if self.allow(user, bind) else self.beyond(user, self._referenced(binding, namespace), namespace)

    def beyond(self, user: User, rules: list[Rule], namespace: str) -> list[Rule]:
        """Return the rules that allow something that a user may not do."""
        own = self.rules(user, namespace)
        return [rule for rule in rules if not all(any(_covers(o, a) for o in own) for a in _actions(rule, namespace))]

    def _bindings(self, user: User, namespace: str) -> Iterator[Entry]:
        for binding in self._store.all(f"clusterrolebindings.{_API}"):
            if _names(binding.object, user):
                yield binding
        if namespace:
            for binding in self._store.all(f"rolebindings.{_API}", namespace):
                if _names(binding.object, user):
                    yield binding

    def _role(self, binding: Entry) -> list[Rule]:
        return self._referenced(binding.object, binding.namespace)

    def _referenced(self, binding: dict[str, typing.Any], namespace: str) -> list[Rule]:
        reference = binding.get("roleRef") or {}
        place = "" if _plural(reference) == "clusterroles" else namespace
        role = self._store.get(f"{_plural(reference)}.{_API}", place, reference.get("name", ""))
        return (role.object.get("rules") or []) if role else []


def _plural(reference: dict[str, typing.Any]) -> str:
    # OpenShift's own bindings say no kind: a namespace tells a role of one from a cluster's.
    local = reference.get("kind") == "Role" or ("kind" not in reference and reference.get("namespace"))
    return "roles" if local else "clusterroles"


def _names(binding: dict[str, typing.Any], user: User) -> bool:
    for subject in binding.get("subjects") or []:
        kind, name = subject.get("kind"), subject.get("name")
        if kind == "ServiceAccount":
            place = subject.get("namespace") or binding["metadata"].get("namespace", "")
            if user.name == f"system:serviceaccount:{place}:{name}":
                return True
        elif (kind == "User" and name == user.name) or (kind in {"Group", "SystemGroup"} and name in user.groups):
            return True
    return False


def _covers(rule: Rule, action: Action) -> bool:
    verbs = rule.get("verbs") or []
    if action.verb not in verbs and "*" not in verbs:
        return False
    if action.path:
        urls = rule.get("nonResourceURLs") or []
        return any(
            url in {"*", action.path} or (url.endswith("*") and action.path.startswith(url[:-1])) for url in urls
        )
    names = rule.get("resourceNames") or []
    return (
        _among(action.group, rule.get("apiGroups") or [])
        and _resource(action.resource, rule.get("resources") or [])
        and (not names or action.name in names)
    )


def _among(value: str, allowed: list[str]) -> bool:
    return value in allowed or "*" in allowed


def _resource(wanted: str, allowed: list[str]) -> bool:
    _, _, sub = wanted.partition("/")
    return _among(wanted, allowed) or bool(sub and f"*/{sub}" in allowed)


def _actions(rule: Rule, namespace: str) -> Iterator[Action]:
    for verb in rule.get("verbs") or []:
        for path in rule.get("nonResourceURLs") or []:
            yield Action(verb, path=path)
        for group in rule.get("apiGroups") or []:
            for resource in rule.get("resources") or []:
                for name in rule.get("resourceNames") or [""]:
                    yield Action(verb, group, resource, namespace, name)
