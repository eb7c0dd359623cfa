"""The signed calls of the shop's program: as webhooks are signed and headed, and answered with JSON."""

import time
from collections.abc import Mapping
from typing import Any, NamedTuple
from uuid import UUID, uuid4

import orjson

from apps import egress
from apps.cards.models import CardSettings
from apps.egress import EgressRefused
from apps.webhooks import rules

MAX_ANSWER = 64 * 1024
# Reasons of a call that never reached the shop's program.
_NOT_SENT = ("private_address", "not_https", "unresolvable", "resolver_hangs", "connect_failed", "tls")
_ERRORS = {"timeout": "timeout", "too_large": "too_large", "encoded_body": "not_json"}


class ShopAnswer(NamedTuple):
    """The outcome of a call: the document of a 2xx answer (None for an empty one), or the `error`, a slug.

    `was_sent`: the shop may have done what it was asked.
    """

    document: Any
    error: str | None = None
    was_sent: bool = True


def call_shop(
    settings: CardSettings, kind: str, data: Mapping[str, Any], *, widget_guid: str, event_id: UUID, seconds: float
) -> ShopAnswer:
    """Posts to the shop's program once. Call it outside of transactions. No redirect is followed."""
    body = rules.native_body(event_id, kind, data, widget_guid=widget_guid).encode()
    headers = {
        "Content-Type": "application/json",
        "Accept": "application/json",
        "X-Service-Event": kind,
        "X-Service-Signature": rules.signature(settings.secret.encode(), body),
        "X-Service-Idempotency-Key": str(event_id),
        "X-Service-Delivery": str(uuid4()),
        "X-Service-Timestamp": str(int(time.time())),
    }
    try:
        answer = egress.fetch(
            "POST", settings.target, headers=headers, body=body, timeout=seconds, max_bytes=MAX_ANSWER
        )
    except EgressRefused as refused:
        error = _ERRORS.get(refused.reason, "unreachable")
        return ShopAnswer(None, error, was_sent=refused.reason not in _NOT_SENT)
    if not 200 <= answer.status < 300:
        return ShopAnswer(None, "bad_status", was_sent=False)
    return _read(answer)


def _read(answer: egress.Response) -> ShopAnswer:
    if not answer.body.strip():
        return ShopAnswer(None)
    kind = answer.headers.get("Content-Type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        return ShopAnswer(None, "not_json")
    try:
        return ShopAnswer(orjson.loads(answer.body))
    except orjson.JSONDecodeError:
        return ShopAnswer(None, "not_json")
