"""The WSGI application in front of Django's: the API's requests don't pass Django's handler, signals and middlewares.

What the handler would do for them is not needed: their connections live as long as their thread (a broken one is closed
where its error is answered, `answers.refusal`), and they have no sessions, cookies or templates.
"""

import logging
from collections.abc import Callable, Iterable
from typing import Any

from django.core.handlers.wsgi import WSGIRequest
from django.http import HttpResponse
from django.http.response import HttpResponseBase

from apps.core.endpoints.answers import refusal
from apps.core.endpoints.bodies import CHUNKED, gathered
from apps.core.endpoints.middleware import SHORT_WAY, RequestContextMiddleware

logger = logging.getLogger(__name__)

Application = Callable[[dict[str, Any], Any], Iterable[bytes]]


class ShortWay:
    """Answers the paths of SHORT_WAY itself and hands everything else to Django's own application."""

    def __init__(self, everything_else: Application) -> None:
        self._everything_else = everything_else
        self._answer = RequestContextMiddleware(_no_other_way)

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        if not environ.get("PATH_INFO", "").startswith(SHORT_WAY):
            return self._everything_else(environ, start_response)
        if CHUNKED in environ:
            with gathered(environ):
                return self._run(environ, start_response)
        return self._run(environ, start_response)

    def _run(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        request = WSGIRequest(environ)
        try:
            response = self._answer(request)
        except Exception as error:
            response = refusal(error, request)
        finally:
            request.close()
        start_response(f"{response.status_code} {response.reason_phrase}", list(response.items()))
        if isinstance(response, HttpResponse):
            return [response.content]
        return response  # a stream; the server closes it


def _no_other_way(_request: Any) -> HttpResponseBase:
    raise RuntimeError("a path of the short way went the other way")
