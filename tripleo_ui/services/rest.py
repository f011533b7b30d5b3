"""One way to call a service's HTTP API: timeouts, and errors that say what failed."""

import json
import logging
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from typing import Any

import requests
from keystoneauth1 import exceptions
from keystoneauth1.adapter import Adapter
from requests.adapters import HTTPAdapter

from tripleo_ui.services.breaker import Breaker
from tripleo_ui.services.errors import ServiceError, failure

LOG = logging.getLogger(__name__)
_REQUEST_ID_HEADERS = ("x-openstack-request-id", "x-compute-request-id", "x-trans-id")
_CAUSE_LIMIT = 600
#: Connections to one service that are kept open: a batch makes as many calls at once.
CONNECTIONS = 32


class TimeoutSession(requests.Session):
    """A ``requests`` session whose every call ends: ``connect`` and ``read`` are seconds."""

    def __init__(self, connect: float, read: float) -> None:
        super().__init__()
        self._timeout = (connect, read)
        for scheme in ("http://", "https://"):
            self.mount(scheme, HTTPAdapter(pool_maxsize=CONNECTIONS))

    def request(self, method: str, url: str, **more: Any) -> requests.Response:  # type: ignore[override]
        """Send a request, with the session's timeouts unless the caller has its own."""
        more["timeout"] = more.get("timeout") or self._timeout
        return super().request(method, url, **more)


class Rest:
    """Calls to one service through a keystoneauth session; ``breaker`` leaves it alone while it is away."""

    def __init__(self, session: Any, service: str, breaker: Breaker | None = None, **endpoint: Any) -> None:
        self.service = service
        self._breaker = breaker
        self._adapter = Adapter(session, raise_exc=False, **endpoint)

    def call(
        self,
        operation: str,
        method: str,
        path: str,
        *,
        expect: tuple[int, ...] = (),
        headers: Mapping[str, str] | None = None,
        **more: Any,
    ) -> requests.Response:
        """Call the API.

        Statuses of 400 and above raise, but for those in ``expect``.

        Raises:
            ServiceError: what failed, as the service said it.
        """
        guarding = self._breaker.guarding(operation) if self._breaker else nullcontext()
        with guarding:
            return self._call(operation, method, path, expect, dict(headers or {}), more)

    def _call(
        self,
        operation: str,
        method: str,
        path: str,
        expect: tuple[int, ...],
        headers: dict[str, str],
        more: dict[str, Any],
    ) -> requests.Response:
        # keystoneauth's own log has bodies: they carry plans, and plans carry passwords.
        with self._logged(operation, method) as seen, translated(self.service, operation):
            response = self._adapter.request(path, method, headers=headers, log=False, **more)
            seen.append(response)
        if response.status_code < 400 or response.status_code in expect:
            return response
        raise failure(self.service, operation, cause_in(response), request_id(response), response.status_code)

    @contextmanager
    def _logged(self, operation: str, method: str) -> Iterator[list[requests.Response]]:
        """One line about a call: what was asked of whom, how it ended, how long it took, and the service's own id."""
        began = time.monotonic()
        seen: list[requests.Response] = []
        try:
            yield seen
        finally:
            status = seen[0].status_code if seen else None
            said = {
                "service": self.service,
                "operation": operation,
                "method": method,
                "status": status,
                "milliseconds": round((time.monotonic() - began) * 1000),
                "service_request_id": request_id(seen[0]) if seen else "",
            }
            quiet = method in {"GET", "HEAD"} and status is not None and status < 400
            text = "%(service)s: %(operation)s: %(method)s %(status)s in %(milliseconds)s ms %(service_request_id)s"
            LOG.log(logging.DEBUG if quiet else logging.INFO, text, said, extra=said)


@contextmanager
def translated(service: str, operation: str) -> Iterator[None]:
    """Turn what keystoneauth and ``requests`` raise into a ``ServiceError``."""
    try:
        yield
    except ServiceError:
        raise
    except (exceptions.ConnectTimeout, requests.Timeout) as error:
        raise failure(service, operation, "the service did not answer in time") from error
    except (
        exceptions.ConnectFailure,
        exceptions.RetriableConnectionFailure,
        requests.ConnectionError,
    ) as error:
        raise failure(service, operation, "no connection to the service") from error
    except (exceptions.EndpointNotFound, exceptions.EmptyCatalog) as error:
        cause = "the service catalog has no endpoint for it"
        raise ServiceError(service, operation, cause, next_step="Register its endpoint in Keystone.") from error
    except exceptions.HttpError as error:
        cause = error.message or "Keystone refused"
        raise failure(service, operation, cause, error.request_id or "", error.http_status) from error
    except exceptions.ClientException as error:
        raise failure(service, operation, str(error), status=500) from error


def request_id(response: requests.Response) -> str:
    """The id under which the service logged the request, or an empty string."""
    return next((response.headers[name] for name in _REQUEST_ID_HEADERS if name in response.headers), "")


def cause_in(response: requests.Response) -> str:
    """The reason in an error's body, whichever of OpenStack's forms it has."""
    text = response.text.strip()
    try:
        found = _message(json.loads(text))
    except ValueError:
        found = None if text.startswith("<") else text
    return (found or f"HTTP {response.status_code} {response.reason or ''}".strip())[:_CAUSE_LIMIT]


def _message(body: Any) -> str | None:
    """Depth first, the first text under a name that services use for their reason."""
    if isinstance(body, str):
        # Ironic wraps a JSON document in a string.
        return _message(json.loads(body)) if body.startswith("{") else body
    if isinstance(body, list):
        return next((found for item in body if (found := _message(item))), None)
    if not isinstance(body, dict):
        return None
    for name in ("faultstring", "message", "detail", "description"):
        if isinstance(body.get(name), str) and body[name]:
            return body[name]
    nested = (value for value in body.values() if isinstance(value, dict | list) or str(value).startswith("{"))
    return next((found for value in nested if (found := _message(value))), None)
