"""The calls from a page: which widget it embeds, whether it may, how often, and which visitor it is.

Refusals come in this order: 404 for an unknown widget, 403 for a page that may not embed it, 429, 401, then 403 for a
blocked visitor's call that is no read: they read the chat, may end their session and change nothing else. Answers are
open to the pages that may embed the widget (CORS), refusals too; there are no cookies.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

from apps.chats.models import Contact
from apps.core.endpoints import addresses
from apps.core.endpoints.authentication import AuthResult, CallAuthenticator, over_budget
from apps.core.endpoints.operations import Operation
from apps.core.errors import NOT_FOUND, RATE_LIMITED
from apps.core.problems import Problem
from apps.core.redis import rate_limits
from apps.core.redis.rate_limits import RateLimitState
from apps.widget import actions, querysets, rules
from apps.widget.errors import INVALID_VISITOR_TOKEN, ORIGIN_NOT_ALLOWED, VISITOR_BLOCKED
from apps.widget.querysets import EmbeddedWidget, KnownVisitor
from apps.widget.querysets.settings import HAS_ARTICLES

# How long a browser may remember what a preflight said.
PREFLIGHT_S = 600
# Of one address: anybody can upload, and what is uploaded stays.
UPLOADS_A_MINUTE = 30
# Bytes of a call's JSON, as of a frame: the longest message fits in.
MAX_BODY = 64 * 1024
_EXPOSED_HEADERS = (
    "Deprecation, ETag, Link, Retry-After, Sunset, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, "
    "X-Request-Id"
)
_READING = ("GET", "HEAD", "OPTIONS")
# Calls by their `operationId` that a blocked visitor makes though they are no reads: leaving is not writing.
# An invitation's offer tells a blocked visitor so.
_OPEN_TO_BLOCKED = frozenset({"page_end_session", "invitation_offer_ask"})
_DETAILS = {
    "address": "Too many calls from this address.",
    "session": "Too many calls from this session.",
    "upload": "Too many files from this address.",
    "offer": "Too many invitations were asked for from this address.",
    "article": "Too many calls about articles from this address.",
}


@dataclass(frozen=True, slots=True)
class Visitor:
    """A caller from a page that embeds the widget; `known` is None in calls that need no session."""

    widget: EmbeddedWidget
    known: KnownVisitor | None = None

    @property
    def widget_id(self) -> int:
        return self.widget.id

    @property
    def is_moving(self) -> bool:
        return self.widget.is_moving

    @property
    def contact(self) -> Contact:
        """The visitor's contact, of a call that needs a session."""
        assert self.known is not None  # noqa: S101 - the authenticator has seen to it
        return self.known.contact

    @property
    def is_asked(self) -> bool:
        """Whether questions before a chat are put to the visitor: to none who came by a letter's link."""
        return self.widget.asks and self.known is not None and self.known.first_id is None


