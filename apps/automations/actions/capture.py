"""Noting the events of chats, where an automation asks about it: one row an event, put by the action's statement.

A word's row is put by the statement that stores it, all others in the transaction of their own change. A chat
is also looked at (LOOK) after all that may begin a wait, where waits are counted.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from django.db import connection
from psycopg.types.json import Jsonb

from apps import leases
from apps.automations.actions.chains import current_chain
from apps.automations.models import Automation
from apps.automations.rules.captured import LOOK, SNOOZE_ENDED, TAG_ADDED
from apps.automations.rules.limits import MAX_DEPTH
from apps.chats.querysets.snoozes import IS_SNOOZED_SQL
from apps.chats.rules import OPEN
from apps.chats.rules.timers import TimerKind
from apps.core.bus import Cte

# The events that the enabled automations of the chat's widget ask about, and whether the chat has been put aside: read
# with the chat that is posted into. A wait is asked about as LOOK.
IS_ON = f"""
SELECT jsonb_build_object('asked', jsonb_agg(DISTINCT coalesce(a."when"->>'event', '{LOOK}')),
    'is_aside', chat.snoozed_at IS NOT NULL)
FROM automations_automation a WHERE a.widget_id = chat.widget_id AND a.is_enabled
HAVING count(*) > 0"""  # noqa: S608 - of constants

_PUT_POSTED = f"""
automations_rows AS (
    INSERT INTO automations_automationevent (widget_id, chat_id, event, data, chain, depth, due_at, waiting_since, at)
    SELECT c.widget_id, c.id, e.event, e.data, %(automations_chain)s, %(automations_depth)s, statement_timestamp(),
        statement_timestamp(), clock_timestamp()
    FROM written JOIN chats_chat c ON c.id = written.chat_id
    CROSS JOIN unnest(%(automations_events)s::text[], %(automations_data)s::jsonb[]) WITH ORDINALITY AS
        e(event, data, place)
    WHERE e.event <> '{SNOOZE_ENDED}' OR ({IS_SNOOZED_SQL})
    ORDER BY e.place /* unscoped: of the chat that is written into */
    RETURNING id
)"""  # noqa: S608 - of constants
_PUT = f"""
automations_rows AS (
    INSERT INTO automations_automationevent (widget_id, chat_id, event, data, chain, depth, due_at, waiting_since, at)
    SELECT c.widget_id, c.id, e.event, e.data, %(automations_chain)s, %(automations_depth)s, statement_timestamp(),
        statement_timestamp(), clock_timestamp()
    FROM unnest(%(automations_chats)s::bigint[], %(automations_events)s::text[], %(automations_data)s::jsonb[])
        WITH ORDINALITY AS e(chat_id, event, data, place)
    JOIN chats_chat c ON c.id = e.chat_id
    WHERE EXISTS (
        SELECT FROM automations_automation a WHERE a.widget_id = c.widget_id AND a.is_enabled
        AND coalesce(a."when"->>'event', '{LOOK}') = e.event)
    ORDER BY e.place /* unscoped: chats that have changed */
    RETURNING id
)"""  # noqa: S608 - of constants
_PUT_TAGGED = f"""
automations_tagged AS (
    INSERT INTO automations_automationevent (widget_id, chat_id, event, data, chain, depth, due_at, waiting_since, at)
    SELECT c.widget_id, c.id, '{TAG_ADDED}', jsonb_build_object('tag', e.name), %(automations_tag_chain)s,
        %(automations_tag_depth)s, statement_timestamp(), statement_timestamp(), clock_timestamp()
    FROM chats_chat c CROSS JOIN unnest(%(automations_tags)s::text[]) WITH ORDINALITY AS e(name, place)
    WHERE c.contact_id = %(automations_contact)s AND c.status IN ({", ".join(f"'{each}'" for each in OPEN)})
    AND EXISTS (
        SELECT FROM automations_automation a WHERE a.widget_id = c.widget_id AND a.is_enabled
        AND a."when"->>'event' = '{TAG_ADDED}')
    ORDER BY c.id, e.place /* unscoped: of a contact that was read with its widget */
    RETURNING id
)"""  # noqa: S608 - of constants
_LOOK_AGAIN = f"""
INSERT INTO automations_automationevent (widget_id, chat_id, event, due_at, waiting_since, at)
SELECT DISTINCT t.widget_id, t.chat_id, '{LOOK}', statement_timestamp(), statement_timestamp(), clock_timestamp()
FROM chats_timer t WHERE t.widget_id = %(widget_id)s AND t.kind = '{TimerKind.AUTOMATION}'"""  # noqa: S608


class Captured(NamedTuple):
    """An event of a chat: one of the wire's, or LOOK, with the facts that conditions may ask of it."""

    chat_id: int
    event: str
    data: Mapping[str, Any] = {}


def posted_cte(captured: Sequence[Captured]) -> Cte | None:
    """Puts the rows of the chat into which the statement writes; that a snooze ended only where one was in force."""
    return _cte(_PUT_POSTED, captured)


def captured_cte(captured: Sequence[Captured]) -> Cte | None:
    """Puts those rows about which an automation of their chat's widget asks."""
    return _cte(_PUT, captured)


def tagged_cte(contact_id: int, names: Sequence[str]) -> Cte | None:
    """Puts a row for each new tag in each open chat of a contact."""
    chain = current_chain()
    if chain.depth >= MAX_DEPTH:
        return None
    parameters = {
        "automations_contact": contact_id,
        "automations_tags": list(names),
        "automations_tag_chain": Jsonb(list(chain.automation_ids)),
        "automations_tag_depth": chain.depth,
    }
    return Cte(_PUT_TAGGED, parameters, "(SELECT count(*) FROM automations_tagged)", _wake)


def look_again(widget_id: int) -> None:
    """Queues a look at each chat of a widget that has a timer. Inside a transaction."""
    automations = Automation.objects.for_widget(widget_id).switched_on().filter(when__has_key="wait")
    if automations.exists():
        with connection.cursor() as cursor:
            cursor.execute(_LOOK_AGAIN, {"widget_id": widget_id})
            _wake(cursor.rowcount)


def _cte(sql: str, captured: Iterable[Captured]) -> Cte | None:
    chain = current_chain()
    rows = [row for row in captured if row.event == LOOK or chain.depth < MAX_DEPTH]
    if not rows:
        return None
    parameters = {
        "automations_chats": [row.chat_id for row in rows],
        "automations_events": [row.event for row in rows],
        "automations_data": [Jsonb(row.data) for row in rows],
        "automations_chain": Jsonb(list(chain.automation_ids)),
        "automations_depth": chain.depth,
    }
    return Cte(sql, parameters, "(SELECT count(*) FROM automations_rows)", _wake)


def _wake(put: int) -> None:
    if put:
        leases.wake_workers()
