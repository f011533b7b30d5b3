"""One way to call a Kubernetes API server: timeouts, the breaker, whom it is done for, and errors that say what failed.

The ``kubernetes`` client reads the kubeconfig, trusts its CA, signs in and keeps connections; bodies are plain JSON.
"""

import json
import logging
import time
from collections.abc import Iterable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlencode

import urllib3
from kubernetes import config
from kubernetes.client import ApiClient, ApiException, Configuration

from tripleo_ui.services.breaker import Breaker
from tripleo_ui.services.errors import Conflict, ServiceError, failure
from tripleo_ui.services.rest import CONNECTIONS

LOG = logging.getLogger(__name__)
_CAUSE_LIMIT = 600
_NEXT_CONFIG = "Check the kubeconfig and its context in the settings."


@dataclass(frozen=True)
class Identity:
    """Whom calls are made for: the cluster's own roles decide. Without a name it is who signs in."""

    user: str = ""
    groups: tuple[str, ...] = ()

    @property
    def headers(self) -> list[tuple[str, str]]:
        """The headers that say so."""
        if not self.user:
            return []
        return [("Impersonate-User", _header(self.user)), *(("Impersonate-Group", _header(g)) for g in self.groups)]


class AlreadyExists(Conflict):
    """There is an object of that name."""


class Changed(Conflict):
    """The object of that name is another one than was meant, or has changed meanwhile."""


class KubernetesApi:
    """A connection to one cluster. Safe to share between threads.

    Args:
        name: the cluster's name, for messages.
        kubeconfig: path of the file; empty for the usual places.
        context: which of its contexts.
        timeouts: seconds to connect, and to wait for an answer.
    """

    def __init__(self, name: str, kubeconfig: str, context: str, timeouts: tuple[float, float]) -> None:
        self.service = f"cluster {name}"
        self._timeouts = timeouts
        settings = Configuration()
        settings.connection_pool_maxsize = CONNECTIONS
        settings.retries = False  # Who calls knows whether a call may be made again.
        try:
            config.load_kube_config(kubeconfig or None, context, client_configuration=settings, persist_config=False)
        except (config.ConfigException, OSError) as error:
            raise ServiceError(self.service, "read kubeconfig", str(error), next_step=_NEXT_CONFIG) from error
        if not settings.verify_ssl:
            cause = "its certificate would not be verified"
            raise ServiceError(self.service, "read kubeconfig", cause, next_step="Give the context its CA.")
        self._client = ApiClient(settings)

    def call(
        self,
        operation: str,
        method: str,
        path: str,
        *,
        body: Any = None,
        query: Mapping[str, str] | None = None,
        identity: Identity | None = None,
        breaker: Breaker | None = None,
        content_type: str = "application/json",
    ) -> dict[str, Any]:
        """Call the API; answers its JSON.

        Raises:
            ServiceError: what failed, as the cluster said it: NotFound, Forbidden, AlreadyExists, Changed, Unavailable.
        """
        url = path + (f"?{urlencode(query)}" if query else "")
        with breaker.guarding(operation) if breaker else nullcontext():
            began, status = time.monotonic(), None
            try:
                response = self._send(operation, method, url, body, identity or Identity(), content_type)
                status = response.status
                content = response.data
            except urllib3.exceptions.HTTPError as error:
                raise self._unreachable(operation, error) from error
            finally:
                took = round((time.monotonic() - began) * 1000)
                quiet = method == "GET" and status is not None and status < 400
                level = logging.DEBUG if quiet else logging.INFO
                LOG.log(level, "%s: %s: %s %s in %s ms", self.service, operation, method, status, took)
            answer = _json(content)
            if status >= 400:
                raise self._refused(operation, status, answer)
            return answer

    def _send(
        self, operation: str, method: str, url: str, body: Any, identity: Identity, content_type: str
    ) -> urllib3.BaseHTTPResponse:
        signed: dict[str, str] = {}
        self._client.update_params_for_auth(signed, [], ["BearerToken"])
        # Several groups are several headers of one name, which a dict cannot hold.
        headers = urllib3.HTTPHeaderDict(signed | {"Accept": "application/json", "Content-Type": content_type})
        for name, value in identity.headers:
            headers.add(name, value)
        timeout = urllib3.Timeout(*self._timeouts)
        content = None if body is None else json.dumps(body).encode()
        try:
            return self._client.rest_client.pool_manager.request(
                method,
                self._client.configuration.host + url,
                body=content,
                headers=headers,
                timeout=timeout,
                redirect=False,
                retries=False,
            )
        except ApiException as error:
            raise failure(self.service, operation, str(error.reason), status=error.status or None) from error

    def _unreachable(self, operation: str, error: urllib3.exceptions.HTTPError) -> ServiceError:
        if isinstance(error, urllib3.exceptions.SSLError) and "CERTIFICATE" in str(error).upper():
            return ServiceError(self.service, operation, "its certificate is not trusted", next_step=_NEXT_CONFIG)
        late = isinstance(error, urllib3.exceptions.ReadTimeoutError)
        cause = "the cluster did not answer in time" if late else "no connection to the cluster"
        return failure(self.service, operation, cause)

    def _refused(self, operation: str, status: int, answer: Mapping[str, Any]) -> ServiceError:
        cause = str(answer.get("message") or f"HTTP {status}")[:_CAUSE_LIMIT]
        if status == 409:
            exists = answer.get("reason") == "AlreadyExists"
            return (AlreadyExists if exists else Changed)(self.service, operation, cause, status=status)
        found = failure(self.service, operation, cause, status=status)
        if status == 403:
            found.next_step = "Ask for a role in the cluster that allows it."
        return found


def path_of(*parts: str) -> str:
    """A path of parts, each of them escaped, but for slashes in the first, an API's own path."""
    return "/".join([parts[0], *(quote(part, safe="") for part in parts[1:])])


def query_of(**parts: str | Iterable[str]) -> dict[str, str]:
    """The parts of a query that say something."""
    return {name: str(value) for name, value in parts.items() if value}


def _header(text: str) -> str:
    """A header's value; names of people may have any letters."""
    if not text.isprintable():
        raise ServiceError("clusters", "act for a person", "the name of the user cannot be told to a cluster")
    return text.encode().decode("latin-1")


def _json(content: bytes) -> dict[str, Any]:
    try:
        found = json.loads(content)
    except ValueError:
        return {"message": content.decode(errors="replace").strip()}
    return found if isinstance(found, dict) else {"message": str(found)}
