"""Two simulated clusters: one like OpenShift, one of plain Kubernetes."""

import functools
import json
import sys

from devcloud.cluster import users
from devcloud.layout import Layout
from devcloud.probe import Probe, require
from devcloud.services.base import Service


def check(name: str, probe: Probe) -> None:
    """Its administrator sees its namespaces."""
    headers = {"Authorization": f"Bearer {users.token('admin')}"}
    authority = str(probe.layout.clusters / "ca.pem")
    page = probe.page(name, "/api/v1/namespaces", headers=headers, verify=authority)
    names = {item["metadata"]["name"] for item in json.loads(page)["items"]}
    require("default" in names, "there is no namespace called default")


def _service(name: str) -> Service:
    def command(_layout: Layout) -> list[str]:
        return [sys.executable, "-m", "devcloud.cluster", name]

    return Service(
        name,
        functools.partial(check, name),
        ports=(name,),
        after=(),
        folders=(f"clusters/{name}",),
        command=command,
        shims=False,
        database=False,
    )


OPENSHIFT = _service("openshift")
KUBERNETES = _service("kubernetes")
