"""Clusters in tests: a simulated one of a test's own, and what is set to reach it."""

from contextlib import contextmanager

from tests.cluster import running as cluster_running
from tripleo_ui import config
from tripleo_ui.services import clusters
from tripleo_ui.services.clusters import Clusters, Person

DEMO = Person("u-demo", "demo", "p1")
TOM = Person("u-tom", "tom", "p2")
#: What a test's conductor is told of the clusters; the context is the broker's, who may do nothing but impersonate.
NAMESPACES = "p1=demo,p2=other"


@contextmanager
def cluster(name, folder):
    """A simulated cluster with a second namespace, which is another project's."""
    with cluster_running(name, folder) as simulated:
        names = simulated.client().resources.get(api_version="v1", kind="Namespace")
        names.create(body={"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "other"}})
        yield simulated
    clusters._opened.cache_clear()


def settings_for(simulated, **more):
    """The settings that name a cluster."""
    return {
        "kubeconfig": str(simulated.kubeconfig),
        "clusters": f"{simulated.name}={simulated.context('broker')}",
        "cluster_user": "{user_name}",
        "cluster_namespaces": NAMESPACES,
        "connect_timeout": 2.0,
        "read_timeout": 5.0,
        **more,
    }


def clusters_of(simulated, breakers=None, **more):
    return Clusters(config.Settings(**settings_for(simulated, **more)), breakers)
