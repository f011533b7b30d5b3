"""Where the cloud lives: folders, ports, names and credentials, all derived from a folder and a base port."""

import functools
import json
import os
import sys
from dataclasses import dataclass
from pathlib import Path

HOST = "127.0.0.1"
REGION = "RegionOne"
DEFAULT_BASE_PORT = 21000

# One password for every account: the cloud listens on loopback only and holds nothing of value.
PASSWORD = "secret"  # noqa: S105

# The order gives each port's distance from the base port; new ones go to the end.
PORTS = (
    "horizon",
    "keystone",
    "swift",
    "swift_account",
    "swift_container",
    "swift_object",
    "heat",
    "heat_cfn",
    "glance",
    "ironic",
    "placement",
    "neutron",
    "cinder",
    "nova",
    "gnocchi",
    "aodh",
    "openshift",
    "kubernetes",
)
# Those that speak TLS, with an authority of the cloud's own.
_SECURE = {"openshift", "kubernetes"}

REPOSITORY = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class Layout:
    """The cloud's folder and base port, and everything that follows from them."""

    root: Path
    base_port: int
    only: tuple[str, ...] = ()
    peers: bool = True

    @classmethod
    def from_env(cls) -> "Layout":
        """Read ``DEVCLOUD_DIR``, ``DEVCLOUD_BASE_PORT``, ``DEVCLOUD_SERVICES`` and ``DEVCLOUD_PEERS``.

        What the environment leaves open comes from the cloud that was last started in the folder.

        Raises:
            ValueError: the base port is no number, or leaves no room for the ports.
        """
        root = Path(os.environ.get("DEVCLOUD_DIR") or REPOSITORY / ".devcloud").resolve()
        saved = _saved(root)
        port = int(os.environ.get("DEVCLOUD_BASE_PORT") or saved.get("base_port") or DEFAULT_BASE_PORT)
        if not 1024 <= port <= 65535 - len(PORTS):
            raise ValueError(f"DEVCLOUD_BASE_PORT={port}: choose one from 1024 to {65535 - len(PORTS)}")
        only = os.environ.get("DEVCLOUD_SERVICES")
        names = tuple(filter(None, only.split(","))) if only is not None else tuple(saved.get("only", ()))
        peers = os.environ.get("DEVCLOUD_PEERS")
        return cls(root, port, names, saved.get("peers", True) if peers is None else peers != "0")

    def save(self) -> None:
        """Remember the base port and the choice of services for the commands that follow."""
        self.run.mkdir(parents=True, exist_ok=True)
        content = {"base_port": self.base_port, "only": self.only, "peers": self.peers}
        self._settings.write_text(json.dumps(content))

    @property
    def _settings(self) -> Path:
        return self.run / "layout.json"

    @functools.cached_property
    def etc(self) -> Path:
        """Configuration files; written anew at each start."""
        return self.root / "etc"

    @functools.cached_property
    def state(self) -> Path:
        """Databases, objects and images: what the golden state is a copy of."""
        return self.root / "state"

    @functools.cached_property
    def service_user_id(self) -> Path:
        """The id of the orchestrator's user, which the dashboard's settings name."""
        return self.state / "tripleo_ui_user_id"

    @functools.cached_property
    def log(self) -> Path:
        """One log file per service."""
        return self.root / "log"

    @functools.cached_property
    def run(self) -> Path:
        """Process ids, the status board and the lock."""
        return self.root / "run"

    @functools.cached_property
    def path(self) -> Path:
        """Folder on the Python path of the cloud's processes only: it holds the shims' entry points."""
        return self.root / "path"

    @functools.cached_property
    def golden(self) -> Path:
        """Saved states by key."""
        return self.root / "golden"

    @functools.cached_property
    def clouds_yaml(self) -> Path:
        """Clients' configuration."""
        return self.root / "clouds.yaml"

    @functools.cached_property
    def kubeconfig(self) -> Path:
        """Configuration for clients of the two clusters."""
        return self.root / "kubeconfig"

    @functools.cached_property
    def clusters(self) -> Path:
        """The clusters' objects and certificates; each cluster furnishes itself, so no saved state has them."""
        return self.state / "clusters"

    @functools.cached_property
    def prefix(self) -> Path:
        """Where the services' packages put their data files."""
        return Path(sys.prefix)

    def port(self, name: str) -> int:
        """Return the TCP port of a service."""
        return self.base_port + PORTS.index(name)

    def url(self, name: str) -> str:
        """Return a service's URL without a path."""
        return f"{'https' if name in _SECURE else 'http'}://{HOST}:{self.port(name)}"

    @property
    def auth_url(self) -> str:
        """Keystone's URL with its version."""
        return f"{self.url('keystone')}/v3"

    def database(self, name: str) -> str:
        """Return the SQLAlchemy URL of one database; a writer waits up to 60 seconds for its turn."""
        return f"sqlite:///{self.state / name}.sqlite?timeout=60"

    def environment(self) -> dict[str, str]:
        """Return the variables that carry this layout into a child process."""
        return {
            "DEVCLOUD_DIR": str(self.root),
            "DEVCLOUD_BASE_PORT": str(self.base_port),
            "DEVCLOUD_SERVICES": ",".join(self.only),
            "DEVCLOUD_PEERS": "1" if self.peers else "0",
        }


def _saved(root: Path) -> dict:
    try:
        return json.loads((root / "run" / "layout.json").read_text())
    except (OSError, ValueError):
        return {}
