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
    """A page's live region; ``active`` says whether it may still change by itself.

    ``version`` is a text that changes whenever what the region shows does, where there is one.
    """

    html: SafeString
    url: str
    active: bool
    version: str = ""

    @property
    def etag(self) -> str:
        """A quoted fingerprint of what the region shows."""
        shown = hashlib.sha256(self.html.encode()).hexdigest()[:32]
        return f'"{self.version or shown}-{int(self.active)}"'


def region(template: str, context: dict, url: str, active: bool, version: str = "") -> Region:
    """Draw the region from a context without request, as page and status endpoint both do."""
    return Region(render_to_string(template, context), url, active, version)


def answer(request, shown: Region) -> HttpResponse:
    """Answer a status request, without lengthening the person's session."""
    if request.headers.get("If-None-Match") == shown.etag:
        response = HttpResponseNotModified()
    else:
        response = HttpResponse(shown.html)
    return _finished(request, response, shown.etag)


def unchanged(request, version: str) -> HttpResponse | None:
    """The answer to a status request whose sender has that version already; it costs no drawing."""
    tag = request.headers.get("If-None-Match", "")
    if tag not in {f'"{version}-0"', f'"{version}-1"'}:
        return None
    return _finished(request, HttpResponseNotModified(), tag)


def _finished(request, response: HttpResponse, etag: str) -> HttpResponse:
    request.session.modified = False
    response["ETag"] = etag
    response["Cache-Control"] = "no-store"
    response[ACTIVE_HEADER] = etag[-2]
    return response
