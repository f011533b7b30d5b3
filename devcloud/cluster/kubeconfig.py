"""The file that clients find clusters by: addresses, the authority, and everybody's token."""

import base64
import typing
from collections.abc import Mapping
from pathlib import Path

import yaml

from devcloud.cluster import certificates, users
from devcloud.cluster.users import BROKER, USERS
from devcloud.layout import HOST, Layout

Object = dict[str, typing.Any]


def content(servers: Mapping[str, str], authority: bytes) -> Object:
    """Return a kubeconfig.

    Its contexts are ``openshift`` for the administrator of that cluster, ``openshift-demo`` for its user demo, and so
    on; each namespace is ``demo``.

    Args:
        servers: URLs by the clusters' names.
        authority: the certificate that vouches for them, as PEM.
    """
    names = [*(user.name for user in USERS), BROKER]
    data = base64.b64encode(authority).decode()
    clusters = [
        {"name": cluster, "cluster": {"server": url, "certificate-authority-data": data}}
        for cluster, url in servers.items()
    ]
    contexts = [
        {
            "name": cluster if name == "admin" else f"{cluster}-{name}",
            "context": {"cluster": cluster, "user": name, "namespace": "demo"},
        }
        for cluster in servers
        for name in names
    ]
    return {
        "apiVersion": "v1",
        "kind": "Config",
        "preferences": {},
        "clusters": clusters,
        "contexts": contexts,
        "users": [{"name": name, "user": {"token": users.token(name)}} for name in names],
        "current-context": contexts[0]["name"] if contexts else "",
    }


def write(file: Path, servers: Mapping[str, str], authority: bytes) -> None:
    """Write a kubeconfig that only its owner reads."""
    file.touch(mode=0o600)
    file.write_text(yaml.safe_dump(content(servers, authority), sort_keys=False))


def prepare(layout: Layout) -> None:
    """Make the certificates of the cloud's clusters, where they are missing, and the file that finds them."""
    authority = certificates.ensure(layout.clusters, HOST)
    servers = {name: layout.url(name) for name in ("openshift", "kubernetes")}
    write(layout.kubeconfig, servers, authority.read_bytes())
