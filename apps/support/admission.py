"""Who may call as a company's application: the bound token, in a signed envelope.

Refusals come in this order: those of every API token; 403 `token_not_bound`; 413; 401 for the envelope; 409
`nonce_reused`; then as everywhere.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from django.http import HttpRequest

from apps.core.endpoints.admission import TokenAdmission
from apps.core.endpoints.callers import Caller
from apps.core.endpoints.calls import Call
from apps.core.endpoints.operations import Operation
from apps.core.endpoints.viewsets import EndpointViewSet
from apps.core.errors import BODY_TOO_LARGE, TRY_AGAIN
from apps.core.problems import ProblemType
from apps.support.actions.envelopes import accept, binding_of
from apps.support.errors import (
    INVALID_NONCE,
    INVALID_SIGNATURE,
    NONCE_REUSED,
    SIGNATURE_REQUIRED,
    STALE_TIMESTAMP,
    TOKEN_NOT_BOUND,
)
from apps.support.models import Binding
from apps.support.rules.envelope import Envelope

MAX_BODY = 64 * 1024


class SignedAdmission(TokenAdmission):
    """The bound token, and a signature over the raw body; no idempotency key."""

    needs_keys = False
    max_body = MAX_BODY
    problems: tuple[ProblemType, ...] = (
        *TokenAdmission.problems,
        *(TOKEN_NOT_BOUND, BODY_TOO_LARGE),
        *(SIGNATURE_REQUIRED, INVALID_NONCE, STALE_TIMESTAMP, INVALID_SIGNATURE, NONCE_REUSED, TRY_AGAIN),
    )
    security: Sequence[Mapping[str, Any]] = ({"bearer": [], "signature": [], "nonce": [], "timestamp": []},)

    def permit(self, request: HttpRequest, caller: Caller, operation: Operation) -> None:
        super().permit(request, caller, operation)
        request.binding = binding_of(caller.widget_id, caller.token_id)  # type: ignore[attr-defined]

    def inspect(self, request: HttpRequest, caller: Caller, raw: bytes) -> None:
        """Where the body was waited for, the binding is read anew: it may have gone meanwhile."""
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

    admission = SignedAdmission()
    writes = ("ai:write",)

    @staticmethod
    def binding(call: Call) -> Binding:
        """The binding whose signature the call bears."""
        binding: Binding = call.request.binding  # type: ignore[attr-defined]
        return binding


def _target(request: HttpRequest) -> str:
    """The path with its query, as it was sent."""
    path, query = request.get_full_path().partition("?")[0], request.META.get("QUERY_STRING", "")
    return f"{path}?{query}" if query else path
