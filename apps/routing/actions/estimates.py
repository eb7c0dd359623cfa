"""Whether the times that visitors are told hold: remembered when one is told, tallied when a person ends the wait."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from django.db import transaction
from django.db.models import F

from apps.chats.models import Chat
from apps.core import bus
from apps.routing.events import EstimateEnded
from apps.routing.models import EstimateTally, ToldEstimate
from apps.routing.querysets.estimates import answered_by_person
from apps.routing.rules.estimates import Estimate, held


class Telling(NamedTuple):
    """The time that a chat's visitor is told, in the wait that began then."""

    chat_id: int
    waits_since: datetime
    estimate: Estimate


def remember(widget_id: int, tellings: Sequence[Telling], at: datetime) -> None:
    """Remembers the first time that was told in each of these waits.

    A chat that is being changed is left out, and remembered when its visitor is told again.
    """
    known = ToldEstimate.objects.for_widget(widget_id).filter(chat__in=[each.chat_id for each in tellings])
    waits = dict(known.values_list("chat", "waits_since"))
    new = {each.chat_id: each for each in tellings if waits.get(each.chat_id) != each.waits_since}
    if not new:
        return
    with transaction.atomic():
        chats = Chat.objects.for_widget(widget_id).filter(pk__in=new).select_for_update(no_key=True, skip_locked=True)
        rows = [
            ToldEstimate(
                chat_id=chat_id,
                widget_id=widget_id,
                department_id=department_id,
                waits_since=queued_at,
                told_at=at,
                to_min=new[chat_id].estimate.to_min,
            )
            for chat_id, department_id, queued_at in chats.order_by("pk").values_list("pk", "department", "queued_at")
            if queued_at == new[chat_id].waits_since
        ]
        ToldEstimate.objects.bulk_create(
            rows,
            update_conflicts=True,
            unique_fields=["chat"],
            update_fields=["department_id", "waits_since", "told_at", "to_min"],
        )


def settle(chat: Chat, since: datetime | None) -> None:
    """Tallies the time that was told in a wait that a person has ended, and drops that of one that ended otherwise.

    `since` is when the chat's wait began, if it waits; it is locked. The tally's row is locked last of all rows.
    """
    told = ToldEstimate.objects.for_widget(chat.widget_id).filter(chat=chat).first()
    if told is None or told.waits_since == since:
        return
    answered_at = answered_by_person(chat, told.waits_since)
    if answered_at is None and since is None and chat.snoozed_at is not None:
        return  # put aside without a word: the visitor is waiting still
    told.delete()
    if answered_at is None or answered_at < told.told_at:
        return
    waited, told_after = answered_at - told.waits_since, told.told_at - told.waits_since
    is_kept = held(told.to_min, told_after.total_seconds(), waited.total_seconds())
    row, _ = EstimateTally.objects.get_or_create(
        widget_id=chat.widget_id, department_id=told.department_id, day=answered_at.date()
    )
    tallies = EstimateTally.objects.for_widget(chat.widget_id).filter(pk=row.pk)
    tallies.update(count=F("count") + 1, kept=F("kept") + int(is_kept))
    bus.publish(EstimateEnded(widget_id=chat.widget_id, chat_id=chat.pk, is_kept=is_kept))
