"""What orders need of a cluster, done for one person: templates, objects, and what the person may do."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from tripleo_ui.services.breaker import Breaker
from tripleo_ui.services.errors import NotFound, ServiceError
from tripleo_ui.services.kubernetes_api import Changed, Identity, KubernetesApi, query_of
from tripleo_ui.services.kubernetes_kinds import Kinds, Ref, Resource

TEMPLATES = "template.openshift.io/v1"
_REVIEWS = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews"
_PAGE = 500
_GONE = 410

Object = dict[str, Any]


class Cluster:
    """A cluster as one person may use it. All methods raise ``ServiceError``, most of all Forbidden."""

    def __init__(
        self, name: str, api: KubernetesApi, kinds: Kinds, identity: Identity, breaker: Breaker | None = None
    ) -> None:
        self.name = name
        self.service = api.service
        self.identity = identity
        self._api = api
        self._kinds = kinds
        self._breaker = breaker

    def call(self, operation: str, method: str, path: str, **more: Any) -> Object:
        """One call for this person; see ``KubernetesApi.call``."""
        more.setdefault("identity", self.identity)
        return self._api.call(operation, method, path, breaker=self._breaker, **more)

    def find(self, api_version: str, kind: str) -> Resource | None:
        """How objects of a kind are reached; None where the cluster has no such kind."""
        return self._kinds.find(api_version, kind)

    def resource(self, ref: Ref) -> Resource:
        """How an object is reached.

        Raises:
            NotFound: the cluster has no such kind.
        """
        found = self.find(ref.api_version, ref.kind)
        if found is None:
            cause = f"the cluster has no kind {ref.kind} of {ref.api_version}"
            raise NotFound(self.service, f"find {ref.kind}", cause, next_step="Order from another cluster.")
        return found

    def version(self) -> str:
        """The version of Kubernetes, ``1.32``."""
        found = self.call("read version", "GET", "/version")
        return f"{found['major']}.{str(found['minor']).rstrip('+')}"

    # -- templates

    def templates(self, namespace: str) -> list[Object]:
        """The templates of a namespace; none where the cluster has no such kind."""
        return self.list(TEMPLATES, "Template", namespace)

    def template(self, namespace: str, name: str) -> Object:
        """One template.

        Raises:
            NotFound: there is none.
        """
        ref = Ref(TEMPLATES, "Template", namespace, name)
        return self.call("read template", "GET", self.resource(ref).path(namespace, name))

    def process(self, namespace: str, template: Mapping[str, Any]) -> Object:
        """Have the cluster process a template; nothing is created. Answers the template with values and objects."""
        body = {**template, "metadata": {**template.get("metadata", {}), "namespace": namespace}}
        path = f"/apis/{TEMPLATES}/namespaces/{namespace}/processedtemplates"
        return self.call("process template", "POST", path, body=body)

    # -- objects

    def create(self, item: Mapping[str, Any], *, dry_run: bool = False) -> Object:
        """Create an object; with ``dry_run`` only have it admitted.

        Raises:
            AlreadyExists: there is one of that name.
        """
        ref = Ref.of(item)
        path = self.resource(ref).path(ref.namespace)
        query = query_of(dryRun="All" if dry_run else "")
        operation = f"check {ref}" if dry_run else f"create {ref}"
        return self.call(operation, "POST", path, body=item, query=query)

    def get(self, ref: Ref) -> Object | None:
        """An object; None where there is none."""
        with suppress(NotFound):
            return self.call(f"read {ref}", "GET", self.resource(ref).path(ref.namespace, ref.name))
        return None

    def list(self, api_version: str, kind: str, namespace: str = "", labels: str = "") -> list[Object]:
        """The objects of a kind that match a label selector, in a namespace or in all; each has its kind."""
        resource = self.find(api_version, kind)
        if resource is None:
            return []
        found: list[Object] = []
        marker = ""
        while True:
            query = query_of(labelSelector=labels, limit=str(_PAGE), **{"continue": marker})
            try:
                page = self.call(f"list {kind}s", "GET", resource.path(namespace), query=query)
            except ServiceError as error:
                if error.status != _GONE or not marker:
                    raise
                found, marker = [], ""  # The list was too old to go on with.
                continue
            found += [{**item, "apiVersion": api_version, "kind": kind} for item in page.get("items") or []]
            marker = (page.get("metadata") or {}).get("continue") or ""
            if not marker:
                return found

    def delete(self, ref: Ref, uid: str) -> bool:
        """Ask an object to go, after what belongs to it; it may take a while.

        Returns:
            Whether it was there. An object of that name with another uid is another one, and stays.
        """
        body = {"kind": "DeleteOptions", "apiVersion": "v1", "propagationPolicy": "Foreground"}
        body["preconditions"] = {"uid": uid}  # type: ignore[assignment]
        try:
            self.call(f"delete {ref}", "DELETE", self.resource(ref).path(ref.namespace, ref.name), body=body)
        except (NotFound, Changed):
            return False
        return True

    # -- permissions

    def may(self, verb: str, resource: Resource, namespace: str = "", subresource: str = "") -> bool:
        """Whether the person may do something with a kind."""
        attributes = {"verb": verb, "group": resource.group, "resource": resource.name, "namespace": namespace}
        if subresource:
            attributes["subresource"] = subresource
        body = {
            "apiVersion": "authorization.k8s.io/v1",
            "kind": "SelfSubjectAccessReview",
            "spec": {"resourceAttributes": attributes},
        }
        answer = self.call("review access", "POST", _REVIEWS, body=body)
        return bool((answer.get("status") or {}).get("allowed"))
