"""Judging the events of chats: those of one in their order, each in one transaction with all that follows.

The chat is locked while its event is judged, and the event's row goes in the same transaction: the acts of a run are
there once, whichever process dies. Two workers with rows of one chat come in the order of their rows.
"""

import logging
from collections.abc import Sequence
from datetime import datetime

from django.db import transaction

from apps import leases
from apps.automations.actions import runs, waits
from apps.automations.actions.chains import Chain
from apps.automations.models import AutomationEvent
from apps.automations.querysets.facts import AskedFacts
from apps.automations.querysets.ready import ReadyAutomation, ready_automations
from apps.automations.rules.captured import LOOK, WAIT
from apps.automations.rules.runs import RunState
from apps.chats.models import Chat
from apps.chats.rules.timers import moment_anchor
from apps.core.database import fetch_one

logger = logging.getLogger(__name__)

# How soon to ask again for a row whose chat has an older one in another worker's hands.
BEHIND_S = 0.05
# In an event's `data`: when the look at the chat's waits was asked for, by an older event.
ASKED_AT = "asked_at"
# Router and AI wait for so long at most.
JUDGED_WITHIN_S = 5
# Whether an event of the chat waits to be judged (the hook of that name).
IS_BEING_JUDGED = f"""
EXISTS (
    SELECT FROM automations_automationevent e WHERE e.widget_id = chat.widget_id AND e.chat_id = chat.id
       AND e.event <> '{LOOK}' AND e.at > statement_timestamp() - interval '{JUDGED_WITHIN_S} s'
)"""
_LOCK = """
WITH chat AS MATERIALIZED (
    SELECT id FROM chats_chat WHERE id = %(chat_id)s AND widget_id = %(widget_id)s FOR UPDATE
)
SELECT clock_timestamp() FROM chat"""


def work(lease: leases.Lease[AutomationEvent]) -> None:
    """Judges the event of a leased row, after all of its chat that came before it."""
    row = lease.row
    is_done = False
    while not is_done:
        with transaction.atomic():
            now = _locked_at(row.widget_id, row.chat_id)
            pending = AutomationEvent.objects.for_widget(row.widget_id).filter(chat=row.chat_id).order_by("pk")
            oldest, next_event = [*pending[:2], None, None][:2]
            if now is None or oldest is None or oldest.pk > row.pk:
                return  # the chat is gone, or another worker has judged it
            is_done = oldest.pk == row.pk
            if is_done:
                lease.drop()
            elif (wait_s := _behind(oldest, now)) is not None:
                lease.later(wait_s)
                return
            else:
                pending.filter(pk=oldest.pk).delete()
            judge_event(oldest, now, next_event=next_event)


def given_up(lease: leases.Lease[AutomationEvent], reason: str) -> None:
    """An event that could not be judged, for an error of ours: the chat's other events go on."""
    logger.error("event %s of chat %s is not judged: it %s", lease.row.event, lease.row.chat_id, reason)
    lease.drop()


def judge_event(row: AutomationEvent, now: datetime, *, next_event: AutomationEvent | None) -> None:
    """Asks the widget's automations about an event of a locked chat, in their order.

    The chat's waits are looked at after its last event; `next_event` is the next one, if there is one.
    """
    as_of = max(now, row.at)
    automations = ready_automations(row.widget_id)
    chain = Chain(tuple(row.chain), row.depth)
    facts: AskedFacts | None = None
    for automation in _asked(row, automations, as_of):
        facts = facts or AskedFacts(_chat(row), row.data, as_of)
        made = runs.run(automation, facts, event_key=_key(row), chain=chain)
        if made is None:
            continue
        if automation.stop or made.state == RunState.LIMIT:
            break
        facts = None  # the next one sees the acts of this one
    asked_at = datetime.fromisoformat(row.data[ASKED_AT]) if ASKED_AT in row.data else row.at
    if not any("wait" in each.when for each in automations):
        return
    if next_event is None:
        waits.arm(_chat(row), automations, asked_at=asked_at, as_of=as_of)
    else:
        next_event.data = {**next_event.data, ASKED_AT: asked_at.isoformat()}
        next_event.save(update_fields=["data"])


def judge_due(*, as_of: datetime | None = None) -> int:
    """Judges all that waits to be judged, as of now or of a moment; returns how many events that were.

    Harmless beside workers.
    """
    judged = 0
    rows = AutomationEvent.objects.unscoped("every widget's rows").filter(due_at__isnull=False).order_by("pk")
    while row := rows.first():
        with transaction.atomic():
            now = _locked_at(row.widget_id, row.chat_id)
            if now is not None and rows.filter(pk=row.pk).delete()[0]:
                others = AutomationEvent.objects.for_widget(row.widget_id).filter(chat=row.chat_id)
                judge_event(row, as_of or now, next_event=others.order_by("pk").first())
                judged += 1
    return judged


def _asked(row: AutomationEvent, automations: Sequence[ReadyAutomation], as_of: datetime) -> list[ReadyAutomation]:
    if row.event == LOOK:
        return []
    if row.event == WAIT:
        return waits.due_waits(_chat(row), automations, row.data, as_of)
    return [
        each
        for each in automations
        if each.when.get("event") == row.event
        and each.id not in row.chain
        and (each.enabled_at is None or each.enabled_at <= row.at)
    ]


def _locked_at(widget_id: int, chat_id: int) -> datetime | None:
    found = fetch_one(_LOCK, {"chat_id": chat_id, "widget_id": widget_id})
    return found[0] if found else None


def _behind(row: AutomationEvent, now: datetime) -> float | None:
    """In how many seconds to ask again, while a worker has an older row, or failed at it; None where none did."""
    if row.due_at is not None and row.due_at > now:
        return min(1.0, (row.due_at - now).total_seconds())
    is_leased = row.claim_id is not None and row.lease_until is not None and row.lease_until > now
    return BEHIND_S if is_leased or row.attempts or row.claims else None


def _chat(row: AutomationEvent) -> Chat:
    related = Chat.objects.for_widget(row.widget_id).select_related("widget", "contact", "last_message")
    return related.get(pk=row.chat_id)


def _key(row: AutomationEvent) -> str:
    """The name of the event for ever: a wait by its beginning, all others by their rows."""
    if row.event == WAIT:
        return f"{WAIT}:{row.chat_id}:{row.data['since']}"
    return f"{row.event}:{row.pk}:{moment_anchor(row.at)}"
