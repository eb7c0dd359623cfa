"""The outbox: an event and its deliveries, written in the transaction of what happened."""

from collections.abc import Mapping
from random import getrandbits
from typing import Any
from uuid import UUID

from apps.core import encryption, wakeups
from apps.core.database import execute
from apps.webhooks import rules

DELIVER = "apps.webhooks.tasks.deliver"

# One statement, prepared: nothing is written unless the type is switched on and an active subscription lists it.
# Index: webhooks_subscription_target.
_EMIT = """
WITH wanted AS MATERIALIZED (
    SELECT s.id, s.is_legacy_compat FROM webhooks_subscription s
    WHERE s.widget_id = %(widget_id)s AND s.is_active
      AND CASE WHEN s.is_legacy_compat THEN %(legacy_name)s::text ELSE %(type)s::text END = ANY (s.events)
      AND EXISTS (SELECT FROM webhooks_eventswitch t WHERE t.name = %(type)s::text AND t.enabled)
), event AS (
    INSERT INTO webhooks_event (guid, widget_id, type, body, is_sealed)
    SELECT %(guid)s, %(widget_id)s, %(type)s::text, %(body)s, %(is_sealed)s WHERE EXISTS (SELECT FROM wanted)
    RETURNING id
)
INSERT INTO webhooks_delivery (guid, event_id, subscription_id, event_type, is_legacy)
SELECT gen_random_uuid(), event.id, wanted.id, %(type)s::text, wanted.is_legacy_compat FROM event CROSS JOIN wanted"""


def emit(event_type: str, *, widget_id: int, widget_guid: str, data: Mapping[str, Any]) -> int:
    """Queues an event for every active subscription of the widget that wants it; returns for how many.

    Must run in the transaction of what happened: both are kept, or neither. Delivery begins after the commit. `data`
    holds the fields that the catalogue names.
    """
    event_id = UUID(int=getrandbits(128), version=4)  # a name, no secret: the fast generator will do
    body = rules.native_body(event_id, event_type, data, widget_guid=widget_guid)
    is_sealed = event_type in rules.PERSONAL_EVENTS
    parameters: dict[str, Any] = {
        "guid": event_id,
        "widget_id": widget_id,
        "type": event_type,
        "legacy_name": rules.CATALOGUE[event_type].legacy_name or "",
        "body": encryption.encrypt(body) if is_sealed else body,
        "is_sealed": is_sealed,
    }
    queued = execute(_EMIT, parameters)
    if queued:
        wakeups.after_commit(DELIVER)
    return queued
