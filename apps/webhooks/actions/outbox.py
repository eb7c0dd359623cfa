"""The outbox: an event and its deliveries, written in the transaction of what happened."""

from collections.abc import Mapping, Sequence
from random import getrandbits
from typing import Any, NamedTuple
from uuid import UUID

import orjson

from apps.core.bus import Cte
from apps.core.database import encryption, fetch_all
from apps.core.destinations import DestinationType, OutgoingEvent
from apps.core.redis import wakeups
from apps.webhooks import rules

DELIVER = "apps.webhooks.tasks.deliver"

# The events as JSON: the driver takes far longer to write arrays.
_GIVEN = """
outbox_given AS MATERIALIZED (
    SELECT given.* FROM written, ROWS FROM (json_to_recordset(%(outbox)s::json) AS (
        guid uuid, widget_id bigint, type text, legacy_name text, body text, is_sealed bool
    )) WITH ORDINALITY AS given
)"""

# Which active subscriptions want which of them; a type that is switched off is wanted by none.
# Index: webhooks_subscription_target.
_WANTED = """
outbox_wanted AS MATERIALIZED (
    SELECT s.id, s.widget_id, s.is_legacy_compat, kind.type FROM webhooks_subscription s
    JOIN (SELECT DISTINCT widget_id, type, legacy_name FROM outbox_given) kind
      ON kind.widget_id = s.widget_id
     AND CASE WHEN s.is_legacy_compat THEN kind.legacy_name ELSE kind.type END = ANY (s.events)
    JOIN webhooks_eventswitch t ON t.name = kind.type AND t.enabled
    WHERE s.widget_id = ANY (ARRAY(SELECT widget_id FROM outbox_given)) AND s.is_active
    /* unscoped: by the events' widgets */
)"""

# An event that no subscription wants is not written.
_EMIT = f"""{_GIVEN}, {_WANTED},
outbox_event AS (
    INSERT INTO webhooks_event (guid, widget_id, type, body, is_sealed)
    SELECT guid, widget_id, type, body, is_sealed FROM outbox_given
    WHERE (widget_id, type) IN (SELECT widget_id, type FROM outbox_wanted)
    ORDER BY ordinality
    RETURNING id, widget_id, type
),
outbox_delivery AS (
    INSERT INTO webhooks_delivery (guid, event_id, kind, destination_id, event_type, is_legacy)
    SELECT gen_random_uuid(), event.id, '{rules.SUBSCRIPTIONS}', wanted.id, event.type, wanted.is_legacy_compat
    FROM outbox_event event JOIN outbox_wanted wanted
      ON wanted.widget_id = event.widget_id AND wanted.type = event.type
    ORDER BY event.id
    RETURNING 1
)"""  # noqa: S608 - of constants
_QUEUED = "(SELECT count(*) FROM outbox_delivery)"

# Events for destinations that the caller names. Names begin with the kind's, so that one statement may have several.
_SEND = """
{kind}_given AS MATERIALIZED (
    SELECT * FROM ROWS FROM (json_to_recordset(%({kind}_outbox)s::json) AS (
        guid uuid, widget_id bigint, type text, body text, is_sealed bool, destination_ids bigint[]
    )) WITH ORDINALITY AS given (guid, widget_id, type, body, is_sealed, destination_ids, place)
),
{kind}_event AS (
    INSERT INTO webhooks_event (guid, widget_id, type, body, is_sealed)
    SELECT guid, widget_id, type, body, is_sealed FROM {kind}_given WHERE EXISTS (SELECT FROM written)
    ORDER BY place
    RETURNING id, guid, type
),
{kind}_delivery AS (
    INSERT INTO webhooks_delivery (guid, event_id, kind, destination_id, event_type)
    SELECT gen_random_uuid(), event.id, '{kind}', destination.id, event.type
    FROM {kind}_event event JOIN {kind}_given given ON given.guid = event.guid
    CROSS JOIN LATERAL unnest(given.destination_ids) destination (id)
    ORDER BY event.id
    RETURNING 1
)"""

# With more, a query asks first which are wanted, so that no body is made in vain.
FEW = 8


class OutboxEvent(NamedTuple):
    """An event to be written: its type, its widget, and the fields that the catalogue names."""

    event_type: str
    widget_id: int
    widget_guid: str
    data: Mapping[str, Any]


def outbox_cte(events: Sequence[OutboxEvent]) -> Cte | None:
    """Queues events for every active subscription that wants them, as part of the action's statement.

    Its value is how many deliveries the statement makes; they begin after the commit. For more than FEW events a
    statement asks first who wants them: None when no subscription does.
    """
    if len(events) > FEW:
        events = _only_wanted(events)
    if not events:
        return None
    outbox = orjson.dumps([_row(event) for event in events]).decode()
    return Cte(_EMIT, {"outbox": outbox}, value=_QUEUED, then=_wake_deliverers, is_for_each=True)


def send_cte(destination_type: DestinationType, events: Sequence[OutgoingEvent]) -> Cte:
    """Queues events for the destinations that they name: the engine of `core.destinations`."""
    outbox = orjson.dumps(
        [
            {
                "guid": event.event_id,
                "widget_id": event.widget_id,
                "type": event.event_type,
                "body": encryption.encrypt(event.body) if event.is_personal else event.body,
                "is_sealed": event.is_personal,
                "destination_ids": event.destination_ids,
            }
            for event in events
        ]
    ).decode()
    return Cte(
        _SEND.format(kind=destination_type.name),
        {f"{destination_type.name}_outbox": outbox},
        value=f"(SELECT count(*) FROM {destination_type.name}_delivery)",  # noqa: S608 - a kind's name is letters
        then=_wake_deliverers,
    )


def _only_wanted(events: Sequence[OutboxEvent]) -> list[OutboxEvent]:
    kinds = {(event.widget_id, event.event_type) for event in events}
    asked = [
        {"widget_id": widget_id, "type": event_type, "legacy_name": rules.CATALOGUE[event_type].legacy_name or ""}
        for widget_id, event_type in kinds
    ]
    wanted = fetch_all(_WANTED_KINDS, {"outbox": orjson.dumps(asked).decode()})
    return [each for each in events if (each.widget_id, each.event_type) in wanted]


_WANTED_KINDS = f"WITH written AS (SELECT 1), {_GIVEN}, {_WANTED} SELECT DISTINCT widget_id, type FROM outbox_wanted"  # noqa: S608


def _wake_deliverers(queued: int) -> None:
    if queued:
        wakeups.after_commit(DELIVER)


def _row(event: OutboxEvent) -> dict[str, Any]:
    """An event as a row of the outbox."""
    guid = UUID(int=getrandbits(128), version=4)  # a name, no secret: the fast generator will do
    event_type, widget_id, widget_guid, data = event
    body = rules.native_body(guid, event_type, data, widget_guid=widget_guid)
    is_sealed = rules.is_personal(event_type, data)
    return {
        "guid": guid,
        "widget_id": widget_id,
        "type": event_type,
        "legacy_name": rules.CATALOGUE[event_type].legacy_name or "",
        "body": encryption.encrypt(body) if is_sealed else body,
        "is_sealed": is_sealed,
    }
