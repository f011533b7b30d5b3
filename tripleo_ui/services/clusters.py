"""The clusters that orders go to, as the settings name them: contexts of a kubeconfig, and who may use what there."""

import threading
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from tripleo_ui.config import Settings
from tripleo_ui.config import settings as configured
from tripleo_ui.services.breaker import Breakers
from tripleo_ui.services.errors import Forbidden, NotFound
from tripleo_ui.services.kubernetes_api import Identity, KubernetesApi
from tripleo_ui.services.kubernetes_cluster import Cluster
from tripleo_ui.services.kubernetes_kinds import Kinds
from tripleo_ui.services.kubernetes_projects import Namespaces

#: The longest name of a cluster: the ledger has 32 characters for ``cluster NAME``.
_LONGEST = 24
_GROUP = "tripleo-ui:project:{}"
_AUTHENTICATED = "system:authenticated"


@dataclass(frozen=True)
class Person:
    """Whom clusters are used for; all texts are Keystone's."""

    user_id: str
    user_name: str
    project_id: str


class Clusters:
    """The clusters of the settings. Connections are the process's; ``breakers`` leave clusters alone that are away."""

    def __init__(self, settings: Settings = configured, breakers: Breakers | None = None) -> None:
        self._settings = settings
        self._breakers = breakers
        self._contexts = dict(_contexts(settings.clusters))

    @property
    def names(self) -> list[str]:
        """The names, in the settings' order."""
        return list(self._contexts)

    def cluster(self, name: str, person: Person) -> Cluster:
        """A cluster as a person may use it; no call is made.

        Raises:
            NotFound: the settings have none of that name.
            Forbidden: the person's name is one of the cluster's own.
        """
        if name not in self._contexts:
            step = "Choose another cluster, or have it added to the settings."
            raise NotFound("clusters", "find cluster", f"there is no cluster {name}", next_step=step)
        timeouts = (self._settings.connect_timeout, self._settings.read_timeout)
        api, kinds = _connection(name, self._settings.kubeconfig, self._contexts[name], timeouts)
        breaker = self._breakers.of("clusters", api.service) if self._breakers else None
        return Cluster(name, api, kinds, self._identity(person), breaker)

    def namespaces(self, cluster: Cluster, person: Person) -> Namespaces:
        """The namespaces of the person's project on a cluster."""
        given = [(project, place) for project, at, place in self._given() if at in {"", cluster.name}]
        own = frozenset(place for project, place in given if project == person.project_id)
        others = frozenset(place for _project, place in given) - own
        create = bool(self._settings.cluster_create_namespaces)
        return Namespaces(cluster, person.project_id, own, others, create)

    def _identity(self, person: Person) -> Identity:
        pattern = self._settings.cluster_user
        if not pattern:
            return Identity()
        name = pattern.format(user_name=person.user_name, user_id=person.user_id, project_id=person.project_id)
        # Somebody who is called so in Keystone is not who is called so in a cluster.
        if name.startswith("system:") or ":" in person.user_name:
            raise Forbidden("clusters", "act for a person", f"the clusters keep names such as {name} to themselves")
        return Identity(name, (_GROUP.format(person.project_id), _AUTHENTICATED))

    def _given(self) -> Iterator[tuple[str, str, str]]:
        """Project, cluster (empty: all) and namespace of each pair in the settings."""
        for pair in _parts(self._settings.cluster_namespaces):
            project, _, place = pair.partition("=")
            at, _, namespace = place.rpartition("/")
            yield project.strip(), at.strip(), namespace.strip()


def _contexts(text: str) -> Iterator[tuple[str, str]]:
    for part in _parts(text):
        name, _, context = (piece.strip() for piece in part.partition("="))
        if len(name) > _LONGEST:
            raise ValueError(f"CLUSTERS: {name} has more than {_LONGEST} characters: write a shorter name before a =")
        yield name, context or name


def _parts(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


_OPENING = threading.Lock()


def _connection(name: str, kubeconfig: str, context: str, timeouts: tuple[float, float]) -> tuple[KubernetesApi, Kinds]:
    """The process's connection to a cluster, and what it serves; made once."""
    with _OPENING:
        return _opened(name, kubeconfig, context, timeouts)


@cache
def _opened(name: str, kubeconfig: str, context: str, timeouts: tuple[float, float]) -> tuple[KubernetesApi, Kinds]:
    api = KubernetesApi(name, kubeconfig, context, timeouts)
    return api, Kinds(lambda path: api.call("discover kinds", "GET", path))
