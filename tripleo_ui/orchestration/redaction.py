"""Keeps secrets out of what is stored, logged and shown: by the name that a value stands under, and by its looks."""

import re
from collections.abc import Mapping
from functools import lru_cache
from itertools import pairwise
from typing import Any

from tripleo_ui.planning.parameters import MASK

_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_SECRET = frozenset(
    {"authorization", "cookie", "credential", "credentials", "passphrase", "passwd", "password", "passwords", "pwd"}
    | {"secret", "secrets", "token", "tokens", "userdata"}
)
_SECRET_PAIRS = frozenset(
    {("admin", "pass"), ("user", "data")}
    | {(kind, "key") for kind in ("access", "api", "auth", "encryption", "fernet", "private", "signing")}
)
#: A name that ends so is about a secret and is none: ``user_data_ref``, ``secret_name``, ``credential_id``.
_ABOUT = frozenset({"bytes", "count", "expires", "expiry", "length", "name", "names", "ref", "seconds", "size"})
_REFERENCES = frozenset({("credential", "id"), ("secret", "id")})

_LOOKS = (
    (re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(-----END [A-Z ]*PRIVATE KEY-----|\Z)", re.DOTALL), MASK),
    (re.compile(r"\bgAAAAA[\w-]{20,}={0,2}"), MASK),  # a Fernet token
    (re.compile(r"\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*"), MASK),  # a JSON web token
    (re.compile(r"(://[^\s/:@]*:)[^\s/@]+(?=@)"), rf"\1{MASK}"),
    (re.compile(r"(?i)\b((?:bearer|basic)\s+)[\w.~+/-]{8,}=*"), rf"\1{MASK}"),
    (
        re.compile(
            r"(?i)([\w-]*(?:password|passwd|adminpass|secret|token|(?:private|api|access|auth)[_-]key)"
            r"[\"']?\s*[:=]\s*[\"']?)(?!\*{8})[^\s\"',;&}]+"
        ),
        rf"\1{MASK}",
    ),
)


def redact(value: Any) -> Any:
    """The value without its secrets: the same shape, a mask in place of each; mappings become dicts, sequences lists.

    Secret is what stands under a name that says so (``password``, ``NovaPassword``, ``private_key``, ``user_data``)
    unless it is empty, and what looks so in any text: private keys, tokens, passwords in URLs, ``password=...``.
    """
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, Mapping):
        return {
            key: MASK if is_secret(str(key)) and not _says_nothing(each) else redact(each)
            for key, each in value.items()
        }
    if isinstance(value, list | tuple):
        return [redact(each) for each in value]
    return value


@lru_cache(maxsize=4096)
def is_secret(name: str) -> bool:
    """Whether a value of that name has to be hidden."""
    words = [word.lower() for word in _WORDS.findall(name)]
    pairs = set(pairwise(words))
    if not words or words[-1] in _ABOUT or pairs & _REFERENCES:
        return False
    return not _SECRET.isdisjoint(words) or bool(pairs & _SECRET_PAIRS)


def _says_nothing(value: Any) -> bool:
    return value is None or isinstance(value, bool) or value in ("", {}, [], ())


def _text(text: str) -> str:
    for look, mask in _LOOKS:
        text = look.sub(mask, text)
    return text


def secrets_in(value: Any, path: str = "") -> list[str]:
    """Where the secrets of a value are: dotted paths, such as ``metadata.password`` and ``networks.0.token``."""
    if isinstance(value, Mapping):
        found = []
        for key, each in value.items():
            here = f"{path}.{key}".lstrip(".")
            if is_secret(str(key)) and not _says_nothing(each):
                found.append(here)
            else:
                found += secrets_in(each, here)
        return found
    if isinstance(value, list | tuple):
        return [where for index, each in enumerate(value) for where in secrets_in(each, f"{path}.{index}".lstrip("."))]
    return [path] if isinstance(value, str) and _text(value) != value else []
