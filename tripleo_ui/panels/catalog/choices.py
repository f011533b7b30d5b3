"""What an order's dialog can choose from: things of the cluster or of the cloud, asked for where a field needs them.

What a person may not list has no choices, and the field takes any name.
"""

from collections.abc import Callable, Mapping
from functools import partial

from django.utils.translation import gettext as _

from tripleo_ui.catalog.fields import Dialog, Field
from tripleo_ui.config import settings
from tripleo_ui.services import fanout
from tripleo_ui.services.cloud import Cloud
from tripleo_ui.services.errors import Forbidden, ServiceError
from tripleo_ui.services.kubernetes_cluster import Cluster
from tripleo_ui.web import failures
from tripleo_ui.web.dialog_forms import PICKED, Choices
from tripleo_ui.web.failures import Failure

_DEFAULT = "storageclass.kubernetes.io/is-default-class"
Ask = Callable[[], Choices]


def read(
    dialog: Dialog, cloud: Cloud, project_id: str, cluster: Cluster | None, namespace: str
) -> tuple[dict[str, Choices], list[Failure]]:
    """(parameter name → its choices, what failed): one call for each kind of thing, however many fields ask for it."""
    kinds = {each.name: _kind(each) for each in dialog.fields if each.type in PICKED and not each.hidden}
    known = _of_cloud(cloud, project_id) | (_of_cluster(cluster, namespace) if cluster else {})
    answers = fanout.gather({kind: known[kind] for kind in dict.fromkeys(kinds.values()) if kind in known})
    failed = [
        failures.explain(answer)
        for answer in answers.values()
        if isinstance(answer, ServiceError) and not isinstance(answer, Forbidden)
    ]
    found = fanout.successes(answers)
    return {name: found.get(kind) for name, kind in kinds.items()}, list(dict.fromkeys(failed))


def _kind(each: Field) -> str:
    return each.picker or each.type


def _of_cluster(cluster: Cluster, namespace: str) -> Mapping[str, Ask]:
    return {
        "storage-class": partial(_storage_classes, cluster),
        "image-stream": partial(_image_streams, cluster, namespace),
    }


def _storage_classes(cluster):
    found = cluster.list("storage.k8s.io/v1", "StorageClass")
    names = {each["metadata"]["name"]: each["metadata"].get("annotations") or {} for each in found}
    return [
        (name, _("%(name)s (the default)") % {"name": name} if marks.get(_DEFAULT) == "true" else name)
        for name, marks in sorted(names.items())
    ]


def _image_streams(cluster, namespace):
    shared = (part.strip() for part in settings.catalog_namespaces.split(","))
    found: dict[str, str] = {}
    for each in dict.fromkeys(filter(None, (namespace, *shared))):
        for stream in cluster.list("image.openshift.io/v1", "ImageStream", each):
            found.setdefault(stream["metadata"]["name"], each)
    return [(name, f"{name} ({place})") for name, place in sorted(found.items())]


def _of_cloud(cloud: Cloud, project_id: str) -> Mapping[str, Ask]:
    """By the names of Heat's custom constraints."""
    return {
        "nova.flavor": lambda: [(each.name, each.name) for each in cloud.nova.flavors()],
        "nova.keypair": lambda: [(name, name) for name in cloud.nova.key_pairs()],
        "glance.image": lambda: [(each.id, each.name) for each in cloud.glance.images()],
        "neutron.network": lambda: [(each.id, each.name) for each in cloud.neutron.networks()],
        "neutron.subnet": lambda: [(each.id, each.cidr) for each in cloud.neutron.subnets()],
        "neutron.security_group": lambda: sorted(cloud.neutron.security_groups(project_id).items()),
        "cinder.vtype": lambda: sorted(cloud.cinder.types().items()),
    }
