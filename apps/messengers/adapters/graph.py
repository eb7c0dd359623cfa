"""The shared parts of Meta's messengers: the signature of callbacks, the subscription of an account to the app, and the
Graph API's errors, https://developers.facebook.com/docs/graph-api/guides/error-handling.
"""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any, ClassVar

from apps.messengers.adapters.adapter import Adapter, Registration, WebhookRequest
from apps.messengers.adapters.client import ProviderClient, ProviderResponse
from apps.messengers.rules.delivery import Failure, FailureCode
from apps.messengers.rules.inbound import member, plain

PAIR_S, SPAM_S = 6.0, 900.0
# By code, or by code and subcode.
Codes = Mapping[int | tuple[int, int], Failure]
_CODES: Codes = {
    190: Failure(FailureCode.CREDENTIAL_REJECTED),
    4: Failure(FailureCode.SLOW_DOWN),
    613: Failure(FailureCode.SLOW_DOWN),
    80007: Failure(FailureCode.SLOW_DOWN),
    130429: Failure(FailureCode.SLOW_DOWN),
    131048: Failure(FailureCode.SLOW_DOWN, retry_after_s=SPAM_S),
    133016: Failure(FailureCode.SLOW_DOWN, retry_after_s=SPAM_S),
    131056: Failure(FailureCode.SLOW_DOWN, retry_after_s=PAIR_S, one_person=True),
    1: Failure(FailureCode.UNAVAILABLE),
    2: Failure(FailureCode.UNAVAILABLE),
    1200: Failure(FailureCode.UNAVAILABLE),
    131000: Failure(FailureCode.UNAVAILABLE),
    131016: Failure(FailureCode.UNAVAILABLE),
    131057: Failure(FailureCode.UNAVAILABLE),
    551: Failure(FailureCode.NO_RECIPIENT),
    (100, 2018001): Failure(FailureCode.NO_RECIPIENT),
    131021: Failure(FailureCode.NO_RECIPIENT),
    131026: Failure(FailureCode.NO_RECIPIENT),
    131030: Failure(FailureCode.NO_RECIPIENT),
    131047: Failure(FailureCode.WINDOW_CLOSED),
    (10, 2018278): Failure(FailureCode.WINDOW_CLOSED),
    (10, 2534022): Failure(FailureCode.WINDOW_CLOSED),
    131053: Failure(FailureCode.WRONG_KIND),
    (100, 2018047): Failure(FailureCode.WRONG_KIND),
}
# Meta's words, without a code of their own, for a file of a type that it does not take.
_NOT_SO = "must be a file with one of the following types"


def meaning_of(error: Any, own: Codes | None = None) -> Failure | None:
    """The meaning of a Graph API error, by its code and the one below it; None for others."""
    code, below = member(error, "code"), member(error, "error_subcode")
    known = {**_CODES, **(own or {})}
    found = known.get((code, below)) if isinstance(code, int) and isinstance(below, int) else None
    if found is None and isinstance(code, int):
        found = known.get(code)
    if found is None and _NOT_SO in plain(member(error, "message")):
        found = Failure(FailureCode.WRONG_KIND)
    return found


class Graph(Adapter):
    """A messenger whose address is entered by hand in Meta's dashboard, once for the app, with a token by which it is
    verified.
    """

    base = "https://graph.facebook.com/v23.0"
    registration: ClassVar[Registration] = "manual"
    by_app = True
    answers_within = timedelta(hours=24)
    optional: ClassVar[tuple[str, ...]] = ("app_secret", "url")
    vendor_fields: ClassVar[tuple[str, ...]] = ("app_secret",)
    means: ClassVar[Codes] = {}

    async def call(self, client: ProviderClient, method: str, path: str, **more: Any) -> dict[str, Any]:
        """A call of the Graph API."""
        headers = {"Authorization": f"Bearer {client.credentials.token}"}
        return (await client.ask(method, path, headers=headers, **more)).json

    def verify(self, request: WebhookRequest) -> bool:
        return request.is_signed(
            request.headers.get("x-hub-signature-256", ""), request.credentials.app_secret, "sha256="
        )

    def failure(self, response: ProviderResponse) -> Failure | None:
        error = response.json.get("error")
        found = meaning_of(error, self.means) if isinstance(error, Mapping) else None
        if found is None:
            return None
        return Failure(found.code, self.words(response), found.retry_after_s, one_person=found.one_person)

    def words(self, response: ProviderResponse) -> str:
        error = response.json.get("error")
        return plain(member(error, "error_data", "details")) or plain(member(error, "message"))
