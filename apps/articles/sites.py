"""The help center that a request is for, and how its pages are answered."""

import base64
import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, wraps
from typing import Any

from django.conf import settings
from django.db import connection
from django.http import HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.cache import get_conditional_response, patch_vary_headers

from apps.articles.querysets.pages import PublicCenter, public_center
from apps.articles.rules.addresses import center_base
from apps.articles.rules.pages import theme_css
from apps.articles.rules.words import words_of
from apps.chats.questions import PageLook, page_look
from apps.chats.rules.languages import NAMES, direction_of
from apps.core import database
from apps.core.endpoints.compression import compress
from apps.core.views import server_error

# In an environ: the verified domain that the request came to.
AT_DOMAIN = "parley.help_domain"
CACHED_S = 60
READS = ("GET", "HEAD")
HTML, MARKDOWN, PLAIN, XML = "text/html", "text/markdown", "text/plain", "application/xml"
_SELF, _NONE = "'self'", "'none'"


@dataclass
class HelpSite:
    """A help center at the address that a request has come to.

    `root` is the path below which its pages stand, `base` their absolute address; neither ends in a slash.
    """

    request: HttpRequest
    center: PublicCenter
    root: str
    base: str

    @cached_property
    def look(self) -> PageLook | None:
        """The widget's colours, and its script. One statement."""
        return page_look(self.center.widget_id)

    @property
    def origins(self) -> tuple[str, ...]:
        """The origins at which our pictures may be named."""
        domain = self.center.domain
        return (settings.PUBLIC_URL, *([f"https://{domain}"] if domain else []))

    def language_of(self, lang: str) -> str:
        """The language of a page that has no text of its own in `lang`."""
        return lang if lang in self.center.languages.supported else self.center.default_language


View = Callable[..., HttpResponseBase]


def public_page(*methods: str) -> Callable[[View], View]:
    """A view of a public help center: it is given the Site in place of the slug.

    404 where there is none, 405 for other methods; a center with a verified domain is answered there (301).
    """

    def decorated(view: View) -> View:
        @wraps(view)
        def answered(request: HttpRequest, center: str, **path: Any) -> HttpResponseBase:
            try:
                response = _answered(view, methods, request, center, path)
            except Exception as error:
                if not database.is_unavailable(error):
                    raise
                connection.close_if_unusable_or_obsolete()
                response = server_error(request)
            response.headers.setdefault("Content-Security-Policy", _policy(None, ""))
            response.headers.setdefault("X-Frame-Options", "DENY")
            response.headers.setdefault("Referrer-Policy", "strict-origin-when-cross-origin")
            return response

        return answered

    return decorated


def _answered(
    view: View, methods: Sequence[str], request: HttpRequest, slug: str, path: Mapping[str, Any]
) -> HttpResponseBase:
    found = public_center(slug)
    if found is None:
        return _no_center(request)
    if request.method not in methods:
        return HttpResponse(status=405, headers={"Allow": ", ".join(methods)}, content_type=PLAIN)
    base = center_base(settings.PUBLIC_URL, found.slug, found.domain)
    root, at_domain = f"/help/{found.slug}", request.META.get(AT_DOMAIN)
    if at_domain and at_domain != found.domain:
        return _no_center(request)
    is_elsewhere = found.domain is not None and not at_domain
    if is_elsewhere or (settings.SECURE_SSL_REDIRECT and not request.is_secure()):
        return HttpResponsePermanentRedirect(f"{base}{request.get_full_path().removeprefix(root) or '/'}")
    root = "" if at_domain else root
    response = view(request, HelpSite(request, found, root, base), **path)
    if not found.row.indexing:
        response.headers["X-Robots-Tag"] = "noindex"
    return response


def _no_center(request: HttpRequest) -> HttpResponse:
    return render(request, "core/not_found.html", status=404)


def page(
    site: HelpSite, template: str, context: Mapping[str, Any], *, lang: str, status: int = 200, is_indexed: bool = True
) -> HttpResponseBase:
    """A page of the help center in a language. One that is not to be found by search engines is kept by nobody."""
    look, center = site.look, site.center
    css = theme_css(look.light if look else {}, look.dark if look else {})
    is_indexed = is_indexed and center.row.indexing
    shows_chat = look is not None and center.row.show_chat
    paths: Mapping[str, str] = context.get("paths", {})
    whole = {
        "words": words_of(lang),
        "lang": lang,
        "direction": direction_of(lang),
        "root": site.root,
        "base": site.base,
        "center": center,
        "site_title": center.title(lang),
        "home": f"{site.root}/{lang}/",
        "theme": css,
        "is_indexed": is_indexed,
        "script_url": look.script_url if shows_chat and look else None,
        "footer": [(center.text(link["label"], lang), link["url"]) for link in center.row.footer],
        "alternates": {code: f"{site.base}{path}" for code, path in paths.items()},
        "default_url": f"{site.base}{context.get('default_path', '')}",
        "languages": [(code, NAMES.get(code, code), f"{site.root}{path}") for code, path in paths.items()],
        **context,
    }
    response = HttpResponse(render_to_string(template, whole), content_type=f"{HTML}; charset=utf-8", status=status)
    response.headers["Content-Security-Policy"] = _policy(look if shows_chat else None, css)
    response.headers["Content-Language"] = lang
    if not is_indexed:
        response.headers["X-Robots-Tag"] = "noindex"
    if status != 200 or context.get("is_private"):
        response.headers["Cache-Control"] = "no-store"
        return response
    return kept(site.request, response)


def missing(site: HelpSite, lang: str) -> HttpResponseBase:
    """404 for a page that is not there, with the search."""
    lang = site.language_of(lang)
    words = words_of(lang)
    context = {"title": f"{words.not_found} · {site.center.title(lang)}", "heading": words.not_found}
    return page(site, "articles/missing.html", context, lang=lang, status=404, is_indexed=False)


def kept(request: HttpRequest, response: HttpResponse) -> HttpResponseBase:
    """An answer that everybody may keep for a minute, with its ETag; or 304 for who has it."""
    etag = f'W/"{hashlib.sha256(response.content).hexdigest()[:32]}"'
    response.headers["Cache-Control"] = f"public, max-age={CACHED_S}"
    response.headers["ETag"] = etag
    patch_vary_headers(response, ["Accept"])
    answer = get_conditional_response(request, etag=etag, response=response) or response
    compress(request, answer, "long")
    return answer


def text(site: HelpSite, content: str, content_type: str, *, lang: str | None = None) -> HttpResponseBase:
    """A document for programs."""
    response = HttpResponse(content, content_type=f"{content_type}; charset=utf-8")
    if lang:
        response.headers["Content-Language"] = lang
    return kept(site.request, response)


def _policy(look: PageLook | None, css: str) -> str:
    """The Content-Security-Policy of a page with that style sheet; `look` is that of a page with the widget."""
    hashed = base64.b64encode(hashlib.sha256(css.encode()).digest()).decode()
    policy: dict[str, list[str]] = {
        "default-src": [_NONE],
        "style-src": [_SELF, *([f"'sha256-{hashed}'"] if css else [])],
        "img-src": [_SELF],
        "form-action": [_SELF],
        "base-uri": [_NONE],
        "frame-ancestors": [_NONE],
    }
    for name, sources in (look.policy if look else {}).items():
        policy[name] = list(dict.fromkeys([*policy.get(name, []), *sources]))
    return "; ".join(f"{name} {' '.join(sources)}" for name, sources in policy.items())
