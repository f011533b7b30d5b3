"""What each verb does, once it is clear who asks for what."""

import base64
import json
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from devcloud.cluster import deletion, errors, patches, projects, reviews, scale, selectors, templates, views
from devcloud.cluster.core import Cluster
from devcloud.cluster.entries import Entry, dump, selectable
from devcloud.cluster.history import Matches
from devcloud.cluster.objects import Call
from devcloud.cluster.requests import Target
from devcloud.cluster.resources import Resource
from devcloud.cluster.views import Form

_STRATEGIC = "application/strategic-merge-patch+json"
_MERGE = "application/merge-patch+json"
_OPERATIONS = "application/json-patch+json"
_APPLY = ("application/apply-patch+yaml", "application/apply-patch+json")


@dataclass
class Request:
    """A request that was understood.

    Attributes:
        target: what it is about.
        call: who asks, and how.
        query: its options.
        body: what was sent, or None.
        content_type: in which format.
        form: how objects are to be shown.
    """

    target: Target
    call: Call
    query: Mapping[str, str] = field(default_factory=dict)
    body: typing.Any = None
    content_type: str = ""
    form: Form = Form.WHOLE


Answer = tuple[int, bytes]


def perform(cluster: Cluster, request: Request) -> Answer:
    """Do what was asked, and return status code and body.

    Raises:
        ApiError: it cannot be done.
    """
    target = request.target
    special = _SPECIAL.get(target.resource.title)
    if special and target.verb == "create":
        return special(cluster, request)
    if target.part:
        return _PARTS[target.part](cluster, request)
    return _VERBS[target.verb](cluster, request)


def matches(cluster: Cluster, request: Request) -> Matches:
    """Return a predicate of what a list or watch shows.

    Raises:
        ApiError: 400, a selector cannot be read.
    """
    target, query = request.target, request.query
    known = dict.fromkeys(selectable(target.resource.stored), "")
    by_label = selectors.labels(query.get("labelSelector"))
    by_field = selectors.fields(query.get("fieldSelector"), known)
    may_see = _visible(cluster, request)
    namespace, name = target.namespace, target.name
    return lambda entry: (
        namespace in {"", entry.namespace}
        and name in {"", entry.name}
        and by_label(entry.labels)
        and by_field(entry.fields)
        and may_see(entry)
    )


def _visible(cluster: Cluster, request: Request) -> Matches:
    if request.target.resource.title == projects.PROJECTS:
        return projects.visible(cluster.permissions, request.call.user)
    return lambda _entry: True


def _found(cluster: Cluster, target: Target) -> Entry:
    return cluster.objects.get(target.resource, target.namespace, target.name)


def _shown(cluster: Cluster, request: Request, entry: Entry) -> bytes:
    return views.one(request.target.resource, entry, request.form, cluster.clock.now())


def _get(cluster: Cluster, request: Request) -> Answer:
    return 200, _shown(cluster, request, _found(cluster, request.target))


def _list(cluster: Cluster, request: Request) -> Answer:
    resource = request.target.resource
    shown = matches(cluster, request)
    entries = [entry for entry in cluster.store.all(resource.stored, request.target.namespace) if shown(entry)]
    version, after = _continued(cluster, resource, request.query.get("continue"))
    if after:
        entries = [entry for entry in entries if list(entry.key[1:]) > after]
    metadata: dict[str, typing.Any] = {"resourceVersion": str(version)}
    limit = int(request.query.get("limit") or 0)
    if 0 < limit < len(entries):
        metadata["remainingItemCount"] = len(entries) - limit
        entries = entries[:limit]
        token = dump({"version": version, "after": entries[-1].key[1:]})
        metadata["continue"] = base64.urlsafe_b64encode(token).decode()
    return 200, views.many(resource, entries, metadata, request.form, cluster.clock.now())


def _continued(cluster: Cluster, resource: Resource, token: str | None) -> tuple[int, list[str]]:
    """Return the version of a list's first page, and after which object to go on."""
    if not token:
        return cluster.store.version, []
    try:
        content = json.loads(base64.urlsafe_b64decode(token))
        version, after = content["version"], content["after"]
    except (ValueError, KeyError, TypeError) as error:
        raise errors.bad_request("continue key is not valid") from error
    cluster.store.history.since(resource.stored, version)
    return version, after


def _create(cluster: Cluster, request: Request) -> Answer:
    target = request.target
    entry = cluster.objects.create(target.resource, target.namespace, request.body, request.call)
    return 201, _shown(cluster, request, entry)


def _update(cluster: Cluster, request: Request) -> Answer:
    target = request.target
    entry = cluster.objects.update(
        target.resource, _found(cluster, target), lambda _old: request.body, request.call, target.part
    )
    return 200, _shown(cluster, request, entry)


def _patch(cluster: Cluster, request: Request) -> Answer:
    target = request.target
    if request.content_type in _APPLY:
        return _apply(cluster, request)
    change = _change(target.resource, request.content_type, request.body)
    entry = cluster.objects.update(target.resource, _found(cluster, target), change, request.call, target.part)
    return 200, _shown(cluster, request, entry)


