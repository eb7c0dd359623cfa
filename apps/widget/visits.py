"""The base of every visitor call: which widget, from which page, how often, and who.

Refusals come in this order: 404 for an unknown widget, 403 for a page that may not embed it, 429, 401, 405, 415, 400,
422. Answers are open to the pages that may embed the widget (CORS), refusals too; there are no cookies.
"""

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.views import View

from apps.core.endpoints.bodies import whole_body
from apps.core.endpoints.serializers import Body, Query, validated_body, validated_query
from apps.core.endpoints.viewsets import JSON, dump_json, refusal
from apps.core.errors import METHOD_NOT_ALLOWED, NOT_FOUND, RATE_LIMITED, UNSUPPORTED_MEDIA_TYPE
from apps.core.parsing.strict_json import parse_object
from apps.core.redis import rate_limits
from apps.core.redis.rate_limits import Budget
from apps.widget import querysets, rules
from apps.widget.errors import INVALID_VISITOR_TOKEN, ORIGIN_NOT_ALLOWED
from apps.widget.models import VisitorSession
from apps.widget.querysets import EmbeddedWidget

# How long a browser may remember what a preflight said.
PREFLIGHT_S = 600
_READABLE = "ETag, Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id"


class VisitorCall(View):
    """One address of the visitor's side; a subclass has `get` and `post` methods and nothing of this again."""

    needs_session: ClassVar[bool] = True
    widget: EmbeddedWidget
    session: VisitorSession

    def dispatch(self, request: HttpRequest, guid: str) -> HttpResponse:
        budget: Budget | None = None
        try:
            self._find_widget(guid, request.headers.get("Origin"))
            if request.method == "OPTIONS":
                return self._open(HttpResponse(status=204), request)
            budget = spend_visitor(address_of(request), "address")
            if self.needs_session:
                self.session = self._authenticate(request)
                budget = spend_visitor(str(self.session.pk), "session")
            response = self._answer(request)
        except Exception as error:
            response = refusal(error, request)
            budget = getattr(error, "budget", budget)
        if budget is not None:
            budget.write_headers(response)
        return self._open(response, request)

    def _find_widget(self, guid: str, origin: str | None) -> None:
        widget = querysets.find_widget(guid)
        if widget is None:
            raise NOT_FOUND()
        if not may_embed(widget, origin):
            raise ORIGIN_NOT_ALLOWED()
        self.widget = widget

    def _authenticate(self, request: HttpRequest) -> VisitorSession:
        scheme, _, token = request.headers.get("Authorization", "").partition(" ")
        session = None
        if scheme.lower() == "visitor":
            session = VisitorSession.objects.with_token(self.widget.id, token.strip())
        if session is None:
            raise INVALID_VISITOR_TOKEN(headers={"WWW-Authenticate": "Visitor"})
        return session

    def _answer(self, request: HttpRequest) -> HttpResponse:
        method = "get" if request.method == "HEAD" else (request.method or "").lower()
        handler = getattr(self, method, None) if method in ("get", "post") else None
        if handler is None:
            raise METHOD_NOT_ALLOWED(headers={"Allow": ", ".join(self._methods())})
        response: HttpResponse = handler(request)
        return response

    def _methods(self) -> list[str]:
        own = [name.upper() for name in ("get", "post") if hasattr(self, name)]
        return [*own, *(["HEAD"] if "GET" in own else []), "OPTIONS"]

    def _open(self, response: HttpResponse, request: HttpRequest) -> HttpResponse:
        """Opens an answer to the page that asks; to one that may not embed the widget, it stays closed."""
        headers = response.headers
        headers["Vary"] = ", ".join(filter(None, [headers.get("Vary"), "Origin"]))
        origin = request.headers.get("Origin")
        widget = getattr(self, "widget", None)
        if origin is None or widget is None:
            return response
        headers["Access-Control-Allow-Origin"] = origin
        headers["Access-Control-Expose-Headers"] = _READABLE
        if request.method == "OPTIONS":
            headers["Allow"] = ", ".join(self._methods())
            headers["Access-Control-Allow-Methods"] = ", ".join(self._methods())
            headers["Access-Control-Allow-Headers"] = "Authorization, Content-Type"
            headers["Access-Control-Max-Age"] = str(PREFLIGHT_S)
        return response


def may_embed(widget: EmbeddedWidget, origin: str | None) -> bool:
    """Whether a page of that origin may use the widget."""
    return rules.origin_allowed(origin, widget.allowed_origins, rules.origin_of(settings.PUBLIC_URL))


def address_of(request: HttpRequest) -> str:
    """What the caller's address counts as."""
    forwarded = request.META.get("HTTP_X_FORWARDED_FOR", "")
    peer = request.META.get("REMOTE_ADDR", "")
    return rules.address_key(rules.client_address(peer, forwarded, settings.TRUSTED_PROXIES))


_TOO_MANY = {
    "address": "Too many calls from this address.",
    "session": "Too many calls from this session.",
    "upload": "Too many files from this address.",
}


def spend_visitor(key: str, kind: Literal["address", "session", "upload"], *, limit: int | None = None) -> Budget:
    """Takes one call from the budget of an address or a session, or one of an address's uploads. Raises RATE_LIMITED.

    `limit` is a minute's; by default, VISITOR_RATE_LIMIT.
    """
    budget = rate_limits.spend(f"visitor:{kind}:{key}", limit or settings.VISITOR_RATE_LIMIT)
    if not budget.allowed:
        wait = {"Retry-After": str(max(1, budget.retry_after_s))}
        problem = RATE_LIMITED(_TOO_MANY[kind], headers=wait)
        problem.budget = budget  # type: ignore[attr-defined]
        raise problem
    return budget


def body_of(request: HttpRequest, body: Body) -> dict[str, Any]:
    """The validated JSON body of a call. Raises 413, 415, 400 or 422."""
    raw = whole_body(request)
    if request.content_type != JSON:
        raise UNSUPPORTED_MEDIA_TYPE()
    return validated_body(body, parse_object(raw))


def query_of(request: HttpRequest, query: Query) -> dict[str, Any]:
    """The validated query string of a call. Raises 422."""
    return validated_query(query, request.META.get("QUERY_STRING", ""))


def answer(data: Any, status: int = 200) -> HttpResponse:
    """`{"data": …}`."""
    return HttpResponse(dump_json({"data": data}), status=status, content_type=JSON)


def headers_of(scope: Mapping[str, Any]) -> dict[str, str]:
    """The headers of an ASGI handshake; the last of a name counts."""
    return {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
