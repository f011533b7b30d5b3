"""Creates, reads and changes objects: what a request comes down to."""

import secrets
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field

from devcloud.cluster import admission, errors, ownership, quota, rules
from devcloud.cluster.clock import Clock
from devcloud.cluster.decoding import decode
from devcloud.cluster.deletion import Deletions
from devcloud.cluster.entries import Entry, Object, entry
from devcloud.cluster.identity import User
from devcloud.cluster.rbac import Permissions
from devcloud.cluster.resources import Resource
from devcloud.cluster.store import Store

_LETTERS = "bcdfghjklmnpqrstvwxz2456789"
# What the server alone says of an object.
_SYSTEM = ("uid", "creationTimestamp", "generation", "deletionTimestamp", "deletionGracePeriodSeconds")


@dataclass
class Call:
    """Who asks, and how.

    Attributes:
        user: the caller, or whom they act for.
        dry_run: whether nothing is to be kept.
        manager: whose fields the changed ones become.
        force: whether an apply takes fields from other managers.
        validation: ``Strict``, ``Warn`` or ``Ignore`` unknown fields.
        warnings: what the answer warns of.
    """

    user: User
    dry_run: bool = False
    manager: str = "unknown"
    force: bool = False
    validation: str = "Warn"
    warnings: list[str] = field(default_factory=list)


