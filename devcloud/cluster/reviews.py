"""Answers who one is and what one may do."""

import typing

from devcloud.cluster import errors
from devcloud.cluster.identity import User
from devcloud.cluster.rbac import Action, Permissions

Object = dict[str, typing.Any]


def answer(kind: str, sent: Object, user: User, permissions: Permissions) -> Object:
    """Return a review with its status.

    Raises:
        ApiError: 400, the review asks for nothing.
    """
    spec = sent.get("spec") or {}
    if kind == "SelfSubjectReview":
        status: Object = {"userInfo": user.described()}
    elif kind == "SelfSubjectRulesReview":
        rules = permissions.rules(user, spec.get("namespace", ""))
        status = {
            "resourceRules": [rule for rule in rules if "resources" in rule],
            "nonResourceRules": [rule for rule in rules if "nonResourceURLs" in rule],
            "incomplete": False,
        }
    else:
        whom = user if kind == "SelfSubjectAccessReview" else _subject(spec)
        status = _access(_action(spec), whom, permissions)
    return {**sent, "metadata": sent.get("metadata") or {}, "status": status}


def _subject(spec: Object) -> User:
    return User(spec.get("user", ""), spec.get("uid", ""), tuple(spec.get("groups") or ()))


def _action(spec: Object) -> Action:
    if path := spec.get("nonResourceAttributes"):
        return Action(path.get("verb", ""), path=path.get("path", ""))
    asked = spec.get("resourceAttributes")
    if not asked:
        raise errors.bad_request("exactly one of nonResourceAttributes or resourceAttributes must be specified")
    resource = asked.get("resource", "")
    if asked.get("subresource"):
        resource = f"{resource}/{asked['subresource']}"
    return Action(
        asked.get("verb", ""), asked.get("group", ""), resource, asked.get("namespace", ""), asked.get("name", "")
    )


def _access(action: Action, user: User, permissions: Permissions) -> Object:
    if permissions.allow(user, action):
        return {"allowed": True, "reason": "RBAC: allowed by a role of the cluster"}
    return {"allowed": False}
