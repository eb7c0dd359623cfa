"""The answer of a page's reader: whether an article helped, and why not."""

from datetime import timedelta
from urllib.parse import urlsplit

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

from apps.articles.actions.tallies import give_page_feedback
from apps.articles.querysets.articles import languages_of
from apps.articles.rules.addresses import article_path, read_name
from apps.articles.rules.tallies import MAX_FEEDBACK, FeedbackReason
from apps.articles.sites import PLAIN, HelpSite, missing, public_page
from apps.core.endpoints.addresses import key_of
from apps.core.endpoints.answers import refusal
from apps.core.endpoints.bodies import await_body, whole_body
from apps.core.errors import RATE_LIMITED
from apps.core.problems import Problem
from apps.core.quotas import Quota

FORM = "application/x-www-form-urlencoded"
MAX_BODY = 16 * 1024
VOICES = Quota("article_feedback", 20, timedelta(hours=1), RATE_LIMITED, per="address")
_HELPFUL = {"yes": True, "no": False}


@public_page("POST")
def feedback(request: HttpRequest, site: HelpSite, lang: str, name: str) -> HttpResponseBase:
    """303 back to the article. 403 for a form of another site, 404, 413, 415, 422, 429 over 20 an hour an address."""
    named = read_name(name)
    texts = languages_of(site.center.widget_id, named[0]) if named else {}
    if lang not in texts:
        return missing(site, lang)
    if not _is_own(request, site):
        return _said("The form is of another site.", 403)
    if request.content_type != FORM:
        return _said("A form is expected.", 415)
    if (go_on := await_body(request, site.center.widget_id, MAX_BODY)) is not None:
        return go_on
    try:
        whole_body(request, MAX_BODY)
    except Problem as problem:
        return refusal(problem, request)
    helpful = _HELPFUL.get(request.POST.get("helpful", ""))
    reason, text = request.POST.get("reason", ""), request.POST.get("text", "").replace("\x00", "")
    if helpful is None or (reason and reason not in set(FeedbackReason)) or len(text) > MAX_FEEDBACK:
        return _said("`helpful` is yes or no, `reason` one of those of the form, `text` at most 500 characters.", 422)
    shown, address = texts[lang], key_of(request)
    try:
        with transaction.atomic():
            VOICES.spend(address)
            give_page_feedback(
                widget_id=site.center.widget_id,
                article_id=shown.article_id,
                lang=lang,
                address=address,
                helpful=helpful,
                reason=reason or None,
                text=text,
            )
    except Problem as problem:
        return refusal(problem, request)
    there = article_path(lang, shown.article_id, shown.slug)
    return HttpResponse(status=303, headers={"Location": f"{site.root}{there}?thanks=1#feedback"})


def _is_own(request: HttpRequest, site: HelpSite) -> bool:
    """Whether the form stood on a page of ours. Programs that send no Origin are no browsers."""
    origin = request.headers.get("Origin")
    if origin is None:
        return request.headers.get("Sec-Fetch-Site", "same-origin") in ("same-origin", "none")
    return urlsplit(origin).netloc.lower() == urlsplit(site.base).netloc.lower()


def _said(text: str, status: int) -> HttpResponse:
    return HttpResponse(f"{text}\n", status=status, content_type=f"{PLAIN}; charset=utf-8")
