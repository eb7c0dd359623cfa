"""The outbox: an event and its deliveries, written in the transaction of what happened."""

from collections.abc import Mapping, Sequence
from random import getrandbits
from typing import Any, NamedTuple, Self
from uuid import UUID

import orjson

from apps.core import encryption, wakeups
from apps.core.database import execute, fetch_all
from apps.webhooks import rules

DELIVER = "apps.webhooks.tasks.deliver"

# Whose active subscriptions want which of some events, by widget and type; a switched-off type is wanted by none.
# Index: webhooks_subscription_target.
_WANTED = """
SELECT s.id, s.widget_id, s.is_legacy_compat, kind.type FROM webhooks_subscription s
JOIN unnest(%(types)s::text[], %(legacy_names)s::text[]) AS kind (type, legacy_name)
  ON CASE WHEN s.is_legacy_compat THEN kind.legacy_name ELSE kind.type END = ANY (s.events)
JOIN webhooks_eventswitch t ON t.name = kind.type AND t.enabled
WHERE s.widget_id = ANY (%(widget_ids)s) AND s.is_active"""

# Nothing is written of an event that nobody wants.
_EMIT = f"""
WITH wanted AS MATERIALIZED ({_WANTED}
), event AS (
    INSERT INTO webhooks_event (guid, widget_id, type, body, is_sealed)
    SELECT happening.guid, happening.widget_id, happening.type, happening.body, happening.is_sealed
    FROM ROWS FROM (
        unnest(%(guids)s::uuid[], %(event_widget_ids)s::bigint[], %(event_types)s::text[], %(are_sealed)s::bool[]),
        json_array_elements_text(%(bodies)s::json)
    ) WITH ORDINALITY AS happening (guid, widget_id, type, is_sealed, body, place)
    WHERE (happening.widget_id, happening.type) IN (SELECT wanted.widget_id, wanted.type FROM wanted)
    ORDER BY happening.place
    RETURNING id, widget_id, type
)
INSERT INTO webhooks_delivery (guid, event_id, subscription_id, event_type, is_legacy)
SELECT gen_random_uuid(), event.id, wanted.id, event.type, wanted.is_legacy_compat
FROM event JOIN wanted ON wanted.widget_id = event.widget_id AND wanted.type = event.type
ORDER BY event.id"""  # noqa: S608 - of constants

# With more, it is asked first who wants any of them, so that bodies are only made for receivers.
FEW = 8


class Happening(NamedTuple):
    """One event: its type, whose it is, and the fields that the catalogue names."""

    event_type: str
    widget_id: int
    widget_guid: str
    data: Mapping[str, Any]


def emit(happenings: Sequence[Happening]) -> int:
    """Queues events for every active subscription that wants them; returns how many deliveries that makes.

    Must run in the transaction of what happened: all are kept, or none. Delivery begins after the commit. One
    statement; for more than FEW one to see who wants them, and one else.
    """
    if not happenings:
        return 0
    types = list({happening.event_type for happening in happenings})
    names: dict[str, Any] = {
        "types": types,
        "legacy_names": [rules.CATALOGUE[event_type].legacy_name or "" for event_type in types],
        "widget_ids": list({happening.widget_id for happening in happenings}),
    }
    if len(happenings) > FEW:
        wanted = {(widget_id, event_type) for _, widget_id, _, event_type in fetch_all(_WANTED, names)}
        happenings = [each for each in happenings if (each.widget_id, each.event_type) in wanted]
        if not happenings:
            return 0
    events = [_Event.of(happening) for happening in happenings]
    queued = execute(
        _EMIT,
        {
            **names,
            "guids": [event.guid for event in events],
            "event_widget_ids": [event.widget_id for event in events],
            "event_types": [event.event_type for event in events],
            # As JSON: the driver takes far longer to write an array of texts with quotes in them.
            "bodies": orjson.dumps([event.body for event in events]).decode(),
            "are_sealed": [event.is_sealed for event in events],
        },
    )
    if queued:
        wakeups.after_commit(DELIVER)
    return queued


class _Event(NamedTuple):
    """A row of the outbox, as it is written."""

    guid: UUID
    widget_id: int
    event_type: str
    body: str
    is_sealed: bool

    @classmethod
    def of(cls, happening: Happening) -> Self:
        guid = UUID(int=getrandbits(128), version=4)  # a name, no secret: the fast generator will do
        event_type, widget_id, widget_guid, data = happening
        body = rules.native_body(guid, event_type, data, widget_guid=widget_guid)
        is_sealed = event_type in rules.PERSONAL_EVENTS
        return cls(guid, widget_id, event_type, encryption.encrypt(body) if is_sealed else body, is_sealed)
