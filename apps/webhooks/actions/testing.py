"""A test event, sent at once to one subscription, so that its owner sees what comes back."""

import time
from dataclasses import dataclass
from uuid import uuid4

from apps import egress
from apps.core.endpoints.outbound_writes import ExternalCall
from apps.egress import EgressRefused
from apps.webhooks import rules
from apps.webhooks.models import Subscription

TEST_EVENT = "webhook.test"
_SECONDS, _MOST_BYTES, _SHOWN = 15.0, 64 * 1024, 500


@dataclass(frozen=True, slots=True)
class Tested:
    """The posted event and the response: a status with the beginning of the answer, or the reason there was none."""

    body: str
    signature: str
    status: int | None
    answer: str
    error: str
    milliseconds: int

    @property
    def succeeded(self) -> bool:
        return self.status is not None and 200 <= self.status < 300


def send_test(*, subscription: Subscription) -> Tested:
    """Posts a signed event of the type `webhook.test` to a subscription's address, once, and stores nothing.

    It is signed and headed as every delivery. Call it outside of transactions. Raises BulkheadFull.
    """
    event_id = uuid4()
    body = rules.native_body(event_id, TEST_EVENT, {}, widget_guid=subscription.widget.guid)
    headers = {
        "Content-Type": "application/json",
        "X-Service-Event": TEST_EVENT,
        "X-Service-Signature": rules.signature(subscription.secret.encode(), body.encode()),
        "X-Service-Idempotency-Key": str(event_id),
        "X-Service-Delivery": str(uuid4()),
        "X-Service-Timestamp": str(int(time.time())),
    }
    began = time.monotonic()
    status, answer, error = None, "", ""
    with ExternalCall(subscription.widget_id).slot():
        try:
            found = egress.fetch(
                "POST",
                subscription.target,
                headers=headers,
                body=body.encode(),
                timeout=_SECONDS,
                max_bytes=_MOST_BYTES,
            )
            status, answer = found.status, found.body.decode("utf-8", "replace")[:_SHOWN]
        except EgressRefused as refused:
            error = str(refused)
    took = round((time.monotonic() - began) * 1000)
    return Tested(body, headers["X-Service-Signature"], status, answer, error, took)
