"""The shared parts of Meta's messengers: the signature of callbacks and the Graph API's errors,
https://developers.facebook.com/docs/graph-api/guides/error-handling.
"""

from collections.abc import Mapping
from typing import Any, ClassVar

from apps.messengers.adapters.adapter import Adapter, Registration, WebhookRequest
from apps.messengers.adapters.client import ProviderClient, ProviderResponse
from apps.messengers.rules.delivery import Failure, FailureCode
from apps.messengers.rules.inbound import member, plain

_CODES = {
    190: FailureCode.CREDENTIAL_REJECTED,
    551: FailureCode.NO_RECIPIENT,
    131026: FailureCode.NO_RECIPIENT,
    131047: FailureCode.WINDOW_CLOSED,
    2018278: FailureCode.WINDOW_CLOSED,
    4: FailureCode.SLOW_DOWN,
    613: FailureCode.SLOW_DOWN,
    80007: FailureCode.SLOW_DOWN,
    130429: FailureCode.SLOW_DOWN,
    131056: FailureCode.SLOW_DOWN,
}
_PASSING = frozenset({1, 2})


def code_of(error: Any) -> FailureCode | None:
    """The code of a Graph API error, by its number or the number below it; None for others."""
    for name in ("error_subcode", "code"):
        number = member(error, name)
        if isinstance(number, int) and number in _CODES:
            return _CODES[number]
    return FailureCode.UNAVAILABLE if member(error, "code") in _PASSING else None


class Graph(Adapter):
    """A messenger whose address is entered by hand in Meta's dashboard, with a token by which it is verified."""

    base = "https://graph.facebook.com/v23.0"
    registration: ClassVar[Registration] = "manual"

    def call(self, wire: ProviderClient, method: str, path: str, **more: Any) -> dict[str, Any]:
        """A call of the Graph API."""
        return wire.ask(method, path, headers={"Authorization": f"Bearer {wire.line.token}"}, **more).json

    def proves(self, hook: WebhookRequest) -> bool:
        return hook.is_signed(hook.headers.get("x-hub-signature-256", ""), hook.line.app_secret, "sha256=")

    def failure(self, reply: ProviderResponse) -> Failure | None:
        error = reply.json.get("error")
        code = code_of(error) if isinstance(error, Mapping) else None
        return Failure(code, self.words(reply)) if code else None

    def words(self, reply: ProviderResponse) -> str:
        return plain(member(reply.json, "error", "message"))
