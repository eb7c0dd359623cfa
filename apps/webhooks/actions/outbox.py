"""The outbox: an event and its deliveries, written in the transaction of what happened."""

from collections.abc import Mapping, Sequence
from random import getrandbits
from typing import Any, NamedTuple
from uuid import UUID

from apps.core import encryption, wakeups
from apps.core.database import execute, fetch_all
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

# The same for many events of one type: whose subscriptions want them, then all that they want, in one statement.
_WANTED = """
SELECT s.id, s.widget_id, s.is_legacy_compat FROM webhooks_subscription s
WHERE s.widget_id = ANY (%(widget_ids)s) AND s.is_active
  AND CASE WHEN s.is_legacy_compat THEN %(legacy_name)s::text ELSE %(type)s::text END = ANY (s.events)
  AND EXISTS (SELECT FROM webhooks_eventswitch t WHERE t.name = %(type)s::text AND t.enabled)"""
_EMIT_MANY = f"""
WITH wanted AS MATERIALIZED ({_WANTED}
), event AS (
    INSERT INTO webhooks_event (guid, widget_id, type, body, is_sealed)
    SELECT happening.guid, happening.widget_id, %(type)s::text, happening.body, %(is_sealed)s
    FROM unnest(%(guids)s::uuid[], %(widgets)s::bigint[], %(bodies)s::text[]) AS happening (guid, widget_id, body)
    WHERE happening.widget_id IN (SELECT wanted.widget_id FROM wanted)
    RETURNING id, widget_id
)
INSERT INTO webhooks_delivery (guid, event_id, subscription_id, event_type, is_legacy)
SELECT gen_random_uuid(), event.id, wanted.id, %(type)s::text, wanted.is_legacy_compat
FROM event JOIN wanted ON wanted.widget_id = event.widget_id"""  # noqa: S608 - of constants


class Happening(NamedTuple):
    """One event of many: whose it is, and the fields that the catalogue names."""

    widget_id: int
    widget_guid: str
    data: Mapping[str, Any]


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


def emit_many(event_type: str, happenings: Sequence[Happening]) -> int:
    """Queues many events of one type, as `emit` does each; returns how many deliveries that makes.

    One statement when no widget wants any of them, two else, however many they are.
    """
    names = {
        "widget_ids": list({happening.widget_id for happening in happenings}),
        "type": event_type,
        "legacy_name": rules.CATALOGUE[event_type].legacy_name or "",
    }
    wanting = {widget_id for _, widget_id, _ in fetch_all(_WANTED, names)}
    told = [happening for happening in happenings if happening.widget_id in wanting]
    if not told:
        return 0
    ids = [UUID(int=getrandbits(128), version=4) for _ in told]
    bodies = [
        rules.native_body(event_id, event_type, happening.data, widget_guid=happening.widget_guid)
        for event_id, happening in zip(ids, told, strict=True)
    ]
    is_sealed = event_type in rules.PERSONAL_EVENTS
    queued = execute(
        _EMIT_MANY,
        {
            **names,
            "guids": ids,
            "widgets": [happening.widget_id for happening in told],
            "bodies": [encryption.encrypt(body) for body in bodies] if is_sealed else bodies,
            "is_sealed": is_sealed,
        },
    )
    if queued:
        wakeups.after_commit(DELIVER)
    return queued
