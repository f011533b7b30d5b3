"""The deployments panel's pages to look at: the list, one deployment, its files."""

from django.http import Http404
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tripleo_ui.web import cloud as web_cloud
from tripleo_ui.web import failures, status, submitting

from . import detail as details
from . import joining
from .wizard.listing import drafts_of

_ROWS = "tripleo_ui/deployments/_rows.html"


@require_safe
def index(request):
    """The list of deployments, with the person's drafts above it."""
    shown = _list_region(request, fresh=True)
    drafts = failures.attempt(lambda: drafts_of(request), _("list your drafts"))
    context = {
        "page_title": _("Deployments"),
        "status": shown,
        "drafts": drafts.value or (),
        "failures": [drafts.failure] if drafts.failure else [],
        "retry_url": request.get_full_path(),
        "kinds": joining.kinds(),
        "query": request.GET.get("q", ""),
        "state": request.GET.get("state", ""),
    }
    return render(request, "tripleo_ui/deployments/index.html", context)


@require_safe
def list_status(request):
    """The list's live region."""
    return status.answer(request, _list_region(request, fresh=False))


def _list_region(request, fresh):
    query = request.GET.dict()
    found = joining.listing(web_cloud.from_request(request), submitting.requester(request), query, fresh)
    here = "?" + request.GET.urlencode()
    url = reverse("horizon:infrastructure:deployments:list_status") + here
    index_url = reverse("horizon:infrastructure:deployments:index")
    context = {"listing": found, "page": found.page, "retry_url": index_url + here, "index_url": index_url}
    return status.region(_ROWS, context, url, found.active)


@require_safe
def detail(request, name):
    """One deployment, a tab at a time."""
    return _page(request, name, _tab(request))


def _tab(request):
    return details.BY_SLUG.get(request.GET.get("tab", ""), details.TABS[0])


def _page(request, name, tab):
    found = details.find(request, name, tab)
    if not found.exists:
        return gone(request, name)
    context = {
        "page_title": name,
        "found": found,
        "tabs": details.TABS,
        "tab": tab,
        "status": details.region(found, tab),
        "nonce": submitting.nonce(),
    }
    return render(request, "tripleo_ui/deployments/detail.html", context)


def gone(request, name):
    """The page for a name that nothing is known by."""
    context = {"page_title": _("Deployment not found"), "name": name}
    return render(request, "tripleo_ui/deployments/gone.html", context, status=404)


@require_safe
def detail_status(request, name):
    """A tab's live region; of a deployment that is gone, what is left to say."""
    tab = _tab(request)
    return status.answer(request, details.region(details.find(request, name, tab), tab))


@require_safe
def files(request, name):
    """The plan's files, as a tab of the deployment."""
    return _page(request, name, details.BY_SLUG["files"])


@require_safe
def file(request, name, file):
    """One file of a plan, without its secrets, now or as of the revision that the URL names."""
    revision = request.GET.get("revision", "")
    if revision and not (revision.isascii() and revision.isdecimal() and len(revision) < 10):
        raise Http404(_("There is no such revision."))
    found = details.Found(request, name)
    part = details.file_text(found, file, int(revision) if revision else None)
    info, text = part.value if part.ok else (None, None)
    if part.ok and text is None:
        raise Http404(_("The plan has no such file."))
    context = {
        "page_title": file,
        "name": name,
        "file": file,
        "info": info,
        "lines": text.splitlines() if text else [],
        "failure": part.failure,
        "retry_url": request.get_full_path(),
        "files_url": reverse("horizon:infrastructure:deployments:files", args=(name,)),
        "custom_breadcrumb": [(name, found.url)],
    }
    return render(request, "tripleo_ui/deployments/file.html", context)
