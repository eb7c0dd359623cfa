"""The door for a company's application: the bound token, in a signed envelope.

Refusals come in this order: those of every API token; 403 `token_not_bound`; 413; 401 for the envelope; 409
`nonce_reused`; then as everywhere.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import orjson
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

from apps.core.endpoints import addresses
from apps.core.endpoints.authentication import AuthResult, Caller, TokenAuthenticator
from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import Operation
from apps.core.endpoints.viewsets import EndpointViewSet
from apps.core.errors import BODY_TOO_LARGE, IDEMPOTENCY_KEY_REUSED, TRY_AGAIN
from apps.core.problems import Problem, ProblemType
from apps.support.actions.envelopes import accept, binding_of
from apps.support.actions.records import previous_of, record_refusal
from apps.support.errors import (
    AGENT_REQUIRED,
    INVALID_AGENT,
    INVALID_NONCE,
    INVALID_SIGNATURE,
    IP_NOT_ALLOWED,
    NONCE_REUSED,
    SIGNATURE_REQUIRED,
    STALE_TIMESTAMP,
    SUPPORT_API_DISABLED,
    SUPPORT_OPERATOR_NOT_CONFIGURED,
    TOKEN_NOT_ALLOWED,
    TOKEN_NOT_BOUND,
)
from apps.support.models import Binding, SupportSettings
from apps.support.rules import desk as desk_rules
from apps.support.rules import settings as rules
from apps.support.rules.envelope import Envelope
from apps.support.settings import has_operator, settings_of

MAX_BODY = 64 * 1024
_DESK = "parley.desk"
AGENT_PARAMETER: Mapping[str, Any] = {
    "name": "X-Service-Agent",
    "in": "header",
    "required": True,
    "description": "The agent's own name, which stands on record and in notes.",
    "schema": {"type": "string", "minLength": 1, "maxLength": 48, "pattern": f"^{desk_rules.AGENT}$"},
}


class SignedAuthenticator(TokenAuthenticator):
    """The bound token, and a signature over the raw body; no idempotency key."""

    needs_keys = False
    max_body = MAX_BODY
    problems: tuple[ProblemType, ...] = (
        *TokenAuthenticator.problems,
        *(TOKEN_NOT_BOUND, BODY_TOO_LARGE),
        *(SIGNATURE_REQUIRED, INVALID_NONCE, STALE_TIMESTAMP, INVALID_SIGNATURE, NONCE_REUSED, TRY_AGAIN),
    )
    security: Sequence[Mapping[str, Any]] = ({"bearer": [], "signature": [], "nonce": [], "timestamp": []},)

    def permit(self, request: HttpRequest, caller: Caller, operation: Operation) -> None:
        super().permit(request, caller, operation)
        request.binding = binding_of(caller.widget_id, caller.token_id)  # type: ignore[attr-defined]

    def inspect(self, request: HttpRequest, caller: Caller, raw: bytes) -> None:
        """Reads the binding again if the body came late: it may have been deleted since."""
        binding: Binding = getattr(request, "binding", None) or binding_of(caller.widget_id, caller.token_id)
        meta = request.META
        envelope = Envelope(
            meta.get("HTTP_X_SERVICE_TIMESTAMP", ""),
            meta.get("HTTP_X_SERVICE_NONCE", ""),
            meta.get("HTTP_X_SERVICE_SIGNATURE", ""),
        )
        accept(binding, envelope, method=request.method or "", target=_target(request), body=raw)
        request.binding = binding  # type: ignore[attr-defined]


class SignedViewSet(EndpointViewSet):
    """The base of the viewsets whose callers are a company's own application."""

    authenticator = SignedAuthenticator()
    writes = ("ai:write",)

    @staticmethod
    def binding(context: RequestContext) -> Binding:
        """The binding whose signature the call bears."""
        binding: Binding = context.request.binding  # type: ignore[attr-defined]
        return binding


