"""Who calls: bearer tokens of users and service accounts, and whom they say they act for."""

import base64
import binascii
import hashlib
import hmac
import json
import typing
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from devcloud.cluster import errors
from devcloud.cluster.clock import Clock
from devcloud.cluster.store import Store

MASTERS = "system:masters"
AUTHENTICATED = "system:authenticated"
_ACCOUNT = "system:serviceaccount:"
_DEFAULT_SECONDS = 3600.0


@dataclass(frozen=True)
class User:
    """A caller: name, uid, groups, and extra values that somebody who impersonates gave."""

    name: str
    uid: str = ""
    groups: tuple[str, ...] = ()
    extra: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def described(self) -> dict[str, typing.Any]:
        """Return it as ``userInfo`` of a review."""
        extra = {name: list(values) for name, values in self.extra.items()}
        content = {"username": self.name, "uid": self.uid, "groups": list(self.groups), "extra": extra}
        return {name: value for name, value in content.items() if value}


ANONYMOUS = User("system:anonymous", groups=("system:unauthenticated",))


def service_account(namespace: str, name: str, uid: str = "") -> User:
    """Return a service account as a user."""
    groups = ("system:serviceaccounts", f"system:serviceaccounts:{namespace}", AUTHENTICATED)
    return User(f"{_ACCOUNT}{namespace}:{name}", uid, groups)


class Identities:
    """Knows tokens: fixed ones of users, and signed ones of service accounts that exist."""

    def __init__(self, users: Mapping[str, User], key: bytes, store: Store, clock: Clock):
        self._users = users
        self._key = key
        self._store = store
        self._clock = clock

    def caller(self, authorization: str | None) -> User:
        """Return who a request comes from; without a token that is nobody.

        Raises:
            ApiError: 401, the token is not valid.
        """
        if not authorization:
            return ANONYMOUS
        kind, _, token = authorization.partition(" ")
        found = self._known(token.strip()) if kind.lower() == "bearer" else None
        if not found:
            raise errors.unauthorized()
        return found

    def _known(self, token: str) -> User | None:
        for known, user in self._users.items():
            if hmac.compare_digest(known.encode(), token.encode()):
                return user
        return self._account(token)

    def issue(self, namespace: str, name: str, uid: str, seconds: float | None) -> tuple[str, float]:
        """Return a service account's token and when it expires."""
        expires = self._clock.now() + (seconds or _DEFAULT_SECONDS)
        said = json.dumps({"namespace": namespace, "name": name, "uid": uid, "expires": expires}).encode()
        return f"{_text(said)}.{_text(self._sign(said))}", expires

    def _account(self, token: str) -> User | None:
        said, _, signature = token.partition(".")
        try:
            content, signed = base64.urlsafe_b64decode(said), base64.urlsafe_b64decode(signature)
        except (ValueError, binascii.Error):
            return None
        if not hmac.compare_digest(signed, self._sign(content)):
            return None
        account = json.loads(content)
        kept = self._store.get("serviceaccounts", account["namespace"], account["name"])
        if kept is None or kept.uid != account["uid"] or account["expires"] < self._clock.now():
            return None
        return service_account(account["namespace"], account["name"], account["uid"])

    def _sign(self, content: bytes) -> bytes:
        return hmac.new(self._key, content, hashlib.sha256).digest()


def _text(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).decode()


def impersonated(headers: Iterable[tuple[str, str]]) -> User | None:
    """Return whom the Impersonate headers name, or None.

    Raises:
        ApiError: 400, groups or more without a user.
    """
    name, uid, groups, extra = "", "", [], {}
    for header, value in headers:
        lowered = header.lower()
        if lowered == "impersonate-user":
            name = value
        elif lowered == "impersonate-uid":
            uid = value
        elif lowered == "impersonate-group":
            groups.append(value)
        elif lowered.startswith("impersonate-extra-"):
            extra.setdefault(lowered.removeprefix("impersonate-extra-"), []).append(value)
    if not name:
        if uid or groups or extra:
            raise errors.bad_request("requested more than a user to impersonate, without a user")
        return None
    if name.startswith(_ACCOUNT) and not groups:
        namespace, _, account = name.removeprefix(_ACCOUNT).partition(":")
        groups = list(service_account(namespace, account).groups)
    everyone = [] if AUTHENTICATED in groups or name == ANONYMOUS.name else [AUTHENTICATED]
    return User(name, uid, (*groups, *everyone), {key: tuple(values) for key, values in extra.items()})
