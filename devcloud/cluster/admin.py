"""How tests steer a cluster: faults, time, readiness, watches that break, and what was asked of it."""

import typing
from collections import deque
from collections.abc import Callable

from devcloud.cluster import errors
from devcloud.cluster.core import Cluster
from devcloud.cluster.faults import Fault

PREFIX = "/_devcloud/"
_REMEMBERED = 5_000


class Admin:
    """Answers below ``/_devcloud/``, for administrators only."""

    def __init__(self, cluster: Cluster, disconnect: Callable[[], int]):
        self._cluster = cluster
        self._disconnect = disconnect
        self.requests: deque[dict[str, typing.Any]] = deque(maxlen=_REMEMBERED)

    def note(self, method: str, path: str, user: str, status: int) -> None:
        """Remember a request."""
        self.requests.append({"method": method, "path": path, "user": user, "status": status})

    def answer(self, method: str, path: str, body: typing.Any) -> typing.Any:
        """Return what a request's answer says.

        Raises:
            ApiError: 400 or 404.
        """
        handler = self._HANDLERS.get((method, path.removeprefix(PREFIX)))
        if handler is None:
            raise errors.nothing_there()
        return handler(self, body)

    def _get_faults(self, _body: typing.Any) -> typing.Any:
        return [fault.described() for fault in self._cluster.faults.active]

    def _add_faults(self, body: typing.Any) -> typing.Any:
        for fault in [Fault.read(item) for item in (body if isinstance(body, list) else [body])]:
            self._cluster.faults.add(fault)
        return self._get_faults(None)

    def _clear_faults(self, _body: typing.Any) -> typing.Any:
        self._cluster.faults.clear()
        return []

    def _clock(self, body: typing.Any) -> typing.Any:
        """Take ``{"stop": true}``, ``{"run": true}``, ``{"advance": seconds}``, or several of them."""
        clock, wanted = self._cluster.clock, body or {}
        if wanted.get("stop"):
            clock.stop()
        clock.advance(float(wanted.get("advance") or 0))
        if wanted.get("run"):
            clock.run()
        self._cluster.driver.wake()
        return {"now": clock.now()}

    def _readiness(self, body: typing.Any) -> typing.Any:
        """Take ``{"seconds": 1.0, "kinds": {"pods": 5.0}}``."""
        readiness, wanted = self._cluster.readiness, body or {}
        readiness.seconds = float(wanted.get("seconds", readiness.seconds))
        readiness.kinds.update(wanted.get("kinds") or {})
        return {"seconds": readiness.seconds, "kinds": readiness.kinds}

    def _compact(self, _body: typing.Any) -> typing.Any:
        """Forget all changes so far: watches from before get 410."""
        self._cluster.store.history.forget(self._cluster.store.version)
        return {"version": self._cluster.store.version}

    def _break_watches(self, _body: typing.Any) -> typing.Any:
        return {"closed": self._disconnect()}

    def _get_requests(self, _body: typing.Any) -> typing.Any:
        return list(self.requests)

    def _clear_requests(self, _body: typing.Any) -> typing.Any:
        self.requests.clear()
        return []

    _HANDLERS: typing.ClassVar[dict[tuple[str, str], Callable[["Admin", typing.Any], typing.Any]]] = {
        ("GET", "faults"): _get_faults,
        ("POST", "faults"): _add_faults,
        ("DELETE", "faults"): _clear_faults,
        ("GET", "clock"): _clock,
        ("POST", "clock"): _clock,
        ("GET", "readiness"): _readiness,
        ("POST", "readiness"): _readiness,
        ("POST", "compact"): _compact,
        ("POST", "disconnect"): _break_watches,
        ("GET", "requests"): _get_requests,
        ("DELETE", "requests"): _clear_requests,
    }
