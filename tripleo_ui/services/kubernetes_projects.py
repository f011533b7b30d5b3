"""Which namespaces of a cluster belong to a project: those that the settings name, and those with its label."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tripleo_ui.services.errors import Forbidden, NotFound, ServiceError
from tripleo_ui.services.kubernetes_api import Identity
from tripleo_ui.services.kubernetes_cluster import Cluster, Object
from tripleo_ui.services.kubernetes_kinds import Ref

PROJECT_LABEL = "tripleo-ui/project"
ORDER_LABEL = "tripleo-ui/order"
_PROJECTS = "project.openshift.io/v1"
_DESCRIPTION = "openshift.io/description"
_MERGE = "application/merge-patch+json"


@dataclass(frozen=True)
class Namespaces:
    """The namespaces of one project on one cluster.

    ``own`` are those that the settings give it, ``others`` those they give to other projects.
    """

    cluster: Cluster
    project: str
    own: frozenset[str] = frozenset()
    others: frozenset[str] = frozenset()
    may_create: bool = field(default=False)

    def names(self) -> list[str]:
        """All that the project may use, as far as the person may know of them."""
        found = set(self.own)
        for api_version, kind in ((_PROJECTS, "Project"), ("v1", "Namespace")):
            if self.cluster.find(api_version, kind) is None:
                continue
            try:
                listed = self.cluster.list(api_version, kind, labels=f"{PROJECT_LABEL}={self.project}")
            except Forbidden:
                continue
            found |= {each["metadata"]["name"] for each in listed} - self.others
            break
        return sorted(found)

    def allows(self, namespace: str) -> bool:
        """Whether the project may use a namespace; of one that the person cannot see, no."""
        if namespace in self.own:
            return True
        if namespace in self.others or not namespace:
            return False
        there = self.read(namespace)
        return there is not None and _labels(there).get(PROJECT_LABEL) == self.project

    def read(self, namespace: str) -> Object | None:
        """A namespace; None where there is none, or the person may not see it."""
        try:
            return self.cluster.get(_ref(namespace))
        except Forbidden:
            return None

    def create(self, namespace: str, order: str) -> str:
        """Make a namespace for the project, by the platform's own request where it has one; answers its uid.

        Raises:
            AlreadyExists: there is one of that name.
        """
        labels = {PROJECT_LABEL: self.project, ORDER_LABEL: order}
        metadata = {"name": namespace, "labels": labels}
        if self.cluster.find(_PROJECTS, "ProjectRequest"):
            body: Object = {"apiVersion": _PROJECTS, "kind": "ProjectRequest", "metadata": metadata}
            body["description"] = _mark(order)
        else:
            body = {"apiVersion": "v1", "kind": "Namespace", "metadata": metadata}
        self.cluster.create(body)
        return self.adopt(namespace, order)

    def adopt(self, namespace: str, order: str) -> str:
        """The uid of the namespace that an order made, with its labels; empty where it made none of that name."""
        there = self.read(namespace)
        if there is None or not is_of(there, order):
            return ""
        wanted = {PROJECT_LABEL: self.project, ORDER_LABEL: order}
        if not wanted.items() <= _labels(there).items():
            self._label(namespace, wanted)
        return str(there["metadata"]["uid"])

    def _label(self, namespace: str, labels: Mapping[str, str]) -> None:
        """What a project's request may leave out; its maker may not label it, so that the context's own user does."""
        body = {"metadata": {"labels": dict(labels)}}
        path = f"/api/v1/namespaces/{namespace}"
        try:
            more: dict[str, Any] = {"body": body, "identity": Identity(), "content_type": _MERGE}
            self.cluster.call("label namespace", "PATCH", path, **more)
        except (Forbidden, NotFound) as error:
            cause = f"the namespace {namespace} is there, and nobody may label it for its project"
            step = "Let the context's user patch namespaces, or name the namespace in CLUSTER_NAMESPACES."
            raise ServiceError(self.cluster.service, "label namespace", cause, next_step=step) from error


def is_of(item: Mapping[str, Any], order: str) -> bool:
    """Whether an order made an object."""
    annotations = item["metadata"].get("annotations") or {}
    return _labels(item).get(ORDER_LABEL) == order or annotations.get(_DESCRIPTION) == _mark(order)


def _mark(order: str) -> str:
    return f"Made by order {order}"


def _labels(item: Mapping[str, Any]) -> dict[str, str]:
    return item["metadata"].get("labels") or {}


def _ref(namespace: str) -> Ref:
    return Ref("v1", "Namespace", "", namespace)
