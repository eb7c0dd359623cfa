"""A chat that changes hands is summed up, and what is said where translation is on is translated.

Assists go with a chat of spam, and with an operator who is suspended.
"""

from collections.abc import Sequence
from typing import Any

from apps.agents.events import AgentChanged
from apps.ai.events import HandedOver
from apps.assists.actions.automatic import changed_hands, taken_over
from apps.assists.actions.retention import forget_assists
from apps.assists.actions.translating import queue_translations, queueing_cte
from apps.chats.events import (
    ChatMarkedSpam,
    ChatSentToDepartment,
    ChatTaken,
    ChatTransferred,
    MessagePosted,
    TranslationsWanted,
)
from apps.chats.rules.translations import says_something
from apps.core.bus import Cte, adds_cte, handles


@handles(ChatTransferred)
def sum_up_for_new_owner(event: ChatTransferred) -> None:
    """Has a chat that was given to another person summed up for them."""
    changed_hands(widget_id=event.widget_id, chat_id=event.chat_id, to_agent_id=event.to_agent_id)


@handles(ChatSentToDepartment)
def sum_up_for_department(event: ChatSentToDepartment) -> None:
    """Has a chat that was given to a department summed up in the widget's language."""
    changed_hands(widget_id=event.widget_id, chat_id=event.chat_id, to_agent_id=None)


@handles(HandedOver)
def sum_up_for_people(event: HandedOver) -> None:
    """Has a chat that AI handed over summed up for whoever takes it."""
    changed_hands(widget_id=event.widget_id, chat_id=event.chat_id, to_agent_id=None)


@handles(ChatTaken)
def sum_up_for_who_takes(event: ChatTaken) -> None:
    """Has a chat that a person takes summed up, if enough was said since it was last."""
    taken_over(widget_id=event.widget_id, chat_id=event.chat_id, agent_id=event.agent_id)


@handles(ChatMarkedSpam)
def forget_assists_of_spam(event: ChatMarkedSpam) -> None:
    """Deletes what was asked for in a chat of spam; what runs is stopped by that."""
    forget_assists(widget_id=event.widget_id, chat_id=event.chat_id)


@handles(AgentChanged)
def forget_assists_of_suspended(event: AgentChanged) -> None:
    """Deletes what a suspended operator asked for; a summary is everybody's."""
    if event.is_banned:
        forget_assists(widget_id=event.widget_id, agent_id=event.agent_id)


@adds_cte(MessagePosted)
def queue_translation(events: Sequence[Any]) -> Cte | None:
    """Queues the chat by the statement that stores the message, where its translation is on; elsewhere nothing."""
    wanted = [
        event
        for event in events
        if event.translated_to and event.said and event.said.sender_kind != "agent" and says_something(event.said.body)
    ]
    return queueing_cte(wanted[-1].widget_id) if wanted else None


@handles(TranslationsWanted)
def queue_wanted(event: TranslationsWanted) -> None:
    """Queues a chat whose messages wait for a translation."""
    queue_translations(widget_id=event.widget_id, chat_id=event.chat_id)
