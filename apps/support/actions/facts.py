"""Tickets that the service opens by itself: for an offline form, and for a handover to people who are away or do not
come.

A disabled desk opens none, as they would stay unworked.
"""

from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from apps.chats.actions.changes import locked_chat
from apps.chats.models import Chat
from apps.chats.querysets.waiting import may_wait
from apps.core.bus import Cte
from apps.support.actions.tickets import open_ticket
from apps.support.models import SupportSettings, Ticket
from apps.support.rules.tickets import OF_HANDOVER, TicketPriority, TicketReason, TicketSource

_ON_FORM = f"""
support_opened AS (
    INSERT INTO support_ticket AS t (widget_id, chat_id, reason, priority, source, opening_message_id)
    SELECT %(support_widget_id)s, chat_id, '{TicketReason.OFFLINE_FORM}', {TicketPriority.NORMAL.value},
        '{TicketSource.WIDGET}', id
    FROM written
    WHERE EXISTS (SELECT FROM support_supportsettings WHERE widget_id = %(support_widget_id)s AND enabled
                  /* unscoped: by its widget, under a parameter of its own */)
    ON CONFLICT (chat_id) WHERE state = 'open'
        DO UPDATE SET priority = least(t.priority, EXCLUDED.priority), updated_at = now()
    RETURNING t.number
)"""  # noqa: S608 - of constants


def opening_cte(widget_id: int) -> Cte:
    """Opens a ticket for the chat of the offline form that the statement stores."""
    return Cte(_ON_FORM, {"support_widget_id": widget_id}, "(SELECT number FROM support_opened)", lambda _: None)


def open_of_handover(*, widget_id: int, chat_id: int, reason: str) -> None:
    """Opens a ticket of a chat that the AI has handed over to people who are away. Inside a transaction."""
    if SupportSettings.objects.for_widget(widget_id).filter(enabled=True).exists():
        why, priority = OF_HANDOVER.get(reason, (TicketReason.AI_HANDOFF, TicketPriority.HIGH))
        _open(widget_id, chat_id, why, priority)


def open_unanswered() -> int:
    """Opens tickets of chats that were handed over and that no person answered in time; returns how many."""
    opened = 0
    for settings in SupportSettings.objects.unscoped("every widget's rows").filter(
        enabled=True, unanswered_ticket_after_sec__gt=0
    ):
        now = timezone.now()
        late = now - timedelta(seconds=settings.unanswered_ticket_after_sec)
        known = Ticket.objects.for_widget(settings.widget_id)
        chats = Chat.objects.for_widget(settings.widget_id).filter(
            may_wait(now), handed_over_at__lte=late, internal=False
        )
        for chat in chats.exclude(status="spam").only("pk", "handed_over_at", "widget_id")[:200]:
            if not known.filter(chat_id=chat.pk, updated_at__gte=chat.handed_over_at).exists():
                opened += _open_if_waiting(chat)
    return opened


@transaction.atomic
def _open_if_waiting(chat: Chat) -> bool:
    """Checks again with the chat locked: it may have been answered since."""
    locked = locked_chat(chat.widget_id, chat.pk)
    if locked.handed_over_at != chat.handed_over_at:
        return False
    _open(chat.widget_id, chat.pk, TicketReason.UNANSWERED, TicketPriority.HIGH)
    return True


def _open(widget_id: int, chat_id: int, reason: TicketReason, priority: TicketPriority) -> None:
    chat = locked_chat(widget_id, chat_id)
    open_ticket(
        widget_id=widget_id,
        chat_id=chat_id,
        reason=reason,
        priority=priority,
        source=TicketSource.AI,
        message_id=chat.last_message_id or 0,
    )
