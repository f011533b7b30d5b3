"""One status request for each page: the live region as a fragment of HTML, or 304 where nothing changed.

The fragment holds no CSRF token and no relative time, so that equal states are equal bytes; buttons in it name a form
outside of it. The ETag is set here and not by a middleware, since Horizon appends random comments to HTML.
"""

import hashlib
from dataclasses import dataclass

from django.http import HttpResponse, HttpResponseNotModified
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

ACTIVE_HEADER = "X-Status-Active"


@dataclass(frozen=True)
class Region:
    """A page's live region; ``active`` says whether it may still change by itself."""

    html: SafeString
    url: str
    active: bool

    @property
    def etag(self) -> str:
        """A quoted fingerprint of what the region shows."""
        digest = hashlib.sha256(f"{self.active}{self.html}".encode()).hexdigest()
        return f'"{digest[:32]}"'


def region(template: str, context: dict, url: str, active: bool) -> Region:
    """Draw the region from a context without request, as page and status endpoint both do."""
    return Region(render_to_string(template, context), url, active)


def answer(request, shown: Region) -> HttpResponse:
    """Answer a status request, without lengthening the person's session."""
    request.session.modified = False
    if request.headers.get("If-None-Match") == shown.etag:
        response = HttpResponseNotModified()
    else:
        response = HttpResponse(shown.html)
    response["ETag"] = shown.etag
    response["Cache-Control"] = "no-store"
    response[ACTIVE_HEADER] = "1" if shown.active else "0"
    return response
