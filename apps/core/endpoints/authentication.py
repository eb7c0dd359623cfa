"""Authenticator: who may call, and how often. It is asked of every call before its body is read.

An `CallAuthenticator` is declared once a viewset. It says who calls (`admit`), what they may do (`permit`), and what
becomes of every answer to them (`finish`). API tokens are admitted here; other apps bring their own (a visitor's
session, an operator's, a secret in the path).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from rest_framework.settings import api_settings

from apps.core.errors import API_DISABLED, MISSING_SCOPE, NOT_AUTHENTICATED, RATE_LIMITED, TRY_AGAIN
from apps.core.problems import Problem, ProblemType
from apps.core.redis.rate_limits import RateLimitState

if TYPE_CHECKING:
    from apps.core.endpoints.operations import Operation


# In an environ: the AuthResult of the request that this one is made within. It was admitted once, and pays once.
ADMITTED = "parley.admitted_within"


@dataclass(frozen=True, slots=True)
class Caller:
    """An API token, resolved: it stands for exactly one widget and carries an explicit list of scopes.

    `accounts.authentication` says how a bearer token becomes one; core only enforces.

    `is_moving`: the widget's account moves to another installation; every kind of caller says so (`viewsets.py`).
    """

    token_id: int
    widget_id: int
    widget_guid: str
    account_id: int
    scopes: frozenset[str]
    api_enabled: bool
    expires_at: datetime | None
    is_moving: bool = False


class AuthResult(NamedTuple):
    """The caller, the rest of their budget, and the refusal of those who may not come in."""

    caller: Any = None
    budget: RateLimitState | None = None
    refusal: Problem | None = None


class CallAuthenticator:
    """One instance serves every request of its viewsets.

    needs_scopes: operations declare scopes, and the start is refused if one does not. needs_keys: writes need an
    idempotency key, unless they say otherwise. path_arguments: the arguments of the path that this authenticator
    answers for; the others lead to the viewset's target. answers_options: OPTIONS is answered by `preflight`, not
    refused as any other method that is not there. max_body: the longest body that is taken into memory, in bytes; None
    is what Django takes (1 MiB). unexpected_body: what a GET with a body is refused with; None lets it pass unread.
    problems: what it may refuse with. security, tag: how the OpenAPI document describes its operations. write_headers:
    parameters that it shows of writes besides.
    """

    needs_scopes: ClassVar[bool] = False
    needs_keys: ClassVar[bool] = False
    path_arguments: ClassVar[tuple[str, ...]] = ()
    answers_options: ClassVar[bool] = False
    max_body: ClassVar[int | None] = None
    unexpected_body: ClassVar[ProblemType | None] = None
    problems: tuple[ProblemType, ...] = ()
    security: Sequence[Mapping[str, Any]] = ()
    tag: ClassVar[str | None] = None
    write_headers: Sequence[Mapping[str, Any]] = ()

    def admit(self, request: HttpRequest, path: Mapping[str, Any]) -> AuthResult:
        """Finds out who calls. A refusal is returned, with the budget that its answer tells of."""
        raise NotImplementedError

    def permit(self, request: HttpRequest, caller: Any, operation: "Operation") -> None:
        """Raises Problem for a caller who may come in, but may not do this."""

    def inspect(self, request: HttpRequest, caller: Any, raw: bytes) -> None:
        """Looks at a body as it was sent, before it is refused for its type (415) or read (400): a signature's place.

        Runs in no transaction: what it writes is there whatever becomes of the call. Raises Problem.
        """

    def members(self, problem: Problem) -> Mapping[str, Any]:
        """Members that each of its problems has besides."""
        return {}

    def preflight(self, request: HttpRequest, path: Mapping[str, Any], methods: Sequence[str]) -> HttpResponseBase:
        """The answer to OPTIONS."""
        raise NotImplementedError

    def finish(self, request: HttpRequest, response: HttpResponseBase, auth: AuthResult) -> None:
        """Adds what every answer to this caller carries, refusals too."""


class TokenAuthenticator(CallAuthenticator):
    """API tokens (specification, "Authentication"): 401, 403 `api_disabled`, 429; then 403 `missing_scope`."""

    needs_scopes = True
    needs_keys = True
    problems: tuple[ProblemType, ...] = (NOT_AUTHENTICATED, API_DISABLED, RATE_LIMITED, MISSING_SCOPE)
    security: Sequence[Mapping[str, Any]] = ({"bearer": []},)

    def authenticated(self, request: HttpRequest, path: Mapping[str, Any]) -> tuple[Caller, RateLimitState]:
        """The owner of the token, and the rest of its budget. Raises NOT_AUTHENTICATED (401)."""
        return _authenticator()(request)

    def admit(self, request: HttpRequest, path: Mapping[str, Any]) -> AuthResult:
        within: AuthResult | None = request.META.get(ADMITTED)
        if within is not None:
            return within
        try:
            caller, budget = self.authenticated(request, path)
        except Problem as problem:
            return AuthResult(refusal=problem)
        if not caller.api_enabled:
            return AuthResult(caller, budget, API_DISABLED())
        if not budget.allowed:
            return AuthResult(caller, budget, over_budget(budget))
        return AuthResult(caller, budget)

    def permit(self, request: HttpRequest, caller: Caller, operation: "Operation") -> None:
        if caller.scopes.isdisjoint(operation.scopes):
            raise MISSING_SCOPE(f"This operation needs the scope {' or '.join(operation.scopes)}.")
        if lacking := [scope for scope in operation.also_needs if scope not in caller.scopes]:
            raise MISSING_SCOPE(f"This operation needs the scope {' and '.join(lacking)} as well.")


def over_budget(rate_limit: RateLimitState, detail: str | None = None) -> Problem:
    """The refusal of who has used up a budget."""
    return RATE_LIMITED(detail, headers={"Retry-After": str(max(1, rate_limit.retry_after_s))})


def moving() -> Problem:
    """The refusal of a write to a widget whose account moves to another installation."""
    return TRY_AGAIN("The account is being moved: nothing is taken until that is done.", headers={"Retry-After": "60"})


@cache
def _authenticator() -> Callable[[HttpRequest], tuple[Caller, RateLimitState]]:
    """How a request becomes a caller: `admit` of the first class of DRF's DEFAULT_AUTHENTICATION_CLASSES."""
    classes: Any = api_settings.DEFAULT_AUTHENTICATION_CLASSES
    admit: Callable[[HttpRequest], tuple[Caller, RateLimitState]] = classes[0].admit
    return admit
