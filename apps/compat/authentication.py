"""The callers of compat routes: the secret stands in the path.

A bot's is an API token; refusals come in the order of the API's: 401, 403 `api_disabled`, 429, 403 `missing_scope`. The
last one comes again, after 422, for a token that may do some of what bots do but not what this body asks for.

A channel's is the channel's own: 404 for one that no channel has, 403 while the channel or the widget's API is switched
off, 429.

Once it was read, the secret is in the request no longer: neither the log, nor a problem's `instance` can show it.
"""

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest

from apps.accounts.authentication import admit_token
from apps.compat import querysets
from apps.compat.errors import CHANNEL_SWITCHED_OFF
from apps.compat.rules import SCOPES
from apps.core.endpoints.authentication import AuthResult, CallAuthenticator, Caller, TokenAuthenticator, over_budget
from apps.core.endpoints.operations import Operation
from apps.core.errors import API_DISABLED, MISSING_SCOPE, NOT_AUTHENTICATED, NOT_FOUND, RATE_LIMITED
from apps.core.observability.logs import REDACTED
from apps.core.problems import Problem
from apps.core.redis import rate_limits
from apps.core.redis.rate_limits import RateLimitState


class BotAuthenticator(TokenAuthenticator):
    """An API token in the path. The scope that it needs depends on the bot's request (`require_scope`)."""

    path_arguments = ("token",)
    tag = "compat"
    needs_scopes = False
    needs_keys = False
    security = ()

    def authenticated(self, request: HttpRequest, path: Mapping[str, Any]) -> tuple[Caller, RateLimitState]:
        _hide(request, path["token"])
        try:
            return admit_token(path["token"])
        except Problem:
            raise NOT_AUTHENTICATED("The token in the path is unknown, revoked or expired.") from None

    def permit(self, request: HttpRequest, caller: Caller, operation: Operation) -> None:
        """Refuses a token that may do nothing of what bots do."""
        if caller.scopes.isdisjoint(SCOPES.values()):
            raise MISSING_SCOPE(f"A bot's token needs the scope {' or '.join(dict.fromkeys(SCOPES.values()))}.")


def require_scope(caller: Caller, scope: str) -> None:
    """Raises MISSING_SCOPE (403) when the token in the path does not carry the scope."""
    if scope not in caller.scopes:
        raise MISSING_SCOPE(f"This needs the scope {scope}.")


class ChannelAuthenticator(CallAuthenticator):
    """A custom channel's secret in the path. The caller is the channel; without custom channels there is none."""

    path_arguments = ("secret",)
    tag = "compat"
    problems = (NOT_FOUND, CHANNEL_SWITCHED_OFF, API_DISABLED, RATE_LIMITED)

    def admit(self, request: HttpRequest, path: Mapping[str, Any]) -> AuthResult:
        _hide(request, path["secret"])
        channel = querysets.channel_with_secret(path["secret"])
        if channel is None:
            return AuthResult(refusal=NOT_FOUND())
        if not channel.widget.api_enabled:
            return AuthResult(channel, refusal=API_DISABLED())
        if not channel.is_active:
            return AuthResult(channel, refusal=CHANNEL_SWITCHED_OFF())
        budget = rate_limits.spend(f"channel:{channel.pk}")
        refusal = None if budget.allowed else over_budget(budget, "Too many calls by this channel.")
        return AuthResult(channel, budget, refusal)


def _hide(request: HttpRequest, secret: str) -> None:
    request.path = request.path.replace(secret, REDACTED)
    request.path_info = request.path_info.replace(secret, REDACTED)
