"""The WSGI application in front of Django's: calls of endpoints go from it to their view, and past Django's handler.

The handler, its signals and the middlewares are not needed: those calls have no sessions, cookies, CSRF, messages or
languages, their connections live as long as their thread, and a broken one is closed where its error is answered
(`answers.refusal`). Through Django's handler a page of chats takes 20 % more instructions, through all of the
middlewares 60 % (docs/guides/benchmarks.md). Everything else goes on to Django's own application.
"""

from collections.abc import Callable, Iterable
from typing import Any

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.core.handlers.wsgi import WSGIRequest
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils import translation
from django.utils.http import parse_header_parameters

from apps.accounts.audit.trail import by_request
from apps.core.endpoints.answers import refusal
from apps.core.endpoints.authentication import AuthResult, TokenAuthenticator
from apps.core.endpoints.bodies import AT_MOST, AWAITED
from apps.core.endpoints.viewsets import EndpointViewSet
from apps.core.errors import NOT_FOUND, UNKNOWN_HOST
from apps.core.observability.logs import redact
from apps.core.problems import problem_response
from config import routes
from config.middleware import RequestContextMiddleware

API_PATH = "/api/v1/"
DIRECT_PATHS = (API_PATH, "/widget/", "/files/", "/compat/", "/hooks/", "/mcp", "/help/", "/domains/")

_TOKENS = TokenAuthenticator()

Application = Callable[[dict[str, Any], Any], Iterable[bytes]]


# Pages are read in these encodings. Others are slow, or fail where Django makes its request; browsers send none.
_ENCODING = "utf-8"


class _Request(WSGIRequest):
    """A request that knows the template of its path, once its view is found, and the API token that it was sent with.

    It is in UTF-8, whatever it says.
    """

    route: str | None = None
    token_id: int | None = None

    def _set_content_type_params(self, meta: dict[str, Any]) -> None:
        self.content_type, self.content_params = parse_header_parameters(meta.get("CONTENT_TYPE", ""))


class DirectApplication:
    """Answers DIRECT_PATHS itself and hands everything else to Django's own application."""

    def __init__(self, everything_else: Application) -> None:
        self._everything_else = everything_else
        self._answer = RequestContextMiddleware(_answer)

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        path = environ.get("PATH_INFO", "")
        if not path.startswith(DIRECT_PATHS):
            if AWAITED in environ and not _can_answer_first(path):
                start_response("100 Continue", [(AT_MOST, str(settings.DATA_UPLOAD_MAX_MEMORY_SIZE))])
                return []
            if _encoding_of(environ) != _ENCODING:
                start_response("400 Bad Request", [("Content-Type", "text/plain"), ("Cache-Control", "no-store")])
                return [b"It is not in UTF-8.\n"]
            return self._everything_else(environ, start_response)
        request = _Request(environ)
        try:
            response = self._answer(request)
        finally:
            request.close()
        start_response(f"{response.status_code} {response.reason_phrase}", list(response.items()))
        if isinstance(response, HttpResponse):
            return [response.content]
        file, wrapper = getattr(response, "file_to_stream", None), environ.get("wsgi.file_wrapper")
        if file is not None and wrapper is not None:
            file.close = response.close  # as Django's own handler does
            sent: Iterable[bytes] = wrapper(file)
            return sent
        return response  # a stream; the server closes it


def _encoding_of(environ: dict[str, Any]) -> str:
    content_type = environ.get("CONTENT_TYPE", "")
    if "charset" not in content_type.lower():
        return _ENCODING
    encoding: str = parse_header_parameters(content_type)[1].get("charset", _ENCODING)
    return encoding.lower()


def _can_answer_first(path: str) -> bool:
    """Whether what answers at a path knows bodies that have not come yet: endpoints, the cabinet, and nothing."""
    if path.startswith(reverse("admin:index")):
        return True
    try:
        view = routes.find(path).view
    except Http404:
        return True
    return issubclass(getattr(view, "cls", object), EndpointViewSet)


def _answer(request: _Request) -> HttpResponseBase:
    """The view's answer, or the problem for what failed on the way, with the headers that all answers carry.

    Texts for programs are English: a page that this thread has drawn before leaves its reader's language active.
    """
    translation.deactivate()
    try:
        with by_request(request):
            response = _answer_of_view(request)
    except Exception as error:
        response = refusal(error, request)
    headers = response.headers
    if isinstance(response, HttpResponse) and response.status_code not in (204, 304):  # which have none (RFC 9110, 8.6)
        headers["Content-Length"] = str(len(response.content))
    headers["X-Content-Type-Options"] = "nosniff"
    headers.setdefault("Cache-Control", "no-store")
    if settings.SECURE_HSTS_SECONDS:
        headers["Strict-Transport-Security"] = _strict_transport()
    return response


def _strict_transport() -> str:
    """The header's value, as Django's SecurityMiddleware puts it."""
    subdomains = "; includeSubDomains" if settings.SECURE_HSTS_INCLUDE_SUBDOMAINS else ""
    preload = "; preload" if settings.SECURE_HSTS_PRELOAD else ""
    return f"max-age={settings.SECURE_HSTS_SECONDS}{subdomains}{preload}"


def _answer_of_view(request: _Request) -> HttpResponseBase:
    try:
        request.get_host()
        view, kwargs, request.route = routes.find(request.path_info)
    except DisallowedHost:
        _hide_secrets(request)
        return problem_response(UNKNOWN_HOST(), request)
    except Http404:
        _hide_secrets(request)
        return _not_found(request)
    response: HttpResponseBase = view(request, **kwargs)
    return response


def _hide_secrets(request: HttpRequest) -> None:
    """Takes a secret out of the path of a request that has come to no view: the refusal repeats the path."""
    request.path = redact(request.path)


def _not_found(request: _Request) -> HttpResponse:
    """404 for an address that is not there.

    Below the API's base a known token is refused as at every other address (`api_disabled`, 429, then 404), and told
    what is left of its budget.
    """
    admitted = _TOKENS.admit(request, {}) if request.path_info.startswith(API_PATH) else AuthResult()
    request.token_id = getattr(admitted.caller, "token_id", None)
    if admitted.budget is None:
        return problem_response(NOT_FOUND(), request)
    response = refusal(admitted.refusal or NOT_FOUND(), request)
    admitted.budget.write_headers(response)
    return response