class Objects:
    """The objects of a cluster, with the rules for changing them."""

    def __init__(self, store: Store, clock: Clock, deletions: Deletions, permissions: Permissions):
        self._store = store
        self._clock = clock
        self._deletions = deletions
        self._permissions = permissions

    def get(self, resource: Resource, namespace: str, name: str) -> Entry:
        """Return an object.

        Raises:
            ApiError: 404.
        """
        found = self._store.get(resource.stored, namespace, name)
        if found is None:
            raise errors.not_found(resource, name)
        return found

    def create(self, resource: Resource, namespace: str, sent: Object, call: Call, managed: bool = False) -> Entry:
        """Create an object; ``managed`` says that it knows already who manages its fields.

        Raises:
            ApiError: it is invalid, exists, or may not be.
        """
        content = self._read(resource, namespace, sent, call)
        metadata = content["metadata"]
        for name in (*_SYSTEM, "resourceVersion", "selfLink"):
            metadata.pop(name, None)
        metadata.update(uid=str(uuid.uuid4()), creationTimestamp=self._clock.stamp())
        if "spec" in content:
            metadata["generation"] = 1
        if "status" in resource.subresources:
            content.pop("status", None)
        self._name(resource, metadata)
        admission.fill(resource, content, None, self._store)
        self._check(resource, content, call)
        self._check_namespace(resource, namespace, metadata["name"])
        if self._store.get(resource.stored, namespace, metadata["name"]):
            raise errors.already_exists(resource, metadata["name"])
        quota.check(self._store, resource, content)
        if not managed:
            metadata.pop("managedFields", None)
            ownership.note_update(None, content, call.manager, resource.api_version, self._clock.stamp())
        return entry(resource.stored, content) if call.dry_run else self._store.put(resource.stored, content)

    def update(
        self, resource: Resource, old: Entry, change: Callable[[Object], Object], call: Call, part: str = ""
    ) -> Entry:
        """Change an object.

        Args:
            resource: its kind.
            old: the object as it is.
            change: returns what it should be, given an object of one's own.
            call: who asks, and how.
            part: ``status`` to change nothing else; empty to change all but the status.

        Raises:
            ApiError: it was changed since, or the result is invalid.
        """
        sent = change(old.copy())
        self._same(resource, old, sent)
        if part == "status":
            content = {**old.copy(), "status": sent.get("status") or {}}
        else:
            content = self._read(resource, old.namespace, sent, call)
            self._keep(resource, old, content)
            admission.fill(resource, content, old.object, self._store)
            self._check(resource, content, call)
            if causes := rules.changed(resource, old.object, content):
                raise errors.invalid(resource, old.name, causes)
            if "managedFields" not in sent["metadata"] or sent["metadata"]["managedFields"] == old.metadata.get(
                "managedFields"
            ):
                stamp = self._clock.stamp()
                ownership.note_update(old.object, content, call.manager, resource.api_version, stamp)
        return self._save(resource, old, content, call)

    def apply(self, resource: Resource, old: Entry, wanted: Object, call: Call) -> Entry:
        """Make a manager's fields of an object what the manager says.

        Raises:
            ApiError: 409, other managers disagree; or as ``update``.
        """
        stamp = self._clock.stamp()
        read = self._read(resource, old.namespace, wanted, call)
        return self.update(
            resource, old, lambda live: ownership.apply(live, read, call.manager, call.force, stamp), call
        )

    def create_applied(self, resource: Resource, namespace: str, wanted: Object, call: Call) -> Entry:
        """Create an object whose fields are managed by apply."""
        read = self._read(resource, namespace, wanted, call)
        managed = ownership.apply({"metadata": {}}, read, call.manager, call.force, self._clock.stamp())
        return self.create(resource, namespace, managed, call, managed=True)

    def _read(self, resource: Resource, namespace: str, sent: Object, call: Call) -> Object:
        if not isinstance(sent, dict):
            raise errors.bad_request("the body of the request is no object")
        for name, wanted in (("apiVersion", resource.api_version), ("kind", resource.kind)):
            if sent.get(name) not in {None, "", wanted}:
                raise errors.bad_request(
                    f"the {'API version' if name == 'apiVersion' else 'kind'} in the data ({sent[name]}) does not "
                    f"match the expected {'API version' if name == 'apiVersion' else 'kind'} ({wanted})"
                )
        read = decode(resource, sent)
        if read.unknown and call.validation == "Strict":
            listed = ", ".join(f'unknown field "{path}"' for path in read.unknown)
            raise errors.bad_request(
                f'{resource.kind} in version "{resource.version}" cannot be handled as a {resource.kind}: '
                f"strict decoding error: {listed}"
            )
        if call.validation == "Warn":
            call.warnings += [warning for p in read.unknown if (warning := f'unknown field "{p}"') not in call.warnings]
        content = {**read.content, "apiVersion": resource.api_version, "kind": resource.kind}
        metadata = content.setdefault("metadata", {})
        if read.missing:
            raise errors.invalid(resource, metadata.get("name", ""), read.missing)
        if resource.namespaced:
            if metadata.get("namespace") not in {None, "", namespace}:
                raise errors.bad_request(
                    "the namespace of the provided object does not match the namespace sent on the request"
                )
            metadata["namespace"] = namespace
        else:
            metadata.pop("namespace", None)
        return content

    def _name(self, resource: Resource, metadata: Object) -> None:
        if not metadata.get("name"):
            if not metadata.get("generateName"):
                cause = errors.required("metadata.name", "name or generateName is required")
                raise errors.invalid(resource, "", [cause])
            metadata["name"] = metadata["generateName"] + "".join(secrets.choice(_LETTERS) for _ in range(5))

    def _check(self, resource: Resource, content: Object, call: Call) -> None:
        metadata = content["metadata"]
        if causes := rules.problems(resource, content):
            raise errors.invalid(resource, metadata["name"], causes)
        self._check_escalation(resource, content, call.user)

    def _check_escalation(self, resource: Resource, content: Object, user: User) -> None:
        """Nobody gives away more than they may do."""
        name, namespace = content["metadata"]["name"], content["metadata"].get("namespace", "")
        if resource.kind in {"RoleBinding", "ClusterRoleBinding"} and resource.group != "":
            lacking = self._permissions.lacking(user, content, namespace)
        elif resource.stored in {"roles.rbac.authorization.k8s.io", "clusterroles.rbac.authorization.k8s.io"}:
            lacking = self._permissions.beyond(user, content.get("rules") or [], namespace)
        else:
            return
        if lacking:
            why = (
                f'user "{user.name}" (groups={list(user.groups)}) is attempting to grant RBAC permissions not '
                f"currently held: {lacking}"
            )
            raise errors.forbidden(resource, name, why)

    def _check_namespace(self, resource: Resource, namespace: str, name: str) -> None:
        if not resource.namespaced:
            return
        found = self._store.get("namespaces", "", namespace)
        if found is None:
            raise errors.ApiError(
                404, "NotFound", f'namespaces "{namespace}" not found', {"name": namespace, "kind": "namespaces"}
            )
        if found.leaving:
            message = f"namespace {namespace} is being terminated"
            cause = {"reason": "NamespaceTerminating", "message": message, "field": "metadata.namespace"}
            why = f"unable to create new content in namespace {namespace} because it is being terminated"
            raise errors.forbidden(resource, name, why, [cause])

    def _same(self, resource: Resource, old: Entry, sent: Object) -> None:
        if not isinstance(sent, dict) or not isinstance(sent.get("metadata"), dict):
            raise errors.bad_request("the body of the request is no object")
        metadata = sent["metadata"]
        if metadata.get("name") not in {None, old.name}:
            raise errors.bad_request(
                f"the name of the object ({metadata.get('name')}) does not match the name on the URL ({old.name})"
            )
        if metadata.get("uid") not in {None, "", old.uid}:
            why = f"Precondition failed: UID in precondition: {metadata['uid']}, UID in object meta: {old.uid}"
            raise errors.conflict(resource, old.name, why)
        if metadata.get("resourceVersion") not in {None, "", old.metadata["resourceVersion"]}:
            raise errors.conflict(resource, old.name)

    def _keep(self, resource: Resource, old: Entry, content: Object) -> None:
        """Carry over what is not the caller's to change."""
        metadata = content["metadata"]
        metadata["name"] = old.name
        for name in _SYSTEM:
            metadata.pop(name, None)
            if name in old.metadata:
                metadata[name] = old.metadata[name]
        if "status" in resource.subresources:
            content.pop("status", None)
            if "status" in old.object:
                content["status"] = old.copy()["status"]

    def _save(self, resource: Resource, old: Entry, content: Object, call: Call) -> Entry:
        metadata = content["metadata"]
        metadata["resourceVersion"] = old.metadata["resourceVersion"]
        if content.get("spec") != old.object.get("spec"):
            metadata["generation"] = old.metadata.get("generation", 1) + 1
        if content == old.object:
            return old
        if call.dry_run:
            return entry(resource.stored, content)
        saved = self._store.put(resource.stored, content)
        if saved.leaving:
            self._deletions.settle(saved)
        return saved