def _change(resource: Resource, content_type: str, patch: typing.Any) -> Callable[[typing.Any], typing.Any]:
    if content_type == _OPERATIONS:
        return lambda old: patches.by_operations(old, patch)
    if not isinstance(patch, dict):
        raise errors.bad_request("the patch is no object")
    if content_type == _MERGE:
        return lambda old: patches.by_merging(old, patch)
    if content_type == _STRATEGIC and not resource.custom:
        return lambda old: patches.by_strategy(old, patch)
    raise errors.unsupported(", ".join((_OPERATIONS, _MERGE, *_APPLY)))


def _apply(cluster: Cluster, request: Request) -> Answer:
    target, call, wanted = request.target, request.call, request.body
    if not request.query.get("fieldManager"):
        cause = errors.required("fieldManager", "is required for apply patch")
        message = 'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch'
        raise errors.ApiError(422, "Invalid", message, {"causes": [cause]})
    if not isinstance(wanted, dict) or not wanted.get("apiVersion") or not wanted.get("kind"):
        raise errors.bad_request("apiVersion and kind must be set in an apply patch")
    wanted.setdefault("metadata", {})["name"] = target.name
    old = cluster.store.get(target.resource.stored, target.namespace, target.name)
    if old is None:
        entry = cluster.objects.create_applied(target.resource, target.namespace, wanted, call)
        return 201, _shown(cluster, request, entry)
    return 200, _shown(cluster, request, cluster.objects.apply(target.resource, old, wanted, call))


def _delete(cluster: Cluster, request: Request) -> Answer:
    target = request.target
    entry = _found(cluster, target)
    how = deletion.How.read(request.body, request.query)
    how.check(target.resource, entry)
    left = None if how.dry_run else cluster.deletions.delete(entry, how.policy)
    if left or how.dry_run or how.policy == deletion.FOREGROUND:
        return 200, views.whole(target.resource, left or entry)
    return 200, dump(errors.success(errors.about(target.resource, entry.name, uid=entry.uid)))


def _delete_all(cluster: Cluster, request: Request) -> Answer:
    target = request.target
    how = deletion.How.read(request.body, request.query)
    shown = matches(cluster, request)
    entries = [entry for entry in cluster.store.all(target.resource.stored, target.namespace) if shown(entry)]
    for entry in entries if not how.dry_run else ():
        if kept := cluster.store.get(*entry.key):
            cluster.deletions.delete(kept, how.policy)
    metadata = {"resourceVersion": str(cluster.store.version)}
    return 200, views.many(target.resource, entries, metadata, request.form, cluster.clock.now())


def _status(cluster: Cluster, request: Request) -> Answer:
    return _VERBS[request.target.verb](cluster, request)


def _scale(cluster: Cluster, request: Request) -> Answer:
    target = request.target
    entry = _found(cluster, target)
    if target.verb == "get":
        return 200, dump(scale.of(entry))
    wanted = request.body
    if target.verb == "patch":
        wanted = _change(target.resource, request.content_type, request.body)(scale.of(entry))
    saved = cluster.objects.update(target.resource, entry, lambda old: scale.put(old, wanted), request.call)
    return 200, dump(scale.of(saved))


def _token(cluster: Cluster, request: Request) -> Answer:
    account = _found(cluster, request.target)
    asked = ((request.body or {}).get("spec") or {}).get("expirationSeconds")
    token, expires = cluster.identities.issue(account.namespace, account.name, account.uid, asked)
    status = {"token": token, "expirationTimestamp": cluster.clock.stamp(expires)}
    head = {"kind": "TokenRequest", "apiVersion": "authentication.k8s.io/v1", "metadata": {"name": account.name}}
    return 201, dump({**head, "spec": (request.body or {}).get("spec") or {}, "status": status})


def _instantiate(cluster: Cluster, request: Request) -> Answer:
    build = cluster.start_build(_found(cluster, request.target))
    return 201, build.raw


def _review(cluster: Cluster, request: Request) -> Answer:
    resource = request.target.resource
    answer = reviews.answer(resource.kind, request.body or {}, request.call.user, cluster.permissions)
    return 201, dump(views.seen_as(resource, answer))


def _processed(cluster: Cluster, request: Request) -> Answer:
    target = request.target
    if not isinstance(request.body, dict):
        raise errors.bad_request("the body of the request is no object")
    return 201, dump(templates.process(target.resource, target.namespace, request.body, cluster.clock))


def _project(cluster: Cluster, request: Request) -> Answer:
    entry = projects.request(cluster.registry, cluster.objects, request.body or {}, request.call)
    return 201, views.whole(cluster.registry.named(projects.PROJECTS), entry)


_VERBS: dict[str, Callable[[Cluster, Request], Answer]] = {
    "create": _create,
    "delete": _delete,
    "deletecollection": _delete_all,
    "get": _get,
    "list": _list,
    "patch": _patch,
    "update": _update,
}
_PARTS: dict[str, Callable[[Cluster, Request], Answer]] = {
    "finalize": _update,
    "instantiate": _instantiate,
    "scale": _scale,
    "status": _status,
    "token": _token,
}
_SPECIAL: dict[str, Callable[[Cluster, Request], Answer]] = {
    "localsubjectaccessreviews.authorization.k8s.io": _review,
    "processedtemplates.template.openshift.io": _processed,
    "projectrequests.project.openshift.io": _project,
    "selfsubjectaccessreviews.authorization.k8s.io": _review,
    "selfsubjectreviews.authentication.k8s.io": _review,
    "selfsubjectrulesreviews.authorization.k8s.io": _review,
    "subjectaccessreviews.authorization.k8s.io": _review,
}
