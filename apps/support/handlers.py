"""Handlers that open tickets, for an offline form and a handover to people who are away; and the messages that the desk
takes.
"""

from collections.abc import Sequence
from typing import Any

from apps.ai.events import HandedOver
from apps.ai.rules.decisions import Mode
from apps.chats.events import MessagePosted
from apps.chats.rules import Via
from apps.core.bus import Cte, adds_cte, handles
from apps.support.actions.facts import open_of_handover, opening_cte
from apps.support.actions.interception import kind_of, taking_cte


@adds_cte(MessagePosted)
def open_ticket_of_an_offline_form(events: Sequence[Any]) -> Cte | None:
    """Opens a ticket by the statement that stores what a visitor left in the offline form; else it costs nothing."""
    forms = [event for event in events if event.said and event.said.via == Via.OFFLINE_FORM]
    return opening_cte(forms[-1].widget_id) if forms else None


@adds_cte(MessagePosted)
def claim_requested_messages(events: Sequence[Any]) -> Cte | None:
    """Takes a mailbox that was asked for, and a try of a code, by the statement that stores it."""
    for event in events:
        if event.author_type != "USER" or event.said is None or event.said.via == Via.OFFLINE_FORM:
            continue
        kind = kind_of(event.widget_id, event.chat_id, event.said.body)
        if kind is not None:
            return taking_cte(event.widget_id, kind)
    return None


@handles(HandedOver)
def open_ticket_of_a_handover(event: HandedOver) -> None:
    """Opens a ticket of a chat that was handed over while people are away."""
    if event.mode == Mode.OFFLINE:
        open_of_handover(widget_id=event.widget_id, chat_id=event.chat_id, reason=event.reason)
