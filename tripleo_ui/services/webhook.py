"""Posts signed messages to an address that an operator chose."""

import hashlib
import hmac
import time
from ipaddress import ip_address
from urllib.parse import urlsplit

import requests

from tripleo_ui.services.errors import failure
from tripleo_ui.services.rest import TimeoutSession, translated

ID, TIMESTAMP, SIGNATURE = "X-Tripleo-Ui-Id", "X-Tripleo-Ui-Timestamp", "X-Tripleo-Ui-Signature"


def signature(secret: str, timestamp: str, body: bytes) -> str:
    """What the header says: ``sha256=`` and the HMAC over the timestamp, a dot and the body, in hex."""
    signed = timestamp.encode() + b"." + body
    return f"sha256={hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()}"


def may_post_to(url: str) -> bool:
    """Whether an address keeps what is sent to it between the two: https, or http on loopback."""
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
    except ValueError:
        return False
    return bool(host) and (parts.scheme == "https" or (parts.scheme == "http" and _is_loopback(host)))


def post(
    url: str, secret: str, body: bytes, message_id: str, *, timeouts: tuple[float, float], verify: bool | str = True
) -> None:
    """Post a JSON document; ``timeouts`` are seconds to connect and to wait for the answer, which is not read.

    Raises:
        ServiceError: the receiver did not accept it; the cause names no part of the address, which may hold a secret.
    """
    timestamp = str(int(time.time()))
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "tripleo-ui",
        ID: message_id,
        TIMESTAMP: timestamp,
        SIGNATURE: signature(secret, timestamp, body),
    }
    with translated("webhook", "post"), TimeoutSession(*timeouts) as session:
        try:
            # A redirect would take the message to an address that nobody chose.
            answer = session.post(url, data=body, headers=headers, verify=verify, allow_redirects=False, stream=True)
        except (requests.Timeout, requests.ConnectionError):
            raise
        except requests.RequestException as error:
            raise failure("webhook", "post", f"the address cannot be used ({type(error).__name__})") from error
        status = answer.status_code
    if not 200 <= status < 300:
        raise failure("webhook", "post", f"HTTP {status}", status=status)


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
