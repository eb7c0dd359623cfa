"""Middlewares: the outermost, of the request's id and its line in the access log; and how long a page's form may be."""

import re
import time
from collections.abc import Callable
from random import getrandbits
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

from apps.core.endpoints.bodies import announced_length
from apps.core.observability import logs
from apps.core.redis import last_requests
from apps.core.redis.last_requests import LastRequest
from config.routes import template_of

HEADER = "X-Request-Id"

# Bytes of a form without files. Pages have a few fields; what is longer is made to be slow to read.
MAX_FORM = 256 * 1024
FORM = "application/x-www-form-urlencoded"

_WELL_FORMED = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.:-]{0,127}")


class RequestContextMiddleware:
    """Gives every answer an X-Request-Id (a caller's, where well-formed) that the request's log lines carry.

    One of them is the access log's, for every answer; but not for liveness probes, which come every few seconds, and
    succeed. A request with an API token is also noted for the token's page.
    """

    def __init__(self, get_response: Callable[[Any], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        began = time.perf_counter()
        given = request.META.get("HTTP_X_REQUEST_ID", "")
        request_id = given if _WELL_FORMED.fullmatch(given) else f"{getrandbits(128):032x}"
        with logs.request_context(request_id):
            response = self.get_response(request)
        if response.status_code == 100:  # asked for again with its body
            return response
        response.headers[HEADER] = request_id
        if request.path_info == "/healthz" and response.status_code == 200:
            return response
        route, shown_id = _route_of(request), logs.redact(request_id) if given else request_id
        logs.write_access(
            method=request.method,
            route=route,
            status=response.status_code,
            seconds=time.perf_counter() - began,
            request_id=shown_id,
        )
        token_id: int | None = getattr(request, "token_id", None)
        if token_id is not None:
            said = LastRequest(time.time(), request.method or "", route, response.status_code, shown_id)
            last_requests.note(token_id, said)
        return response


def _route_of(request: HttpRequest) -> str | None:
    """The template of the request's path: the application in front of Django's notes it, else Django's resolver."""
    route: str | None = getattr(request, "route", None)
    if route is None and request.resolver_match is not None:
        return template_of(request.resolver_match.route)
    return route


class FormLimitMiddleware:
    """413 for a form of more than MAX_FORM, before the check against forgery reads it, as it does of strangers, too."""

    def __init__(self, get_response: Callable[[Any], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if request.content_type == FORM and announced_length(request) > MAX_FORM:
            return HttpResponse("The form is too long.", status=413, content_type="text/plain")
        return self.get_response(request)
