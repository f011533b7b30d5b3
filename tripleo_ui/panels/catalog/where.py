"""Where an order goes: a cluster, and a namespace of the project's there or a new one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _

from tripleo_ui.catalog import formats
from tripleo_ui.services.cloud import Cloud
from tripleo_ui.services.clusters import Person
from tripleo_ui.services.errors import ServiceError
from tripleo_ui.services.kubernetes_cluster import Cluster
from tripleo_ui.services.kubernetes_projects import Namespaces
from tripleo_ui.web import failures
from tripleo_ui.web.failures import Failure

#: What is posted for a namespace that the order makes.
NEW = "+"
#: The form's fields.
NAMES = ("cluster", "namespace", "new_namespace", "stack_name")


@dataclass(frozen=True)
class Typed:
    """What was chosen: ``namespace`` is one that is there or ``NEW``, then ``new`` has its name; or a stack's name."""

    cluster: str = ""
    namespace: str = ""
    new: str = ""
    stack: str = ""

    @classmethod
    def read(cls, data: Mapping[str, str]) -> "Typed":
        """From a form or a draft."""
        return cls(*(str(data.get(name, "")).strip() for name in NAMES))

    def data(self) -> dict[str, str]:
        """As a draft keeps it."""
        return dict(zip(NAMES, (self.cluster, self.namespace, self.new, self.stack), strict=True))

    @property
    def creates(self) -> bool:
        """Whether the order makes the namespace."""
        return self.namespace == NEW

    @property
    def name(self) -> str:
        """The namespace's name."""
        return self.new if self.creates else self.namespace


NOWHERE = Typed()


@dataclass(frozen=True)
class Where:
    """What there is to choose from, and what was chosen.

    Attributes:
        clusters: names of those where the item can be ordered.
        cluster: the chosen one, as the person may use it; None where there is none, or it cannot be reached.
        namespaces: those of the project there; None where they are not known now.
        may_create: whether the project may have a new one made.
        typed: what was chosen, with the only choice there is.
        failure: why the cluster said nothing.
    """

    clusters: Sequence[str] = ()
    cluster: Cluster | None = None
    namespaces: Sequence[str] | None = ()
    may_create: bool = False
    typed: Typed = NOWHERE
    failure: Failure | None = None

    @property
    def namespace(self) -> str:
        """The name of a namespace that is there; empty for a new one."""
        return "" if self.typed.creates else self.typed.namespace


def read(cloud: Cloud, person: Person, clusters: Sequence[str], typed: Typed) -> Where:
    """Ask the chosen cluster, or the first one, for the project's namespaces."""
    name = typed.cluster if typed.cluster in clusters else next(iter(clusters), "")
    if not name:
        return Where(typed=typed)
    chosen = replace(typed, cluster=name)
    try:
        cluster = cloud.clusters.cluster(name, person)
        spaces: Namespaces = cloud.clusters.namespaces(cluster, person)
        names = spaces.names()
    except ServiceError as error:
        return Where(clusters, None, None, False, chosen, failures.explain(error))
    only = names[0] if len(names) == 1 else NEW if not names and spaces.may_create else ""
    if chosen.namespace not in {*names, NEW}:
        chosen = replace(chosen, namespace=only)
    return Where(clusters, cluster, names, spaces.may_create, chosen)


def problems(where: Where) -> dict[str, list[str]]:
    """Name of the form's field → what is wrong with it."""
    typed = where.typed
    if not where.clusters:
        return {}
    if typed.creates:
        wrong = formats.dns_label(typed.new) if typed.new else _("Give the new namespace a name.")
        if not wrong and typed.new in (where.namespaces or ()):
            wrong = _("There is a namespace of that name already: choose it above.")
        return {"new_namespace": [wrong]} if wrong else {}
    return {} if typed.namespace else {"namespace": [_("Choose a namespace.")]}
