"""The outermost middleware: the request's id, and the short way for the API and the visitor's calls.

Those have no sessions, cookies, CSRF, messages or languages, so they go from here straight to their view; what people
sign in to (admin, console) and other pages run through Django's middlewares.
"""

import re
from collections.abc import Callable
from random import getrandbits

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

from apps.core.endpoints import routes
from apps.core.errors import NOT_FOUND, UNKNOWN_HOST
from apps.core.observability import logs
from apps.core.problems import problem_response

HEADER = "X-Request-Id"
API_PREFIX = "/api/v1/"
SHORT_WAY = (API_PREFIX, "/widget/", "/files/")

_WELL_FORMED = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.:-]{0,127}")


class RequestContextMiddleware:
    """Gives every answer an X-Request-Id (a caller's, where well-formed) that the request's log lines carry."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        given = request.META.get("HTTP_X_REQUEST_ID", "")
        request_id = given if _WELL_FORMED.fullmatch(given) else f"{getrandbits(128):032x}"
        with logs.request_context(request_id):
            response = self._answer(request)
        response.headers[HEADER] = request_id
        return response

    def _answer(self, request: HttpRequest) -> HttpResponseBase:
        if not request.path_info.startswith(SHORT_WAY):
            return self.get_response(request)
        response = _answer_directly(request)
        headers = response.headers
        if isinstance(response, HttpResponse):
            headers["Content-Length"] = str(len(response.content))
        headers["X-Content-Type-Options"] = "nosniff"
        headers.setdefault("Cache-Control", "no-store")
        if settings.IS_HTTPS:
            headers["Strict-Transport-Security"] = f"max-age={settings.SECURE_HSTS_SECONDS}"
        return response


def _answer_directly(request: HttpRequest) -> HttpResponseBase:
    try:
        _require_known_host(request)
        view, kwargs = routes.find(request.path_info)
    except DisallowedHost:
        return problem_response(UNKNOWN_HOST(), request)
    except Http404:
        return problem_response(NOT_FOUND(), request)
    response: HttpResponseBase = view(request, **kwargs)
    return response


def _require_known_host(request: HttpRequest) -> None:
    """Raises DisallowedHost; a Host header that was good once in this process is not looked at again."""
    host = request.META.get("HTTP_HOST")
    known = (host, *settings.ALLOWED_HOSTS)
    if known in _known_hosts:
        return
    request.get_host()
    if len(_known_hosts) >= MOST_KNOWN_HOSTS:
        _known_hosts.clear()
    _known_hosts.add(known)


MOST_KNOWN_HOSTS = 100
_known_hosts: set[tuple[str | None, ...]] = set()
