"""What a cluster serves: the path, the verbs and the scope of each kind, asked once and kept for a while."""

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tripleo_ui.services.errors import NotFound
from tripleo_ui.services.kubernetes_api import path_of

#: How long an answer counts, in seconds; a kind that is not known is asked for again at once.
KEPT_SECONDS = 600.0
#: Kinds of a group that only answer, and are nothing that can be kept.
_ANSWERS = frozenset({"processedtemplates"})


@dataclass(frozen=True)
class Resource:
    """How objects of a kind are reached; ``name`` is the plural in paths."""

    api_version: str
    kind: str
    name: str
    namespaced: bool
    verbs: frozenset[str] = frozenset()

    @property
    def group(self) -> str:
        """The API group; empty for the core."""
        return self.api_version.rpartition("/")[0]

    def path(self, namespace: str = "", name: str = "") -> str:
        """The path of one object, or of all of a namespace."""
        parts = ["namespaces", namespace] if self.namespaced and namespace else []
        return path_of(root(self.api_version), *parts, self.name, *([name] if name else []))


@dataclass(frozen=True)
class Ref:
    """Which object; ``namespace`` is empty for those of the whole cluster."""

    api_version: str
    kind: str
    namespace: str
    name: str

    @classmethod
    def of(cls, item: Mapping[str, Any]) -> "Ref":
        """Which object a body is of."""
        metadata = item["metadata"]
        return cls(item["apiVersion"], item["kind"], metadata.get("namespace") or "", metadata["name"])

    def __str__(self) -> str:
        return f"{self.kind} {self.name}"


def root(api_version: str) -> str:
    """The path under which a version's resources are."""
    return path_of("/apis" if "/" in api_version else "/api", *api_version.split("/"))


@dataclass
class Kinds:
    """The kinds of one cluster; ``fetch`` answers the APIResourceList of a path. Safe to share between threads."""

    fetch: Callable[[str], dict[str, Any]]
    clock: Callable[[], float] = time.monotonic
    _guard: threading.Lock = field(default_factory=threading.Lock)
    _known: dict[str, tuple[float, dict[str, Resource]]] = field(default_factory=dict)

    def find(self, api_version: str, kind: str) -> Resource | None:
        """The resource of a kind; None where the cluster does not serve it."""
        with self._guard:
            asked, found = self._known.get(api_version, (0.0, {}))
            if kind not in found or self.clock() - asked > KEPT_SECONDS:
                found = self._ask(api_version)
                self._known[api_version] = (self.clock(), found)
            return found.get(kind)

    def _ask(self, api_version: str) -> dict[str, Resource]:
        try:
            listed = self.fetch(root(api_version)).get("resources", [])
        except NotFound:
            return {}
        return {
            each["kind"]: Resource(
                api_version, each["kind"], each["name"], bool(each["namespaced"]), frozenset(each.get("verbs", ()))
            )
            for each in listed
            if "/" not in each["name"] and each["name"] not in _ANSWERS
        }
