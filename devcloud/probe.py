"""Asks the running services questions, with short timeouts, as the administrator."""

import json
import typing

import requests
from keystoneauth1 import exceptions
from keystoneauth1.identity import v3
from keystoneauth1.session import Session

from devcloud.layout import PASSWORD, Layout

_SCOPES = {
    "admin": {"project_name": "admin", "project_domain_name": "Default", "username": "admin"},
    "system": {"system_scope": "all", "username": "admin"},
    # Swift's own project: what a check writes is in nobody's way.
    "service": {"project_name": "service", "project_domain_name": "Default", "username": "swift"},
}


# Opens what a process writes to its log.
STARTED = "--- started "


class NotReady(Exception):
    """A service does not do its work yet; the text says what is missing."""


class Probe:
    """Sessions of the administrator, made when they are first needed."""

    def __init__(self, layout: Layout, timeout: float = 20.0):
        self.layout = layout
        self._timeout = timeout
        self._sessions: dict[str, Session] = {}

    def session(self, scope: str = "admin") -> Session:
        """Return the session of a scope: ``admin``, ``system`` or ``service``."""
        if scope not in self._sessions:
            self._sessions[scope] = self._connect(scope)
        return self._sessions[scope]

    def _connect(self, scope: str) -> Session:
        identity = {"password": PASSWORD, "user_domain_name": "Default", **_SCOPES[scope]}
        http = requests.Session()
        http.trust_env = False
        auth = v3.Password(self.layout.auth_url, **identity)
        return Session(auth, session=http, timeout=self._timeout)

    def token(self) -> str:
        """Return a token that was issued now.

        Raises:
            NotReady: Keystone did not issue one.
        """
        try:
            return typing.cast("str", self._connect("admin").get_token())
        except exceptions.ClientException as error:
            raise NotReady(_reason(error)) from error

    def get(self, service: str, path: str, **options: typing.Any) -> typing.Any:
        """Return the JSON that a GET answers with.

        Raises:
            NotReady: no answer in time, an error, or no JSON.
        """
        try:
            return self.request("GET", service, path, **options).json()
        except json.JSONDecodeError as error:
            raise NotReady(f"GET {path}: the answer is no JSON") from error

    def request(
        self, method: str, service: str, path: str, scope: str = "admin", **options: typing.Any
    ) -> requests.Response:
        """Send a request; ``{project}`` in the path stands for the scope's project id.

        Raises:
            NotReady: no answer in time, or an error.
        """
        try:
            caller = self.session(scope)
            path = path.format(project=caller.get_project_id())
            return caller.request(self.layout.url(service) + path, method, **options)
        except exceptions.ClientException as error:
            raise NotReady(_reason(error)) from error

    def said(self, service: str, text: str) -> None:
        """See that a service without a port has written a text to its log since it was started.

        Raises:
            NotReady: it has not.
        """
        try:
            log = (self.layout.log / f"{service}.log").read_text(errors="replace")
        except OSError as error:
            raise NotReady(f"no log of {service}") from error
        if text not in log.rpartition(STARTED)[2]:
            raise NotReady(f"it has not said yet: {text}")

    def page(self, service: str, path: str, **options: typing.Any) -> str:
        """Return a page that needs none of Keystone's tokens; options are those of ``requests.get``.

        Raises:
            NotReady: no answer in time, or an error.
        """
        url = self.layout.url(service) + path
        try:
            with requests.Session() as plain:
                plain.trust_env = False
                answer = plain.get(url, timeout=self._timeout, **options)
                answer.raise_for_status()
        except requests.RequestException as error:
            raise NotReady(_reason(error)) from error
        return answer.text


def _reason(error: Exception) -> str:
    first = str(error).strip().splitlines()
    return f"{type(error).__name__}: {first[0] if first else ''}"[:300]


def require(found: bool, what: str) -> None:
    """Say what is missing.

    Raises:
        NotReady: ``found`` is false.
    """
    if not found:
        raise NotReady(what)
