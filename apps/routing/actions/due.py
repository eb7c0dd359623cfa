"""The moments that a routed chat waits for: the end of an offer, and of the patience with an owner or a department.

Their chat is locked by the caller.
"""

from datetime import datetime

from apps.agents.querysets.hours import hours_of_department
from apps.chats.actions.changes import locked_chat, record_change, record_step
from apps.chats.events import TimerDue
from apps.chats.models import Chat
from apps.chats.querysets.waiting import waits_since
from apps.chats.rules.activities import StepKind
from apps.chats.rules.timers import TimerKind, moment_anchor
from apps.routing.actions.offers import end_offer, standing_offer
from apps.routing.actions.overflow import wait_for_help
from apps.routing.actions.queue import follow, offer_is_over, owner_of
from apps.routing.actions.settings import routing_of
from apps.routing.actions.wakening import ask_router
from apps.routing.querysets.operators import operators_of
from apps.routing.rules.reasons import Reason


def end_of_offer(event: TimerDue) -> None:
    """An offer that had no answer in time goes to the next operator."""
    chat, since = _chat_of(event)
    offer = standing_offer(chat)
    if offer is not None and str(offer.pk) == event.anchor:
        end_offer(chat, offer, offer_is_over(chat, offer, since, event.as_of), event.as_of)


def end_of_patience(event: TimerDue) -> None:
    """The owner is here and has let the visitor wait for too long: others are asked, and it stays theirs till then."""
    chat, since = _chat_of(event)
    owner = owner_of(chat, since)
    if since is None or moment_anchor(since) != event.anchor or owner is None or not owner.is_here:
        return
    record_change(chat, owner_silent_at=event.as_of)
    follow(chat, since, event.as_of)


def overflow(event: TimerDue) -> None:
    """A chat for which nobody of its department was available in time goes to the one that helps out, once a wait.

    An operator who has a place by now is asked first.
    """
    chat, since = _chat_of(event)
    routing = routing_of(chat.widget_id, chat.department_id)
    if since is None or moment_anchor(since) != event.anchor or chat.offered_to_id is not None or not routing.overflows:
        return
    if _is_available(chat, event.as_of):
        ask_router(chat.widget_id)
        return
    helper_id = routing.overflow_department_id
    if helper_id is None or not _is_open(chat.widget_id, helper_id, event.as_of):
        wait_for_help(chat, since, routing, event.as_of)
        return
    record_step(chat, StepKind.ROUTED, department_id=helper_id, comment=Reason.OVERFLOW)
    record_change(chat, department_id=helper_id, queued_at=None)
    follow(chat, since, event.as_of)


HANDLED = {
    TimerKind.OFFER: end_of_offer,
    TimerKind.OWNER_SILENT: end_of_patience,
    TimerKind.OVERFLOW: overflow,
}


def _is_available(chat: Chat, as_of: datetime) -> bool:
    """Whether somebody of its department is available."""
    operators = operators_of(chat.widget_id, routing_of(chat.widget_id, None))
    is_somebody = any(each.is_available(chat.department_id) for each in operators)
    return is_somebody and _is_open(chat.widget_id, chat.department_id or 0, as_of)


def _is_open(widget_id: int, department_id: int, as_of: datetime) -> bool:
    hours = hours_of_department(widget_id, department_id)
    return hours is not None and hours.is_open(as_of)


def _chat_of(event: TimerDue) -> tuple[Chat, datetime | None]:
    """The chat that the event is about, and since when it waits."""
    chat = locked_chat(event.widget_id, event.chat_id)
    chats = Chat.objects.for_widget(event.widget_id).filter(pk=event.chat_id).annotate(since=waits_since(event.as_of))
    return chat, chats.values_list("since", flat=True).get()
