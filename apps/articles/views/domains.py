"""The question of a proxy that asks for certificates on demand: whether a domain is a help center's."""

from django.http import HttpRequest, HttpResponse

from apps.articles.querysets.pages import help_host
from apps.articles.sites import PLAIN
from apps.egress.hosts import InvalidHost, normalise_host


def ask(request: HttpRequest) -> HttpResponse:
    """200 for a verified domain, 404 for every other."""
    if request.method not in ("GET", "HEAD"):
        return HttpResponse(status=405, headers={"Allow": "GET, HEAD"}, content_type=PLAIN)
    try:
        known = help_host(normalise_host(request.GET.get("domain", "")[:300]))
    except InvalidHost:
        known = None
    return HttpResponse(status=404 if known is None else 200, content_type=PLAIN)
