"""A simulated cluster of a test's own, in a thread of the test's process, on a free port.

``running("openshift", folder)`` gives a ``Simulated``; fixtures make one per module and clear it between tests.
"""

import asyncio
import contextlib
import json
import ssl
import threading
import typing
import urllib.request
from collections.abc import Iterator
from concurrent.futures import Future
from dataclasses import dataclass, field
from pathlib import Path

import kubernetes
from kubernetes.dynamic import DynamicClient

from devcloud.cluster import certificates, kubeconfig, users
from devcloud.cluster.core import Cluster
from devcloud.cluster.server import serve

HOST = "127.0.0.1"
_SECONDS = 20


@dataclass
class Simulated:
    """A cluster that runs.

    Attributes:
        name: ``openshift`` or ``kubernetes``; the kubeconfig's context of the administrator has it, too.
        url: where it answers.
        folder: has its kubeconfig and its objects.
        cluster: its inside; touch it through ``call`` only.
        loop: the thread's event loop.
    """

    name: str
    url: str
    folder: Path
    cluster: Cluster
    loop: asyncio.AbstractEventLoop = field(repr=False)

    @property
    def kubeconfig(self) -> Path:
        """The file for clients."""
        return self.folder / "kubeconfig"

    def context(self, user: str = "admin") -> str:
        """Return the kubeconfig's context of a user."""
        return self.name if user == "admin" else f"{self.name}-{user}"

    def client(self, user: str = "admin") -> DynamicClient:
        """Return a dynamic client of a user."""
        return dynamic(self.kubeconfig, self.context(user))

    def call(self, function: typing.Callable[[], typing.Any]) -> typing.Any:
        """Have the cluster's own thread do something, and return what came of it."""
        done: Future[typing.Any] = Future()

        def run() -> None:
            try:
                done.set_result(function())
            except BaseException as error:  # noqa: BLE001 - the caller's to see
                done.set_exception(error)

        self.loop.call_soon_threadsafe(run)
        return done.result(_SECONDS)

    def steer(self, what: str, body: typing.Any = None, method: str = "POST") -> typing.Any:
        """Ask ``/_devcloud/<what>``, as another process would."""
        request = urllib.request.Request(
            f"{self.url}/_devcloud/{what}",
            None if body is None else json.dumps(body).encode(),
            {"Authorization": f"Bearer {users.token('admin')}", "Content-Type": "application/json"},
            method=method,
        )
        trusting = ssl.create_default_context(cafile=str(self.folder / "ca.pem"))
        with urllib.request.urlopen(request, timeout=_SECONDS, context=trusting) as answer:
            return json.load(answer)

    def fault(self, **fault: typing.Any) -> None:
        """Set a fault; see ``devcloud.cluster.faults.Fault``."""
        self.steer("faults", fault)

    def advance(self, seconds: float) -> None:
        """Let time pass."""
        self.steer("clock", {"advance": seconds})

    def works_again(self) -> None:
        """Take faults back and let time run."""
        self.steer("faults", method="DELETE")
        self.steer("clock", {"run": True})


@dataclass(frozen=True)
class Space:
    """A namespace of a cluster, as one of its users sees it."""

    cluster: Simulated
    namespace: str
    user: str = "admin"
    headers: dict[str, str] = field(default_factory=dict)

    def as_(self, user: str, **headers: str) -> "Space":
        """Return the same as another user sees it; ``Impersonate_User="x"`` sends that header."""
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        return Space(self.cluster, self.namespace, user, sent)

    def client(self) -> DynamicClient:
        """Return the user's client."""
        found = self.cluster.client(self.user)
        for name, value in self.headers.items():
            found.client.set_default_header(name, value)
        return found

    def kind(self, kind: str, api_version: str = "v1", **more: str) -> typing.Any:
        """Return a kind of the cluster; its calls need ``namespace`` as ever."""
        return self.client().resources.get(api_version=api_version, kind=kind, **more)

    def make(self, kind: str, name: str, api_version: str = "v1", **content: typing.Any) -> typing.Any:
        """Create an object; ``metadata`` adds to its name."""
        metadata = {"name": name, **content.pop("metadata", {})}
        body = {"apiVersion": api_version, "kind": kind, "metadata": metadata, **content}
        return self.kind(kind, api_version).create(body=body, namespace=self.namespace)

    def get(self, kind: str, name: str, api_version: str = "v1") -> typing.Any:
        """Return an object."""
        return self.kind(kind, api_version).get(name=name, namespace=self.namespace)

    def names(self, kind: str, api_version: str = "v1") -> list[str]:
        """Return the names of all objects of a kind."""
        return [item.metadata.name for item in self.kind(kind, api_version).get(namespace=self.namespace).items]


def dynamic(file: Path, context: str | None = None) -> DynamicClient:
    """Return a dynamic client of a kubeconfig's context, with a discovery cache of its own."""
    api = kubernetes.config.new_client_from_config(str(file), context)
    name = f"discovery-{context or 'default'}.json"
    return DynamicClient(api, cache_file=str(file.parent / name) if context else None)


@contextlib.contextmanager
def running(name: str, folder: Path) -> Iterator[Simulated]:
    """Run a cluster on a free port; what is in the folder stays there."""
    authority = certificates.ensure(folder, HOST)
    ready: Future[tuple[Simulated, typing.Callable[[], None]]] = Future()

    async def run() -> None:
        try:
            cluster = Cluster(name, folder / name)
            runner, port = await serve(cluster, HOST, 0, certificates.context(folder))
            loop, stop = asyncio.get_running_loop(), asyncio.Event()
            url = f"https://{HOST}:{port}"
            kubeconfig.write(folder / "kubeconfig", {name: url}, authority.read_bytes())
            simulated = Simulated(name, url, folder, cluster, loop)
            ready.set_result((simulated, lambda: loop.call_soon_threadsafe(stop.set)))
            await stop.wait()
            await runner.cleanup()
        except BaseException as error:
            if not ready.done():
                ready.set_exception(error)
            raise

    thread = threading.Thread(target=asyncio.run, args=(run(),), daemon=True)
    thread.start()
    simulated, stop = ready.result(_SECONDS)
    try:
        yield simulated
    finally:
        stop()
        thread.join(_SECONDS)
        for cache in folder.glob("discovery-*.json"):
            cache.unlink()
