"""The outermost middleware: the request's id."""

import re
from collections.abc import Callable
from random import getrandbits

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from apps.core.observability import logs

HEADER = "X-Request-Id"

_WELL_FORMED = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.:-]{0,127}")


class RequestContextMiddleware:
    """Gives every answer an X-Request-Id (a caller's, where well-formed) that the request's log lines carry."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        given = request.META.get("HTTP_X_REQUEST_ID", "")
        request_id = given if _WELL_FORMED.fullmatch(given) else f"{getrandbits(128):032x}"
        with logs.request_context(request_id):
            response = self.get_response(request)
        response.headers[HEADER] = request_id
        return response