class DeskAuthenticator(TokenAuthenticator):
    """A token that the owner has listed, from an address that they have, at a desk that they have enabled.

    Refusals after 403 `missing_scope`: 503 `support_api_disabled`, 403 `token_not_allowed`, 403 `ip_not_allowed`, 503
    `support_operator_not_configured`. Each problem has `reason`, its code. Every write from the gate on is on record,
    also one that is refused; past the gate its problem has `action_id`, save a 404, which is like every other.
    """

    max_body = MAX_BODY
    write_headers = (AGENT_PARAMETER,)
    problems: tuple[ProblemType, ...] = (
        *TokenAuthenticator.problems,
        *(SUPPORT_API_DISABLED, TOKEN_NOT_ALLOWED, IP_NOT_ALLOWED, SUPPORT_OPERATOR_NOT_CONFIGURED, TRY_AGAIN),
    )

    def admit(self, request: HttpRequest, path: Mapping[str, Any]) -> AuthResult:
        request.META[_DESK] = DeskCall(path=path)
        return super().admit(request, path)

    def permit(self, request: HttpRequest, caller: Caller, operation: Operation) -> None:
        super().permit(request, caller, operation)
        desk = _desk(request)
        desk.operation, desk.is_at_gate = operation.name, True
        settings = settings_of(caller.widget_id)
        if not settings.enabled or not settings.token_ids:
            raise SUPPORT_API_DISABLED()
        if caller.token_id not in settings.token_ids:
            raise TOKEN_NOT_ALLOWED()
        if not rules.admits(settings.ip_allowlist, addresses.address_of(request)):
            raise IP_NOT_ALLOWED()
        if not has_operator(settings):
            raise SUPPORT_OPERATOR_NOT_CONFIGURED()
        desk.settings = settings

    def inspect(self, request: HttpRequest, caller: Caller, raw: bytes) -> None:
        _desk(request).raw = raw

    def members(self, problem: Problem) -> Mapping[str, Any]:
        return {"reason": problem.type.code}

    def finish(self, request: HttpRequest, response: HttpResponseBase, auth: AuthResult) -> None:
        """Puts a refused write on record; it has been rolled back by now."""
        desk = _desk(request)
        if request.method != "POST" or response.status_code < 400 or not desk.is_at_gate:
            return
        if not isinstance(response, HttpResponse) or desk.is_recorded:
            return
        problem = orjson.loads(response.content)
        action_id = record_refusal(
            caller=auth.caller,
            operation=desk.operation,
            path=desk.path,
            raw=desk.raw,
            key=request.META.get("HTTP_X_SERVICE_IDEMPOTENCY_KEY", ""),
            agent=request.META.get("HTTP_X_SERVICE_AGENT", ""),
            http_status=response.status_code,
            code=problem.get("code", ""),
        )
        if desk.settings is None or response.status_code == 404:
            return
        if action_id is not None:
            problem["action_id"] = action_id
        if problem["code"] == IDEMPOTENCY_KEY_REUSED.code:
            problem["previous"] = previous_of(
                caller=auth.caller, operation=desk.operation, key=request.META["HTTP_X_SERVICE_IDEMPOTENCY_KEY"]
            )
        response.content = orjson.dumps(problem)


@dataclass(slots=True)
class DeskCall:
    """The known facts of a call at the desk, for its record."""

    path: Mapping[str, Any]
    operation: str = ""
    raw: bytes = b""
    is_at_gate: bool = False
    is_recorded: bool = False
    settings: SupportSettings | None = None


class DeskViewSet(EndpointViewSet):
    """The base of the support desk's viewsets. Writes name their agent."""

    authenticator = DeskAuthenticator()
    reads = ("support:read",)
    writes = ("support:write",)

    def is_there(self, context: RequestContext) -> bool:
        """Raises AGENT_REQUIRED, INVALID_AGENT (400) for a write."""
        if context.request.method == "POST":
            agent_of(context)
        return True


def _desk(request: HttpRequest) -> DeskCall:
    desk: DeskCall = request.META[_DESK]  # which stays where the body is waited for
    return desk


def settings_for(context: RequestContext) -> SupportSettings:
    """The settings that the gate has read; read again if the body came late."""
    return _desk(context.request).settings or settings_of(context.widget_id)


def recorded(context: RequestContext) -> None:
    """Says that the call is on record already."""
    _desk(context.request).is_recorded = True


def agent_of(context: RequestContext) -> str:
    """The agent that a write names. Raises AGENT_REQUIRED, INVALID_AGENT (400)."""
    agent = context.request.META.get("HTTP_X_SERVICE_AGENT")
    if agent is None:
        raise AGENT_REQUIRED()
    if not re.fullmatch(desk_rules.AGENT, agent):
        raise INVALID_AGENT()
    return str(agent)


def _target(request: HttpRequest) -> str:
    """The path with its query, as it was sent."""
    path, query = request.get_full_path().partition("?")[0], request.META.get("QUERY_STRING", "")
    return f"{path}?{query}" if query else path
