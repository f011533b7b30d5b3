"""What the supervisor knows of a service."""

import sys
from collections.abc import Callable
from dataclasses import dataclass

from devcloud.layout import Layout
from devcloud.probe import Probe


@dataclass(frozen=True)
class Service:
    """A process that is started, watched and restarted.

    Attributes:
        name: its name in every command, file and status.
        check: raises ``NotReady`` as long as the service does not do its work.
        ports: names of the ports it listens on; the first is the one people use.
        after: services and seed steps that come first.
        folders: folders below the state folder that it expects.
        command: returns its argument list; by default ``python -m devcloud.launch.<name>``.
        shims: whether its Python path has the shims' entry points.
        database: whether ``devcloud.schema`` makes databases for it.
        startup_seconds: how long its first answer may take.
    """

    name: str
    check: Callable[[Probe], None]
    ports: tuple[str, ...] = ()
    after: tuple[str, ...] = ("keystone", "seed-identity")
    folders: tuple[str, ...] = ()
    command: Callable[[Layout], list[str]] | None = None
    shims: bool = True
    database: bool = True
    startup_seconds: float = 240.0

    def argv(self, layout: Layout) -> list[str]:
        """Return the argument list that starts it."""
        if self.command:
            return self.command(layout)
        return [sys.executable, "-m", f"devcloud.launch.{self.name}"]

    def url(self, layout: Layout) -> str:
        """Return the URL people use, or an empty string."""
        return layout.url(self.ports[0]) if self.ports else ""
