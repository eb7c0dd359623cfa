"""Offering a chat to an operator, and ending the offer. The chat is locked by the caller."""

from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from apps.chats.actions.changes import locked_chat, record_change, record_step
from apps.chats.actions.timers import drop_timers, set_timer
from apps.chats.models import Chat
from apps.chats.rules.activities import StepKind
from apps.chats.rules.timers import TimerKind
from apps.routing.actions.misses import count_miss, forget_misses, note_given
from apps.routing.actions.wakening import ask_router
from apps.routing.errors import NOT_OFFERED
from apps.routing.events import ChatAssigned, OfferEnded
from apps.routing.models import Assignment
from apps.routing.rules.reasons import OfferOutcome
from apps.routing.rules.settings import Routing

_NO_OFFER: dict[str, Any] = {"offered_to_id": None, "offered_at": None, "offered_until": None}


def give(chat: Chat, agent_id: int, routing: Routing, why: dict[str, Any], as_of: datetime) -> None:
    """Offers a locked chat that is queued, or gives it at once where nothing is offered."""
    until = as_of + timedelta(seconds=routing.accept_seconds) if routing.accept_seconds else None
    row = Assignment(
        widget_id=chat.widget_id,
        chat_id=chat.pk,
        agent_id=agent_id,
        department_id=chat.department_id,
        waits_since=chat.queued_at or as_of,
        given_at=as_of,
        until=until,
        why=why,
    )
    if until is None:
        row.outcome, row.ended_at = OfferOutcome.ASSIGNED, as_of
    row.save(force_insert=True)
    record_step(chat, StepKind.ROUTED, to_agent_id=agent_id, department_id=chat.department_id)
    note_given(widget_id=chat.widget_id, agent_id=agent_id, at=as_of)
    drop_timers(chat_id=chat.pk, kinds=(TimerKind.OVERFLOW,))
    if until is None:
        told = ChatAssigned.of(chat, operator_id=agent_id, department_id=chat.department_id, outcome="assigned")
        ended = OfferEnded(widget_id=chat.widget_id, chat_id=chat.pk, outcome=OfferOutcome.ASSIGNED)
        fields = {"agent_id": agent_id, "queued_at": None, "owner_away_at": None, "owner_silent_at": None}
        record_change(chat, told, ended, **fields)
        return
    set_timer(widget_id=chat.widget_id, chat_id=chat.pk, kind=TimerKind.OFFER, due_at=until, anchor=str(row.pk))
    record_change(chat, offered_to_id=agent_id, offered_at=as_of, offered_until=until)


def end_offer(chat: Chat, assignment: Assignment, outcome: OfferOutcome, as_of: datetime) -> None:
    """Ends the offer of a locked chat that stands, with its timer."""
    assignment.outcome, assignment.ended_at = outcome, as_of
    assignment.save(update_fields=["outcome", "ended_at"])
    drop_timers(chat_id=chat.pk, kinds=(TimerKind.OFFER,))
    events: list[Any] = [OfferEnded(widget_id=chat.widget_id, chat_id=chat.pk, outcome=outcome)]
    if outcome is OfferOutcome.ACCEPTED:
        events.append(
            ChatAssigned.of(
                chat, operator_id=assignment.agent_id, department_id=assignment.department_id, outcome="accepted"
            )
        )
    is_others = outcome in (OfferOutcome.ACCEPTED, OfferOutcome.TAKEN)  # the silent owner is the owner no more
    record_change(chat, *events, **_NO_OFFER, **({"owner_silent_at": None} if is_others else {}))
    if assignment.agent_id is not None:
        if outcome is OfferOutcome.MISSED:
            count_miss(widget_id=chat.widget_id, agent_id=assignment.agent_id)  # the router gives them their break
        elif outcome in (OfferOutcome.ACCEPTED, OfferOutcome.DECLINED):
            forget_misses(widget_id=chat.widget_id, agent_id=assignment.agent_id)
    ask_router(chat.widget_id)


def standing_offer(chat: Chat) -> Assignment | None:
    """The offer of a chat that waits for an answer."""
    return Assignment.objects.for_widget(chat.widget_id).filter(chat_id=chat.pk).standing().first()


@transaction.atomic
def decline(*, widget_id: int, chat_id: int, agent_id: int) -> Chat:
    """The operator to whom a chat is offered lets it pass: it goes to the next.

    Raises NOT_FOUND (404), NOT_OFFERED (409) where it is not offered to them.
    """
    chat = locked_chat(widget_id, chat_id)
    offer = standing_offer(chat)
    if offer is None or chat.offered_to_id != agent_id or offer.agent_id != agent_id:
        raise NOT_OFFERED()
    end_offer(chat, offer, OfferOutcome.DECLINED, timezone.now())
    return chat
