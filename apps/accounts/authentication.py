"""How a bearer token becomes a caller (specification, "Authentication", path 1).

A request costs one round trip to Redis (its rate limit, and the epoch of what this process has cached) and, when the
token is not cached in that epoch, one statement; once a minute a second round trip notes that the token is used. A
change of any permission begins a new epoch after its commit, so it counts from the very next request; without Redis
nothing is cached. See docs/adr/0004.
"""

import hmac
import time
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest
from django.utils import timezone
from rest_framework.authentication import BaseAuthentication
from rest_framework.request import Request

from apps.accounts import rules
from apps.accounts.models import ApiToken
from apps.core.endpoints.authentication import Caller
from apps.core.errors import NOT_AUTHENTICATED
from apps.core.problems import Problem
from apps.core.redis import last_requests, rate_limits
from apps.core.redis.rate_limits import RateLimitState

MAX_CACHED = 10_000


@dataclass(frozen=True, slots=True)
class _Cached:
    caller: Caller
    epoch: bytes
    at: float


_cache: dict[bytes, _Cached] = {}


class TokenAuthentication(BaseAuthentication):
    """Bearer API tokens. The API's base viewset calls `admit`; `authenticate` serves plain DRF views."""

    @staticmethod
    def admit(request: HttpRequest) -> tuple[Caller, RateLimitState]:
        """The caller of a request and what is left of its budget.

        Raises NOT_AUTHENTICATED (401) for a token that is missing, malformed, unknown, revoked or past its expiry.
        """
        return admit_token(_bearer(request))

    def authenticate(self, request: Request) -> tuple[Any, Caller] | None:
        caller, _ = self.admit(request._request)
        return None, caller

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"


def admit_token(token: str) -> tuple[Caller, RateLimitState]:
    """The caller whose token that is, wherever it was sent; see `TokenAuthentication.admit`."""
    if not rules.is_well_formed(token):
        raise _refusal()
    digest = rules.digest(token)
    budget = rate_limits.spend(digest.hex()[:32])
    caller = _cached(digest, budget.epoch)
    if caller is None:
        caller = _read(digest)
        if budget.epoch is not None:
            _remember(digest, caller, budget.epoch)
    if caller.expires_at is not None and timezone.now() >= caller.expires_at:
        raise _refusal()
    last_requests.note_use(rules.TOKEN_USES, caller.token_id)
    return caller, budget


def _bearer(request: HttpRequest) -> str:
    scheme, _, token = request.META.get("HTTP_AUTHORIZATION", "").partition(" ")
    if scheme.lower() != "bearer":
        raise _refusal()
    return str(token.strip())


def _cached(digest: bytes, epoch: bytes | None) -> Caller | None:
    cached = _cache.get(digest)
    if cached is None or cached.epoch != epoch or time.monotonic() - cached.at > rules.MAX_CACHED_S:
        return None
    return cached.caller


def _remember(digest: bytes, caller: Caller, epoch: bytes) -> None:
    if len(_cache) >= MAX_CACHED:
        _cache.clear()
    _cache[digest] = _Cached(caller, epoch, time.monotonic())


def _read(digest: bytes) -> Caller:
    token = ApiToken.objects.unscoped("found by its secret").with_digest(digest)
    if token is None or not hmac.compare_digest(bytes(token.digest), digest):
        raise _refusal()
    if not rules.is_valid(revoked_at=token.revoked_at, expires_at=token.expires_at, now=timezone.now()):
        raise _refusal()
    return Caller(
        token_id=token.pk,
        widget_id=token.widget_id,
        widget_guid=token.widget.guid,
        account_id=token.widget.account_id,
        scopes=frozenset(token.scopes),
        api_enabled=token.widget.api_enabled,
        is_moving=token.widget.is_moving,
        expires_at=token.expires_at,
    )


def _refusal() -> Problem:
    return NOT_AUTHENTICATED(headers={"WWW-Authenticate": "Bearer"})