class VisitorAuthenticator(CallAuthenticator):
    """A page that may embed the widget and, unless `needs_session` is false, a visitor's session.

    With `takes_session` a call that needs none may come with one; a token that is none is as no token.
    """

    path_arguments = ("guid",)
    tag = "visitor"
    answers_options = True
    max_body = MAX_BODY

    def __init__(self, *, needs_session: bool = True, takes_session: bool = False) -> None:
        self._needs_session, self._takes_session = needs_session, needs_session or takes_session
        self.problems = (NOT_FOUND, ORIGIN_NOT_ALLOWED, RATE_LIMITED, VISITOR_BLOCKED)
        if needs_session:
            self.problems = (*self.problems, INVALID_VISITOR_TOKEN)
            self.security = ({"visitor": []},)

    def admit(self, request: HttpRequest, path: Mapping[str, Any]) -> AuthResult:
        token = token_of(request) if self._takes_session else None
        address = addresses.key_of(request)
        widget, known = querysets.find_visitor(path["guid"], token, address)
        try:
            visitor = Visitor(_admitted_page(widget, request.headers.get("Origin")), known)
        except Problem as problem:
            return AuthResult(refusal=problem)
        budget = _spend(address, "address")
        if not budget.allowed:
            return AuthResult(visitor, budget, _too_many(budget, "address"))
        if not self._needs_session:
            return AuthResult(visitor, budget)
        if known is None:
            return AuthResult(visitor, budget, INVALID_VISITOR_TOKEN(headers={"WWW-Authenticate": "Visitor"}))
        budget = _spend(str(known.session_id), "session")
        return AuthResult(visitor, budget, None if budget.allowed else _too_many(budget, "session"))

    def permit(self, request: HttpRequest, caller: Visitor, operation: Operation) -> None:
        """Refuses every call of a blocked visitor that is no read; notes the use of a session; takes an upload from
        its address's budget of uploads, before anything of it is read.
        """
        changes = request.method not in _READING and operation.public_id not in _OPEN_TO_BLOCKED
        if caller.widget.blocks and changes:
            raise VISITOR_BLOCKED()
        if caller.known is not None:
            actions.note_use(session_id=caller.known.session_id, last_seen_at=caller.known.last_seen_at)
        if operation.upload is not None:
            require_budget(addresses.key_of(request), "upload", limit=UPLOADS_A_MINUTE)

    def preflight(self, request: HttpRequest, path: Mapping[str, Any], methods: Sequence[str]) -> HttpResponseBase:
        origin = request.headers.get("Origin")
        embedded_widget(path["guid"], origin)
        response = HttpResponse(status=204)
        if origin is not None:
            _allow_origin(origin, response)
            response.headers["Allow"] = response.headers["Access-Control-Allow-Methods"] = ", ".join(methods)
            response.headers["Access-Control-Allow-Headers"] = "Authorization, Content-Type"
            response.headers["Access-Control-Max-Age"] = str(PREFLIGHT_S)
        return response

    def finish(self, request: HttpRequest, response: HttpResponseBase, auth: AuthResult) -> None:
        """Opens the answer to the page that asks; to one that may not embed the widget, it stays closed."""
        headers = response.headers
        headers["Vary"] = ", ".join(filter(None, [headers.get("Vary"), "Origin"]))
        origin = request.headers.get("Origin")
        if origin is not None and auth.caller is not None:
            _allow_origin(origin, response)


def embedded_widget(guid: str, origin: str | None) -> EmbeddedWidget:
    """The widget of a page of that origin. Raises NOT_FOUND (404), ORIGIN_NOT_ALLOWED (403)."""
    return _admitted_page(querysets.find_visitor(guid)[0], origin)


def _admitted_page(widget: EmbeddedWidget | None, origin: str | None) -> EmbeddedWidget:
    if widget is None:
        raise NOT_FOUND()
    own = rules.public_origin(settings.PUBLIC_URL)
    if not rules.origin_allowed(origin, widget.allowed_origins, own) and origin not in _help_origins(widget.id):
        raise ORIGIN_NOT_ALLOWED()
    return widget


def _help_origins(widget_id: int) -> list[str]:
    """The origin of the widget's help center at its own domain."""
    if not HAS_ARTICLES:
        return []
    from apps.articles.querysets.pages import domain_of

    domain = domain_of(widget_id)
    return [f"https://{domain}"] if domain else []


Kind = Literal["address", "session", "upload", "offer", "article"]


def require_budget(key: str, kind: Kind, *, limit: int | None = None) -> RateLimitState:
    """Takes one call from the budget of an address or a session, or one of an address's uploads, offers or
    calls about articles.

    `limit` is a minute's; by default, VISITOR_RATE_LIMIT. Raises RATE_LIMITED (429).
    """
    budget = _spend(key, kind, limit=limit)
    if not budget.allowed:
        raise _too_many(budget, kind)
    return budget


def _spend(key: str, kind: Kind, *, limit: int | None = None) -> RateLimitState:
    return rate_limits.spend(f"visitor:{kind}:{key}", limit or settings.VISITOR_RATE_LIMIT)


def _too_many(rate_limit: RateLimitState, kind: Kind) -> Problem:
    return over_budget(rate_limit, _DETAILS[kind])


def token_of(request: HttpRequest) -> str | None:
    """The visitor token in a call's `Authorization`."""
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "visitor" else None


def _allow_origin(origin: str, response: HttpResponseBase) -> None:
    response.headers["Access-Control-Allow-Origin"] = origin
    response.headers["Access-Control-Expose-Headers"] = _EXPOSED_HEADERS
